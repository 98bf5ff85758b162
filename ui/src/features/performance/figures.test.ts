import { expect, test } from 'vitest';
import { formats } from '../../lib/format';
import type { Measure } from './api';
import { headline, points, rate, rowsOf, shares, writeIn } from './figures';

const format = formats('en');
const spread = { n: 4, u: 2, avg: 1, p50: 900, p75: 2500, p90: 1, p95: 1, p99: 1, good: 1, poor: 1, poor_u: 1 };
const lcp: Measure = { ...spread, id: 'lcp', group: 'vitals', unit: 'ms', event: '[CLY]_apm_device', metric: 'largest_contentful_paint', limits: [2500, 4000] };

test('limits belong to the better side', () => {
  expect([2500, 2500.1, 4000, 4000.1].map((n) => rate(n, lcp.limits))).toEqual(['good', 'fair', 'fair', 'poor']);
  expect(rate(null, lcp.limits)).toBeUndefined();
  expect(rate(1, undefined)).toBeUndefined();
});

test('shares add up to one, and nothing has none', () => {
  expect(shares(spread)).toEqual({ good: 0.25, fair: 0.5, poor: 0.25 });
  expect(shares({ n: 0, good: 0, poor: 0 })).toEqual({ good: 0, fair: 0, poor: 0 });
});

test('numbers are written in their units', () => {
  expect([writeIn('ms', 12.4, format), writeIn('ms', 2500, format), writeIn('ms', 120_000, format), writeIn('', 0.12345, format), writeIn('bytes', 2048, format), writeIn('ms', null, format)]).toEqual([
    '12\u00a0ms', '2.50\u00a0s', '2\u00a0min', '0.123', '2\u00a0KiB', '–',
  ]);
  expect(headline(lcp, format)).toBe('2.50\u00a0s');
  expect(headline({ ...lcp, group: 'app' }, format)).toBe('900\u00a0ms');
  expect(headline({ ...lcp, unit: 'code' }, format)).toBe('25%');
  expect(headline({ ...lcp, n: 0 }, format)).toBe('–');
});

test('every step of a span has a point', () => {
  const bucket = { ...spread, _id: '2031-5-14' };
  expect(points([bucket], { from: '2031-05-13', to: '2031-05-14' }, 'day').map((p) => [p._id, p.spread?.n])).toEqual([['2031-5-13', undefined], ['2031-5-14', 4]]);
  expect(points([{ ...spread, _id: '2031-5-14 9:00' }], { from: '2031-05-14', to: '2031-05-14' }, 'hour').filter((p) => p.spread !== undefined).map((p) => p._id)).toEqual(['2031-5-14 9:00']);
});

test('the people behind a figure are those of the rows that it counts', () => {
  expect(rowsOf(lcp, true)).toEqual({ 'sg.largest_contentful_paint': { $gt: 4000 } });
  const start: Measure = { ...spread, id: 'app_start', group: 'app', unit: 'ms', event: '[CLY]_apm_device', metric: 'duration', name: 'app_start' };
  expect(rowsOf(start, false)).toEqual({ n: 'app_start', 'sg.duration': { $gte: 0 } });
  expect(rowsOf({ ...lcp, others: ['a'] }, false)).toEqual({ n: { $nin: ['a'] }, 'sg.largest_contentful_paint': { $gte: 0 } });
});
