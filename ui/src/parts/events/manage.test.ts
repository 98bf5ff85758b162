import { expect, it } from 'vitest';
import { managed, moved } from './manage';

const limits = { event_limit: 500 };

it('has the events in the order given, with what people said of them', () => {
  const list = managed({
    limits,
    list: ['b', 'a', 'c'],
    order: ['c'],
    map: { a: { name: 'Apple', is_visible: false } },
    segments: { b: ['size'] },
    omitted_segments: { b: ['colour'] },
  });
  expect(list.map((e) => [e.key, e.name, e.visible, e.segments, e.omitted])).toEqual([
    ['c', '', true, [], []],
    ['a', 'Apple', false, [], []],
    ['b', '', true, ['size'], ['colour']],
  ]);
});

it('has none where none was sent', () => expect(managed({ limits })).toEqual([]));

it.each([
  ['b', -1, ['b', 'a', 'c']],
  ['b', 1, ['a', 'c', 'b']],
  ['a', -1, ['a', 'b', 'c']],
  ['c', 1, ['a', 'b', 'c']],
  ['x', 1, ['a', 'b', 'c']],
])('moves %s by %d', (key, by, want) => expect(moved(['a', 'b', 'c'], key, by)).toEqual(want));
