import { describe, expect, it } from 'vitest';
import type { Level } from '../flows/api';
import { templatesOf } from './templates';
import { draftOfTemplate, toSent } from './draft';

const node = (event: string, users: number, more: object = {}) => ({ event, users, paths: users, ended: 0, ...more });
const link = (from: number, to: number, users: number) => ({ from, to, users, paths: users });

const start = '[CLY]_session';

const levels: Level[] = [
  { level: 0, nodes: [node(start, 100)], links: [link(0, 0, 60), link(0, 1, 30), link(0, 2, 10)] },
  { level: 1, nodes: [node('open', 60), node('search', 30), { other: true, users: 10, paths: 10, ended: 0 }], links: [link(0, 0, 40), link(0, 1, 15), link(1, 0, 2), link(1, 1, 20)] },
  { level: 2, nodes: [node('cart', 42), node('look', 35)], links: [link(0, 0, 20), link(1, 1, 30)] },
  { level: 3, nodes: [node('open', 20), node('search', 30)], links: [] },
];

describe('templates', () => {
  it('follow what most people do, without a step twice', () => {
    expect(templatesOf(levels, start)).toEqual([
      { steps: [{ event: 'open' }, { event: 'cart' }], users: 40 },
      { steps: [{ event: 'search' }, { event: 'look' }], users: 20 },
    ]);
  });

  it('leave out rare ways, other steps, starts, and paths that another begins with', () => {
    expect(templatesOf([], start)).toEqual([]);
    expect(templatesOf([{ level: 1, nodes: [node('a', 100), node(start, 5)], links: [link(0, 0, 9)] }, { level: 2, nodes: [node('b', 9)], links: [] }], start)).toEqual([]);
    const twice: Level[] = [
      { level: 1, nodes: [node('a', 50), node('a', 40)], links: [link(0, 0, 30), link(1, 0, 20)] },
      { level: 2, nodes: [node('b', 50)], links: [link(0, 0, 20)] },
      { level: 3, nodes: [node('c', 20)], links: [] },
    ];
    expect(templatesOf(twice, start).map((t) => t.steps.map((s) => s.event).join())).toEqual(['a,b,c']);
  });

  it('become funnels, views by their names', () => {
    const draft = draftOfTemplate('Home → Cart', [{ event: '[CLY]_view', name: 'Home' }, { event: 'cart' }]);
    const sent = toSent(draft);
    expect(sent.steps).toEqual(['[CLY]_view', 'cart']);
    expect(sent.queries).toEqual(['{"sg.name":"Home"}', '{}']);
    expect(sent.funnel_name).toBe('Home → Cart');
  });
});
