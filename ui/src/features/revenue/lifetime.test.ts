import { expect, it } from 'vitest';
import { spokenOf } from './lifetime';

const curve = (n: number, all = n) => Array.from({ length: all }, (_, age) => (age < n ? { users: 10, ltv: age, paying_percent: 1 } : null));
const ages = (n: number, all?: number) => spokenOf({ unit: 'day', curve: curve(n, all) }).map(({ age }) => age);

it('speaks of the first age, and of the last milestones that are known', () => {
  expect([ages(0, 3), ages(1), ages(5, 8), ages(8), ages(10), ages(31)]).toEqual([[], [0], [0, 4], [0, 7], [0, 7, 9], [0, 14, 30]]);
});
