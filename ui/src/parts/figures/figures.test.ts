import { describe, expect, it } from 'vitest';
import { formats } from '../../lib/format';
import type { Compared } from '../../lib/change';
import type { Sums } from './api';
import { figures, metrics, parseMetric, stepOf, steps, valueOf, write, presentOf } from './figures';

const en = formats('en');

const sums: Compared<Sums> = {
  first: '2031-05-12',
  last: '2031-05-12',
  until: 11,
  total: { t: 4, u: 2, n: 1, d: 90 },
  now: { t: 2, u: 2, n: 0, d: 60 },
  before: { t: 4, u: 2, n: 0, d: 80 },
};

describe('figures', () => {
  it('shows all and compares the parts', () => {
    const got = figures(sums, metrics, en).map(({ metric, value, before, change }) => [metric, write(metric, value, en), before, change?.text, change?.trend]);
    expect(got).toEqual([
      ['sessions', '4', 4, '−50%', 'down'],
      ['users', '2', 2, '0%', 'same'],
      ['newUsers', '1', 0, '', 'new'], // since the last full hour
      ['returning', '1', 2, '0%', 'same'],
      ['time', '1\u00a0min 30\u00a0s', 80, '−25%', 'down'],
      ['averageTime', '23\u00a0s', 20, '+50%', 'up'],
    ]);
  });

  it('divides by no sessions without harm', () => {
    expect(valueOf('averageTime', { t: 0, u: 0, n: 0, d: 5 })).toBe(0);
  });
});

describe('stepOf', () => {
  it.each([
    ['2031-5-1', 'Asia/Tokyo', '2031-5-15'],
    ['2031-5', 'Asia/Tokyo', '2031-5'],
    ['2031-5-1 0:00', 'Asia/Tokyo', '2031-5-15 0:00'],
    ['2031-5-1 0:00', 'UTC', '2031-5-14 15:00'],
    ['2031-w1', 'UTC', '2031-w20'],
  ])('like %s in %s', (like, zone, want) => {
    expect(stepOf(Date.UTC(2031, 4, 14, 15, 20), zone, like)).toBe(want);
  });
});

describe('steps', () => {
  const row = (_id: string) => ({ _id, t: 0, n: 0, u: 0, d: 0 });
  it.each([
    ['2031-5', 'May 2031', 'May'],
    ['2031-5-4', 'Sun, May 4, 2031', 'May 4'],
    ['2031-5-4 9:00', 'Sun, May 4, 9:00 AM', '9 AM'],
    ['2031-5-4 0:00', 'Sun, May 4, 12:00 AM', '12 AM'],
    ['odd', 'odd', 'odd'],
  ])('names %s', (id, label, tick) => {
    const plain = (s: string) => s.replaceAll('\u202f', ' ');
    const got = steps([row(id)], 'en')[0];
    expect([plain(got?.label ?? ''), plain(got?.tick ?? '')]).toEqual([label, tick]);
  });
});

it('cuts weeks to the span and says years where there are two', () => {
  const rows = ['2031-w52', '2032-w1'].map((_id) => ({ _id }));
  const got = steps(rows, 'en', { from: '2031-12-24', to: '2032-01-02' }).map((s) => [s.label.replaceAll(/[\u2009\u202f]/g, ' '), s.tick]);
  expect(got).toEqual([
    ['Dec 24 – 28, 2031', 'Dec 24, 2031'],
    ['Dec 29, 2031 – Jan 2, 2032', 'Dec 29, 2031'],
  ]);
  expect(steps([{ _id: '2031-12' }, { _id: '2032-1' }], 'en').map((s) => s.tick)).toEqual(['Dec 2031', 'Jan 2032']);
  expect(steps([{ _id: '2031-5-4 9:00' }, { _id: '2031-5-5 9:00' }], 'en').map((s) => s.tick.replaceAll('\u202f', ' '))).toEqual(['May 4, 9 AM', 'May 5, 9 AM']);
});

describe('presentOf', () => {
  const noon = new Date(Date.UTC(2031, 4, 14, 12));
  it.each([
    ['an hour of a zone ahead', 'Asia/Tokyo', ['2031-5-14 20:00', '2031-5-14 21:00', '2031-5-14 22:00'], 1],
    ['the last day', 'UTC', ['2031-5-13', '2031-5-14'], 1],
    ['a month', 'UTC', ['2031-5', '2031-6'], 0],
    ['nothing that is over', 'UTC', ['2031-5-12', '2031-5-13'], undefined],
    ['nothing of nothing', 'UTC', [], undefined],
  ])('finds %s', (_, zone, ids, want) => {
    expect(presentOf(ids.map((_id) => ({ _id })), zone, noon)).toBe(want);
  });
});

describe('parseMetric', () => {
  it.each(metrics)('reads %s', (metric) => {
    expect(parseMetric(metric)).toBe(metric);
  });
  it('falls back to sessions', () => {
    expect(parseMetric('__proto__')).toBe('sessions');
    expect(parseMetric('time', ['users', 'newUsers'])).toBe('users');
  });
});
