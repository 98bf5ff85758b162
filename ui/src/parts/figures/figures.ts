import type { Form } from '../../components/table/columns';
import type { Format } from '../../lib/format';
import { changeIn, type Change, type Compared } from '../../lib/change';
import { addDays, dayOfWeek, today, weekOf, type Span } from '../../lib/period';
import type { Row, Sums } from './api';

/** The figures of the overview, in the order of the page. */
export const metrics = ['sessions', 'users', 'newUsers', 'returning', 'time', 'averageTime'] as const;
export type Metric = (typeof metrics)[number];

/** Reads the chosen figure of a page from the URL; the first of the page is the usual one. */
export function parseMetric(text: unknown, of: readonly [Metric, ...Metric[]] = ['sessions', ...metrics]): Metric {
  return of.find((m) => m === text) ?? of[0];
}

interface Definition {
  /** The figure of a step or of a whole period. */
  of: (sums: Sums) => number;
  seconds: boolean;
}

const definitions: Record<Metric, Definition> = {
  sessions: { of: (r) => r.t, seconds: false },
  users: { of: (r) => r.u, seconds: false },
  newUsers: { of: (r) => r.n, seconds: false },
  returning: { of: (r) => Math.max(0, r.u - r.n), seconds: false },
  time: { of: (r) => r.d, seconds: true },
  averageTime: { of: (r) => (r.t === 0 ? 0 : r.d / r.t), seconds: true },
};

export interface Figure {
  metric: Metric;
  value: number;
  /** What the figure was in the part compared with. */
  before: number;
  /** Undefined when there is nothing to compare with. */
  change: Change | undefined;
}

/** The figures of a period, each with its change between the parts that can be compared. */
export function figures(sums: Compared<Sums>, of: readonly Metric[], format: Format): Figure[] {
  return of.map((metric) => {
    const value = (part: Sums) => valueOf(metric, part);
    return { metric, value: value(sums.total), before: value(sums.before), change: changeIn(sums, value, format) };
  });
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

/** What a figure is in a file. */
export function formOf(metric: Metric): { form?: Form } {
  return isContinuous(metric) ? { form: 'seconds' } : {};
}

/** A step with its names. */
export interface Step<R extends { _id: string } = Row> {
  row: R;
  label: string;
  tick: string;
  days?: Span;
}

/**
 * Names the steps of a period, whose ids are 2031-5, 2031-w20, 2031-5-14 or 2031-5-14 9:00 in the app's time zone. Weeks are cut to
 * the span; with one, steps have their days. Ticks have the year where the axis has more than one, and the day where hours are of several.
 */
export function steps<R extends { _id: string }>(rows: readonly R[], locale: string, span?: Span): Step<R>[] {
  const write = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (time: number) => format.format(time);
  };
  const yearOf = (id: string | undefined) => id?.split('-')[0];
  const years = yearOf(rows[0]?._id) === yearOf(rows.at(-1)?._id) ? {} : ({ year: 'numeric' } as const);
  const dayOf = (id: string | undefined) => id?.split(' ')[0];
  const severalDays = dayOf(rows[0]?._id) !== dayOf(rows.at(-1)?._id);
  const forms = {
    hour: [
      write({ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
      write(severalDays ? { day: 'numeric', month: 'short', hour: 'numeric' } : { hour: 'numeric' }),
    ],
    day: [write({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }), write({ day: 'numeric', month: 'short', ...years })],
    month: [write({ month: 'long', year: 'numeric' }), write({ month: 'short', ...years })],
  } as const;
  const range = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);
  const within = (days: Span) => (span === undefined ? {} : { days: { from: span.from > days.from ? span.from : days.from, to: span.to < days.to ? span.to : days.to } });
  return rows.map((row) => {
    const monday = dayOfWeek(row._id);
    if (monday !== undefined) {
      const sunday = addDays(monday, 6);
      const from = span !== undefined && span.from > monday ? span.from : monday;
      const to = span !== undefined && span.to < sunday ? span.to : sunday;
      return { row, label: range.formatRange(noon(from), noon(to)), tick: forms.day[1](noon(from)), ...within({ from, to }) };
    }
    const [year = NaN, month = NaN, day, hour] = row._id.split(/[-: ]/).map(Number);
    const time = Date.UTC(year, month - 1, day ?? 1, hour ?? 0);
    if (Number.isNaN(time)) return { row, label: row._id, tick: row._id };
    const [label, tick] = forms[hour !== undefined ? 'hour' : day !== undefined ? 'day' : 'month'];
    return { row, label: label(time), tick: tick(time), ...within(daysOf(year, month, day)) };
  });
}

/** The days of a month, or the one day. */
function daysOf(year: number, month: number, day: number | undefined): Span {
  const write = (date: number) => new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10);
  return { from: write(day ?? 1), to: day === undefined ? new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) : write(day) };
}

/** The value of a figure in a step or in a whole period. */
export function valueOf(metric: Metric, sums: Sums): number {
  return definitions[metric].of(sums);
}

/** The id of the step that a moment is in, in the form of the ids of other steps. */
export function stepOf(ms: number, zone: string, like: string): string {
  const date = today(zone, new Date(ms));
  if (dayOfWeek(like) !== undefined) return weekOf(date);
  const [year, month, day] = date.split('-').map(Number);
  const [, , wantsDay, wantsHour] = like.split(/[-: ]/);
  let id = `${year ?? 0}-${month ?? 0}`;
  if (wantsDay !== undefined) id += `-${day ?? 0}`;
  if (wantsHour === undefined) return id;
  const hour = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(ms);
  return `${id} ${Number(hour)}:00`;
}

/** The index of the step that is still going on; undefined when all are over. */
export function presentOf(rows: readonly { _id: string }[], zone: string, now = new Date()): number | undefined {
  const present = stepOf(now.getTime(), zone, rows[0]?._id ?? '');
  const index = rows.findIndex((r) => r._id === present);
  return index < 0 ? undefined : index;
}
