import { expect, it } from 'vitest';
import { Keys, type Command } from './shortcuts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, typing: false };

function typed(keys: string[], more: Partial<typeof plain> = {}, singles = true): (Command | undefined)[] {
  const reader = new Keys();
  return keys.map((key) => reader.press({ ...plain, ...more, key }, singles));
}

it.each([
  [['?'], {}, true, [{ do: 'sheet' }]],
  [['w'], {}, true, [{ do: 'period', preset: '7days' }]],
  [['g', 'e'], {}, true, [undefined, { do: 'page', id: 'events' }]],
  [['g', 'w', 'w'], {}, true, [undefined, undefined, { do: 'period', preset: '7days' }]],
  [['w', 'constructor'], { typing: true }, true, [undefined, undefined]],
  [['constructor'], {}, true, [undefined]],
  [['w'], {}, false, [undefined]],
  [['k'], { ctrlKey: true }, false, [{ do: 'palette' }]],
  [['K'], { metaKey: true, typing: true }, true, [{ do: 'palette' }]],
  [['k'], { ctrlKey: true, altKey: true }, true, [undefined]],
  [['w'], { ctrlKey: true }, true, [undefined]],
] as const)('%j with %j, single keys %s', (keys, more, singles, want) => {
  expect(typed([...keys], more, singles)).toEqual(want);
});
