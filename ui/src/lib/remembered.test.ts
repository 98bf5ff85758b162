import { expect, it } from 'vitest';
import { remembered } from './remembered';

it('makes each value once', () => {
  const made: string[] = [];
  const of = remembered((key) => {
    made.push(key);
    return { key };
  });
  expect([of('a') === of('a'), of('a') === of('b'), of('b').key]).toEqual([true, false, 'b']);
  expect(made).toEqual(['a', 'b']);
});
