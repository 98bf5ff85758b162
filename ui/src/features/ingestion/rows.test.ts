import { expect, it } from 'vitest';
import { daysOf, received, rowsOf } from './rows';

const totals = { event: { bad_key: 1, accepted: 6, limit: 3 }, request: { accepted: 5 } };

it('puts what was taken first, then the most frequent reasons', () => {
  expect(rowsOf(totals)).toEqual([
    { item: 'event', outcome: 'accepted', count: 6, share: 0.6 },
    { item: 'event', outcome: 'limit', count: 3, share: 0.3 },
    { item: 'event', outcome: 'bad_key', count: 1, share: 0.1 },
    { item: 'request', outcome: 'accepted', count: 5, share: 1 },
  ]);
  expect(received(totals, 'crash')).toBe(0);
});

it('counts what had a number beyond its bound behind what was taken', () => {
  expect(rowsOf(totals, { event: 3 }).slice(0, 2)).toEqual([
    { item: 'event', outcome: 'accepted', count: 6, share: 0.6 },
    { item: 'event', outcome: 'clamped', count: 3, share: 0.3 },
  ]);
  expect(rowsOf(totals, { event: 3 })).toHaveLength(5);
  expect(received(totals, 'event')).toBe(10);
});

it('has every day of the span', () => {
  expect(daysOf({ days: { '2031-5-2': totals } }, { from: '2031-04-30', to: '2031-05-02' }, 'event')).toEqual([
    { _id: '2031-4-30', accepted: 0, dropped: 0 },
    { _id: '2031-5-1', accepted: 0, dropped: 0 },
    { _id: '2031-5-2', accepted: 6, dropped: 4 },
  ]);
});
