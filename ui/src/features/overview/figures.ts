import type { Format } from '../../lib/format';
import type { Overview, Row, Totals } from './api';

/** The figures of the overview, in the order of the page. */
export const metrics = ['sessions', 'users', 'newUsers', 'time', 'averageTime'] as const;
export type Metric = (typeof metrics)[number];

/** Reads the chosen figure from the URL. */
export function parseMetric(text: unknown): Metric {
  return metrics.find((m) => m === text) ?? 'sessions';
}

interface Definition {
  block: keyof Totals;
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
  /** Undefined when there is nothing to compare with. */
  change: Change | undefined;
}

/** The figures of a period. */
export function figures({ totals, rows }: Overview, format: Format): Figure[] {
  return metrics.map((metric) => {
    const { block, sum } = definitions[metric];
    const { total, change, trend } = totals[block];
    return { metric, value: sum === undefined ? Number(total) : sum(rows), change: parseChange(change, trend, format) };
  });
}

/** Reads "12.4%" or "-1%"; "NA" is no change to speak of. A fall to nothing comes as "100%" with the trend "d". */
export function parseChange(text: string, trend: 'u' | 'd', format: Format): Change | undefined {
  const percent = Number.parseFloat(text);
  if (Number.isNaN(percent)) return undefined;
  const size = Math.abs(percent) / 100;
  if (size === 0) return { text: format.percent(0), trend: 'same' };
  return trend === 'd'
    ? { text: `−${format.percent(size)}`, trend: 'down' }
    : { text: `+${format.percent(size)}`, trend: 'up' };
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
export interface Step {
  row: Row;
  label: string;
  tick: string;
}

/** Names the steps of a period, whose ids are 2031-5, 2031-5-14 or 2031-5-14 9:00 in the app's time zone. */
export function steps(rows: readonly Row[], lang: string): Step[] {
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
