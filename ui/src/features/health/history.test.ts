import { expect, it } from 'vitest';
import { stepsOf, type Sample } from './api';

const at = (ts: number): Sample => ({ ts, cpu: 1, memory: 2, disk: 3, resident: 4, waiting: 5 });

it('has every step up to the newest, with gaps where nothing is known', () => {
  expect(stepsOf([at(600), at(900)], 100, 5).map(({ ts, sample }) => [ts, sample?.ts])).toEqual([
    [500, undefined],
    [600, 600],
    [700, undefined],
    [800, undefined],
    [900, 900],
  ]);
  expect(stepsOf([], 100, 5)).toEqual([]);
});
