import { expect, it } from 'vitest';
import { daysOf } from './rows';

const row = (iso: string) => ({ _id: iso, ts: Date.parse(iso), e: 'x' });

it.each([
  ['UTC', [['2026-03-02', 1], ['2026-03-01', 2]]],
  ['Asia/Tokyo', [['2026-03-02', 2], ['2026-03-01', 1]]],
  ['No/Such', undefined],
] as const)('puts rows under the days of %s', (zone, want) => {
  const days = daysOf([row('2026-03-02T01:00:00Z'), row('2026-03-01T23:30:00Z'), row('2026-03-01T10:00:00Z')], zone);
  expect(days.flatMap((d) => d.rows)).toHaveLength(3);
  if (want !== undefined) expect(days.map((d) => [d.day, d.rows.length])).toEqual(want);
});
