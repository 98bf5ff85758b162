import type { Format } from '../../lib/format';
import { today } from '../../lib/period';
import type { Overview, Row, Totals } from './api';

/** The figures of the overview, in the order of the page. */
export const metrics = ['sessions', 'users', 'newUsers', 'returning', 'time', 'averageTime'] as const;
export type Metric = (typeof metrics)[number];

/** Reads the chosen figure of a page from the URL; the first of the page is the usual one. */
export function parseMetric(text: unknown, of: readonly [Metric, ...Metric[]] = ['sessions', ...metrics]): Metric {
  return of.find((m) => m === text) ?? of[0];
}

interface Definition {
  /** Where the server's answer has the total and its change; computed ones have none. */
  block?: keyof Totals;
  /** The figure of one step. */
  of: (row: Row) => number;
  /** The figure of the whole period, where the server's total is text in its own unit. */
  sum?: (rows: readonly Row[]) => number;
  seconds: boolean;
}

const total = (rows: readonly Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);
const ratio = (seconds: number, sessions: number) => (sessions === 0 ? 0 : seconds / sessions);

const definitions: Record<Metric, Definition> = {
  sessions: { block: 'total_sessions', of: (r) => r.t, seconds: false },
  users: { block: 'total_users', of: (r) => r.u, seconds: false },
  newUsers: { block: 'new_users', of: (r) => r.n, seconds: false },
  returning: { of: (r) => Math.max(0, r.u - r.n), seconds: false },
  time: { block: 'total_time', of: (r) => r.d, sum: (rows) => total(rows, (r) => r.d), seconds: true },
  averageTime: {
    block: 'avg_time',
    of: (r) => ratio(r.d, r.t),
    sum: (rows) => ratio(total(rows, (r) => r.d), total(rows, (r) => r.t)),
    seconds: true,
  },
};

export interface Change {
  text: string;
  trend: 'up' | 'down' | 'same';
}

export interface Figure {
  metric: Metric;
  value: number;
  /** The value of the period compared with. */
  before: number | undefined;
  /** Undefined when there is nothing to compare with. */
  change: Change | undefined;
}

/** The value of a figure over a whole period. */
function valueOver(metric: Metric, { totals, rows }: Overview): number {
  if (metric === 'returning') return Math.max(0, Number(totals.total_users.total) - Number(totals.new_users.total));
  const { block, sum } = definitions[metric];
  if (sum !== undefined || block === undefined) return (sum ?? ((all) => total(all, definitions[metric].of)))(rows);
  return Number(totals[block].total);
}

/** The figures of a period; the change is against the period given, or against the one that the server compares with. */
export function figures(now: Overview, before: Overview | undefined, of: readonly Metric[], format: Format): Figure[] {
  return of.map((metric) => {
    const value = valueOver(metric, now);
    if (before !== undefined) {
      const was = valueOver(metric, before);
      return { metric, value, before: was, change: changeOf(value, was, format) };
    }
    const { block } = definitions[metric];
    if (block === undefined) return { metric, value, before: undefined, change: undefined };
    const { change, trend } = now.totals[block];
    return { metric, value, before: undefined, change: parseChange(change, trend, format) };
  });
}

/** How far a value is from what it was; undefined when it was nothing. */
export function changeOf(now: number, was: number, format: Format): Change | undefined {
  if (was === 0) return undefined;
  const share = (now - was) / was;
  return { text: format.change(share), trend: share > 0 ? 'up' : share < 0 ? 'down' : 'same' };
}

/** Reads "12.4%" or "-1%"; "NA" is no change to speak of. A fall to nothing comes as "100%" with the trend "d". */
export function parseChange(text: string, trend: 'u' | 'd', format: Format): Change | undefined {
  const percent = Number.parseFloat(text);
  if (Number.isNaN(percent)) return undefined;
  const size = Math.abs(percent) / 100;
  if (size === 0) return { text: format.change(0), trend: 'same' };
  return trend === 'd' ? { text: format.change(-size), trend: 'down' } : { text: format.change(size), trend: 'up' };
}

/** Writes a value of a figure. */
export function write(metric: Metric, value: number, format: Format): string {
  return definitions[metric].seconds ? format.duration(value) : format.count(value);
}

/** Writes a value where room is scarce. */
export function writeShort(metric: Metric, value: number, format: Format): string {
  return definitions[metric].seconds ? format.duration(value) : format.short(value);
}

/** Whether a figure has values between whole numbers. */
export function isContinuous(metric: Metric): boolean {
  return definitions[metric].seconds;
}

/** A step with its names. */
export interface Step<R extends { _id: string } = Row> {
  row: R;
  label: string;
  tick: string;
}

/** Names the steps of a period, whose ids are 2031-5, 2031-5-14 or 2031-5-14 9:00 in the app's time zone. */
export function steps<R extends { _id: string }>(rows: readonly R[], lang: string): Step<R>[] {
  const write = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(lang, { ...options, timeZone: 'UTC' });
    return (time: number) => format.format(time);
  };
  const forms = {
    hour: [write({ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }), write({ hour: 'numeric' })],
    day: [write({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }), write({ day: 'numeric', month: 'short' })],
    month: [write({ month: 'long', year: 'numeric' }), write({ month: 'short' })],
  } as const;
  return rows.map((row) => {
    const [year = NaN, month = NaN, day, hour] = row._id.split(/[-: ]/).map(Number);
    const time = Date.UTC(year, month - 1, day ?? 1, hour ?? 0);
    if (Number.isNaN(time)) return { row, label: row._id, tick: row._id };
    const [label, tick] = forms[hour !== undefined ? 'hour' : day !== undefined ? 'day' : 'month'];
    return { row, label: label(time), tick: tick(time) };
  });
}

/** The value of a figure in a step. */
export function valueOf(metric: Metric, row: Row): number {
  return definitions[metric].of(row);
}

/** The id of the step that a moment is in, in the form of the ids of other steps. */
export function stepOf(ms: number, zone: string, like: string): string {
  const [year, month, day] = today(zone, new Date(ms)).split('-').map(Number);
  const [, , wantsDay, wantsHour] = like.split(/[-: ]/);
  let id = `${year ?? 0}-${month ?? 0}`;
  if (wantsDay !== undefined) id += `-${day ?? 0}`;
  if (wantsHour === undefined) return id;
  const hour = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(ms);
  return `${id} ${Number(hour)}:00`;
}

/** The index of the step that is still going on; undefined when all are over. */
export function presentOf(rows: readonly { _id: string }[], zone: string, now: Date): number | undefined {
  const present = stepOf(now.getTime(), zone, rows[0]?._id ?? '');
  const index = rows.findIndex((r) => r._id === present);
  return index < 0 ? undefined : index;
}
