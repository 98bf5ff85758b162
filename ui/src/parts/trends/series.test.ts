import { describe, expect, it } from 'vitest';
import type { Broken, Plain } from './api';
import { lineOf, linesOf, named, nameOfKeys } from './series';

const slots = [{ _id: '2031-5-13', key: '2031.5.13' }, { _id: '2031-5-14', key: '2031.5.14' }];
const f = (t: number, u = t) => ({ t, u, s: t * 2, dur: 0 });

describe('lines of a report', () => {
  it('have every step, and the days compared with at the same place', () => {
    const answer: Plain = { totals: f(3), data: { daily: { '2031.5.14': f(3) } }, compare: { totals: f(1), data: { daily: { '2031.5.13': { ...f(1), at: '2031.5.11' } } } } };
    expect(lineOf('Buy', answer, 't', 'daily', slots)).toEqual({ name: 'Buy', values: [0, 3], total: 3, before: { values: [1, 0], total: 1 } });
    expect(lineOf('Buy', answer, 'avg_s', 'daily', slots).values).toEqual([undefined, 2]);
  });

  it('are groups, and all others as one', () => {
    const answer: Broken = {
      totals: f(9),
      segments: { 'tea | Unknown': { ...f(5), keys: { 'sg.a': 'tea', 'up.cc': null } } },
      data: { daily: { '2031.5.13': { 'tea | Unknown': f(5) } } },
      page_data: { total: 4 },
      other: { ...f(4), groups: 3, data: { daily: { '2031.5.14': f(4) } } },
    };
    const by = ['sg.a', 'up.cc'];
    const name = (keys: Record<string, unknown>) => nameOfKeys(keys, by, [{ path: 'sg.a', name: 'A', group: '', kind: 'text', decode: (text) => text.toUpperCase() }], 'none');
    expect(linesOf('Buy', answer, 't', 'daily', slots, by, name, (n) => `${n} others`)).toEqual([
      { name: 'Buy · TEA | none', values: [5, 0], total: 5, whom: { groups: [['tea', null]] } },
      { name: 'Buy · 3 others', values: [0, 4], total: 4, whom: { others: [['tea', null]] } },
    ]);
    expect(linesOf(undefined, { ...answer, other: { ...f(0), groups: 0, data: {} } }, 't', 'daily', slots, by, name, String).map((l) => l.name)).toEqual(['TEA | none']);
  });

  it('are groups beside those of earlier days', () => {
    const answer: Broken = {
      totals: f(5),
      segments: { tea: { ...f(5), keys: { 'sg.a': 'tea' } } },
      data: { daily: { '2031.5.13': { tea: f(5) } } },
      page_data: { total: 2 },
      other: { ...f(2), groups: 1, data: { daily: { '2031.5.14': f(2) } } },
      compare: {
        totals: f(4),
        segments: { tea: f(3) },
        data: { daily: { '2031.5.14': { at: '2031.4.14', groups: { tea: f(3) } } } },
        other: { ...f(1), data: { daily: { '2031.5.13': f(1) } } },
      },
    };
    const lines = linesOf(undefined, answer, 't', 'daily', slots, ['sg.a'], (keys) => String(keys['sg.a']), String);
    expect(lines.map(({ name, before }) => [name, before])).toEqual([
      ['tea', { values: [0, 3], total: 3 }],
      ['1', { values: [1, 0], total: 1 }],
    ]);
  });
  it('have names of their own', () => {
    const line = { name: 'a', values: [], total: 0 };
    expect(named([line, line, { ...line, name: 'b' }]).map((l) => l.name)).toEqual(['a', 'a (2)', 'b']);
  });
});
