import { describe, expect, it } from 'vitest';
import { formats } from '../../lib/format';
import { totalsOf, type Overview } from './api';
import { changeOf, figures, metrics, parseChange, parseMetric, stepOf, steps, valueOf, write, presentOf } from './figures';

const en = formats('en');

const sample: Overview = {
  totals: {
    total_sessions: { total: 4, change: '-50%', trend: 'd' },
    total_users: { total: 2, change: 'NA', trend: 'u' },
    new_users: { total: 1, change: '100%', trend: 'd' },
    total_time: { total: '1.5 min', change: '12.4%', trend: 'u' },
    avg_time: { total: '0.4 min', change: '0%', trend: 'u' },
  },
  rows: [
    { _id: '2031-5-13', t: 1, n: 1, u: 1, d: 30 },
    { _id: '2031-5-14', t: 3, n: 0, u: 2, d: 60 },
  ],
};

describe('figures', () => {
  it('takes totals from the server and time from the steps', () => {
    const got = figures(sample, undefined, metrics, en).map(({ metric, value, change }) => [
      metric,
      write(metric, value, en),
      change?.text,
      change?.trend,
    ]);
    expect(got).toEqual([
      ['sessions', '4', '−50%', 'down'],
      ['users', '2', undefined, undefined],
      ['newUsers', '1', '−100%', 'down'],
      ['returning', '1', undefined, undefined],
      ['time', '1\u00a0min 30\u00a0s', '+12.4%', 'up'],
      ['averageTime', '23\u00a0s', '0%', 'same'],
    ]);
  });

  it('divides by no sessions without harm', () => {
    const empty = { ...sample, rows: [{ _id: '2031-5-13', t: 0, n: 0, u: 0, d: 0 }] };
    expect(figures(empty, undefined, metrics, en)[5]?.value).toBe(0);
    expect(valueOf('averageTime', empty.rows[0] ?? { _id: '', t: 1, n: 1, u: 1, d: 1 })).toBe(0);
  });
});

it('compares with the period that was chosen', () => {
  const half = { ...sample, totals: { ...sample.totals, total_sessions: { ...sample.totals.total_sessions, total: 2 } }, rows: sample.rows.slice(0, 1) };
  const got = figures(sample, half, metrics, en).map(({ metric, before, change }) => [metric, before, change?.text]);
  expect(got).toEqual([
    ['sessions', 2, '+100%'],
    ['users', 2, '0%'],
    ['newUsers', 1, '0%'],
    ['returning', 1, '0%'],
    ['time', 30, '+200%'],
    ['averageTime', 30, '−25%'],
  ]);
  expect(changeOf(5, 0, en)).toBeUndefined();
});

describe('stepOf', () => {
  it.each([
    ['2031-5-1', 'Asia/Tokyo', '2031-5-15'],
    ['2031-5', 'Asia/Tokyo', '2031-5'],
    ['2031-5-1 0:00', 'Asia/Tokyo', '2031-5-15 0:00'],
    ['2031-5-1 0:00', 'UTC', '2031-5-14 15:00'],
  ])('like %s in %s', (like, zone, want) => {
    expect(stepOf(Date.UTC(2031, 4, 14, 15, 20), zone, like)).toBe(want);
  });
});

describe('parseChange', () => {
  it('knows a change from none', () => {
    expect(parseChange('NA', 'u', en)).toBeUndefined();
    expect(parseChange('-76.9%', 'd', en)).toEqual({ text: '−76.9%', trend: 'down' });
  });
});

describe('totalsOf', () => {
  it('finds the period and says when it is missing', () => {
    expect(totalsOf({ '7days': { dashboard: sample.totals } }, '7days')).toBe(sample.totals);
    expect(() => totalsOf({}, '7days')).toThrow('7days');
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
