import { expect, it } from 'vitest';
import { hiddenBy, partsOf, type Defined } from './defined';

const defined = (events: Defined['events'], hide: boolean): Defined => ({ _id: 'd', name: 'D', description: '', events, hide, changed: 0 });

it('the parts of a definition are keys with filters', () => {
  expect(partsOf(defined(['a', { event: 'b', query: { 'sg.x': 1 } }], false))).toEqual([
    { event: 'a', query: {} },
    { event: 'b', query: { 'sg.x': 1 } },
  ]);
});

it('menus leave out what a definition takes whole', () => {
  const parts: Defined['events'] = ['a', { event: 'b', query: { 'sg.x': 1 } }, { event: '[CLY]_view', query: {}, name: '/home' }, { event: 'c', query: {} }];
  expect([...hiddenBy([defined(parts, true), defined(['d'], false)])]).toEqual(['a', 'c']);
});
