import { describe, expect, it } from 'vitest';
import { averageUnits, filled, known, meanOf, placesOf, stepId } from './figures';

const cell = (users: number, over: number, kept: number) => ({ users, over, kept });

describe('places', () => {
  it('of a cohort are of all of its people, and open until the age is over for each', () => {
    expect(placesOf({ users: 4, cells: [cell(2, 4, 2), cell(1, 3, 1), null] })).toEqual([
      { users: 2, of: 4, share: 0.5, open: false },
      { users: 1, of: 4, share: 0.25, open: true },
      undefined,
    ]);
  });
  it('of a cohort without people are none', () => expect(placesOf({ users: 0, cells: [cell(0, 0, 0)] })).toEqual([undefined]));
  it('of all cohorts are of those for whom the age is over', () => {
    expect(meanOf([cell(5, 8, 4), cell(2, 0, 0), null])).toEqual([{ users: 4, of: 8, share: 0.5, open: false }, undefined, undefined]);
  });
});

it('speaks of the first age, and of the next ones that matter', () => {
  const brackets = Array.from({ length: 20 }, (_, i) => ({ from: i + 1 }));
  const mean = brackets.map(({ from }) => (from > 15 ? null : cell(1, 2, 1)));
  expect(known({ unit: 'day', brackets, mean }).map((k) => k.age)).toEqual([1, 7, 14]);
  expect(known({ unit: 'week', brackets, mean }).map((k) => k.age)).toEqual([1, 4, 12]);
  expect(known({ unit: 'day', brackets, mean: mean.map((c, i) => (i < 3 ? null : c)) }).map((k) => [k.age, k.at])).toEqual([[4, 3], [7, 6], [14, 13]]);
  expect(known({ unit: 'month', brackets, mean: [] })).toEqual([]);
});

it.each([
  ['2031-05-04', 'day', '2031-5-4'],
  ['2031-10-14', 'day', '2031-10-14'],
  ['2031-05-05', 'week', '2031-w19'],
  ['2031-05-01', 'month', '2031-5'],
  ['2031-12-01', 'month', '2031-12'],
] as const)('names %s as %s %s', (day, unit, want) => expect(stepId(day, unit)).toBe(want));

describe('counts', () => {
  const counts = [{ units: 1, users: 3 }, { units: 4, users: 1 }];
  it('have no gaps', () => expect(filled(counts).map((c) => c.users)).toEqual([3, 0, 0, 1]));
  it('have a mean', () => {
    expect(averageUnits({ stickiness: counts })).toBe(1.75);
    expect(averageUnits({ stickiness: [] })).toBeUndefined();
  });
});
