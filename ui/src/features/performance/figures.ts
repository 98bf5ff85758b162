import type { Format } from '../../lib/format';
import type { Granularity } from '../../lib/granularity';
import { addDays, type Span } from '../../lib/period';
import { stepsOf } from '../../parts/views/figures';
import type { Bucket, Measure, Spread } from './api';

/** The groups of measures, in the order of the page. */
export const groupNames = ['vitals', 'app', 'screens', 'network', 'traces', 'page'] as const;

/** What tables are by. */
export const dimensions = ['name', 'app_version', 'country', 'device', 'platform', 'device_type', 'browser'] as const;
export type Dimension = (typeof dimensions)[number] | 'code';

/** What a measure can be broken down by: codes stand for themselves. */
export const dimensionsOf = (m: Pick<Measure, 'unit'>): readonly Dimension[] => (m.unit === 'code' ? ['code', ...dimensions] : dimensions);

/** How a measure does: what its percentile is by the limits of the measure. */
export type Rating = 'good' | 'fair' | 'poor';

/** Rates a number by limits, each of which belongs to the better side. */
export function rate(value: number | null, limits: readonly number[] | undefined): Rating | undefined {
  const [good, poor] = limits ?? [];
  if (value === null || good === undefined || poor === undefined) return undefined;
  return value <= good ? 'good' : value <= poor ? 'fair' : 'poor';
}

/** The shares of good, fair and poor numbers, of 1. */
export function shares({ n, good, poor }: Pick<Spread, 'n' | 'good' | 'poor'>): Record<Rating, number> {
  if (n === 0) return { good: 0, fair: 0, poor: 0 };
  return { good: good / n, fair: Math.max(0, n - good - poor) / n, poor: poor / n };
}

/** Whether numbers are rated at all. */
export const isRated = (m: Pick<Measure, 'limits' | 'unit'>) => m.limits !== undefined || m.unit === 'code';

/** The figure that stands for a measure: that which web vitals are judged by, the share of failures, the median of all else. */
export function headline(m: Measure, format: Format): string {
  if (m.n === 0) return '–';
  if (m.unit === 'code' || m.unit === 'frames') return format.percent(m.poor / m.n);
  return writeIn(m.unit, m.group === 'vitals' ? m.p75 : m.p50, format);
}

/** Writes a number in the unit of a measure; a dash for none. */
export function writeIn(unit: string, value: number | null, format: Format): string {
  if (value === null) return '–';
  switch (unit) {
    case 'ms':
      if (value < 1000) return `${format.count(Math.round(value))}\u00a0ms`;
      return value < 60_000 ? `${format.amount(value / 1000)}\u00a0s` : format.duration(value / 1000);
    case 'bytes':
      return format.bytes(value);
    case '':
      return Number(value.toPrecision(3)).toString();
    default:
      return format.count(value);
  }
}

/** A step of the period, with its numbers if there are any. */
export interface Point {
  _id: string;
  spread: Bucket | undefined;
}

/** Every step of a span, those without numbers too. */
export function points(buckets: readonly Bucket[], span: Span, step: Granularity): Point[] {
  const found = new Map(buckets.map((b) => [b._id, b]));
  const ids = step === 'hour' ? hours(span) : stepsOf(span, step);
  return ids.map((_id) => ({ _id, spread: found.get(_id) }));
}

function hours({ from, to }: Span): string[] {
  const ids: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const [year, month, date] = day.split('-').map(Number);
    for (let hour = 0; hour < 24; hour++) ids.push(`${String(year)}-${String(month)}-${String(date)} ${String(hour)}:00`);
  }
  return ids;
}

/** The filter, in the language of the API, of the rows whose numbers are poor, or of all rows with numbers. */
export function rowsOf(m: Measure, poor: boolean): Record<string, unknown> {
  const path = `sg.${m.metric}`;
  const names = { ...(m.name === undefined ? {} : { n: m.name }), ...(m.others === undefined ? {} : { n: { $nin: m.others } }) };
  if (m.unit === 'code') {
    return poor ? { ...names, $and: [{ [path]: { $exists: true } }, { $or: [{ [path]: { $lt: 100 } }, { [path]: { $gte: 400 } }] }] } : { ...names, [path]: { $exists: true } };
  }
  return { ...names, [path]: poor && m.limits !== undefined ? { $gt: m.limits[1] ?? 0 } : { $gte: 0 } };
}

/** What sends web vitals with the SDK for the web and npm's web-vitals. */
export const vitalsSnippet = `import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';

const names = {
  LCP: 'largest_contentful_paint',
  INP: 'interaction_to_next_paint',
  CLS: 'cumulative_layout_shift',
  FCP: 'first_contentful_paint',
  TTFB: 'time_to_first_byte',
};
const page = location.host + location.pathname;
const began = Math.round(performance.timeOrigin);
let metrics = {};

const keep = ({ name, value }) => { metrics[names[name]] = value; };
[onCLS, onFCP, onINP, onLCP, onTTFB].forEach((on) => on(keep));

addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'hidden' || Object.keys(metrics).length === 0) return;
  const trace = { type: 'device', name: page, stz: began, etz: Date.now(), apm_metrics: metrics };
  if (Countly.report_trace) Countly.report_trace(trace);
  else Countly.q.push(['report_trace', trace]);
  metrics = {};
});`;
