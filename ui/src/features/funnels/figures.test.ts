import { describe, expect, it } from 'vitest';
import type { Analysis, Spread } from './api';
import { conversionOf, histogramOf, nameOfPart, stepRows, worst } from './figures';

const spread: Spread = { count: 0, mean: 0, median: 0, p75: 0, p90: 0, p95: 0, max: 0, histogram: [] };
const analysis = (users: number[], optional: number[] = []): Analysis => ({
  total_users: 100,
  users_in_first_step: users[0] ?? 0,
  success_users: users.at(-1) ?? 0,
  steps: users.map((n, i) => ({ step: 'e', query: {}, users: n, times: n, attempts: n, ...(optional.includes(i) ? { optional: true } : {}) })),
  conversion: spread,
});

describe('rows of steps', () => {
  it('have shares of those who entered, and losses against the step before', () => {
    const rows = stepRows(analysis([80, 40, 10]));
    expect(rows.map((r) => [r.share, r.dropped, r.droppedShare, r.from])).toEqual([
      [1, 0, 0, undefined],
      [0.5, 40, 0.5, 1],
      [0.125, 30, 0.75, 2],
    ]);
    expect(worst(rows)?.no).toBe(2);
  });

  it('lose nobody at a step that may be skipped', () => {
    const rows = stepRows(analysis([80, 20, 60], [1]));
    expect(rows.map((r) => [r.dropped, r.from])).toEqual([[0, undefined], [0, undefined], [20, 1]]);
  });

  it('are nothing of nothing, and compare with what was', () => {
    const rows = stepRows(analysis([0, 0]), analysis([10, 4]));
    expect(rows.map((r) => [r.share, r.before])).toEqual([[0, 1], [0, 0.4]]);
    expect(worst(rows)).toBeUndefined();
    expect(conversionOf(analysis([0, 0]))).toBe(0);
  });
});

it.each([
  [{ value: 'DE', users: [] }, 'Germany'],
  [{ value: null, users: [] }, 'none'],
  [{ value: 5, users: [] }, '5'],
  [{ value: null, other: true, users: [] }, 'other'],
])('calls the group %j %s', (part, want) => {
  const field = { path: 'up.cc', name: 'Country', group: '', kind: 'text', decode: (text: string) => (text === 'DE' ? 'Germany' : text) } as const;
  expect(nameOfPart(part, field, { none: 'none', other: 'other' })).toBe(want);
});

it('gives bars of a histogram both bounds', () => {
  expect(histogramOf({ ...spread, histogram: [{ to: 1, count: 2 }, { to: 5, count: 0 }, { count: 1 }] })).toEqual([
    { from: 0, to: 1, count: 2 },
    { from: 1, to: 5, count: 0 },
    { from: 5, to: undefined, count: 1 },
  ]);
});
