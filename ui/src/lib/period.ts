import { remembered } from './remembered';

/** The ready-made periods, in the words of the wire. */
export const presets = [
  'today',
  'yesterday',
  '7days',
  '30days',
  '90days',
  'day',
  'prevMonth',
  'month',
  '365days',
] as const;

export type Preset = (typeof presets)[number];

/** A period as the URL holds it: a preset, or "2026-01-01..2026-01-31" with both days included. */
export type Period = { kind: 'preset'; preset: Preset } | { kind: 'custom'; from: string; to: string };

const defaultPreset: Preset = '30days';

export const defaultPeriod: Period = { kind: 'preset', preset: defaultPreset };

const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day of the calendar in the form 2026-01-31. */
export function isDay(text: string): boolean {
  if (!dayForm.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Reads a period from the URL; anything unknown is the default. */
export function parsePeriod(text: unknown): Period {
  if (typeof text !== 'string') return defaultPeriod;
  const preset = presets.find((p) => p === text);
  if (preset !== undefined) return { kind: 'preset', preset };
  const [from, to, ...rest] = text.split('..');
  if (from !== undefined && to !== undefined && rest.length === 0 && isDay(from) && isDay(to)) {
    return from <= to ? { kind: 'custom', from, to } : { kind: 'custom', from: to, to: from };
  }
  return defaultPeriod;
}

/** Writes a period for the URL. */
export function formatPeriod(p: Period): string {
  return p.kind === 'preset' ? p.preset : `${p.from}..${p.to}`;
}

/** The period as the API takes it; days are those of the app's time zone. */
export function wirePeriod(p: Period, zone: string): string {
  if (p.kind === 'preset') return p.preset;
  return JSON.stringify([noon(p.from, zone), noon(p.to, zone)]);
}

/** Noon of a day in a time zone, in ms: surely inside that day whatever the clocks do. */
export function noon(day: string, zone: string): number {
  const asUTC = Date.parse(`${day}T12:00:00Z`);
  return asUTC - offset(asUTC, zone);
}

/** Writes moments as the clocks of a zone; null for a zone that this browser does not know. */
const clockIn = remembered((zone) => {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
});

/** How far a zone's clocks are ahead of UTC at a moment, in ms; 0 for an unknown zone. */
function offset(time: number, zone: string): number {
  const format = clockIn(zone);
  if (format === null) return 0;
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(time)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - time;
}

/** Today in a time zone, as 2026-01-31. */
export function today(zone: string, now = new Date()): string {
  return new Date(now.getTime() + offset(now.getTime(), zone)).toISOString().slice(0, 10);
}

/** A day so many days later, as 2026-01-31. */
export function addDays(day: string, n: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10);
}

/** The first and the last day of a period. */
export interface Span {
  from: string;
  to: string;
}

/** How many days a span has. */
export function daysIn({ from, to }: Span): number {
  return Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / 86_400_000) + 1;
}

/** The days of a period in a zone, as the server reckons them. */
export function spanOf(p: Period, zone: string, now = new Date()): Span {
  if (p.kind === 'custom') return { from: p.from, to: p.to };
  const to = today(zone, now);
  switch (p.preset) {
    case 'today':
      return { from: to, to };
    case 'yesterday':
      return { from: addDays(to, -1), to: addDays(to, -1) };
    case 'day':
      return { from: `${to.slice(0, 7)}-01`, to };
    case 'month':
      return { from: `${to.slice(0, 4)}-01-01`, to };
    case 'prevMonth': {
      const last = addDays(`${to.slice(0, 7)}-01`, -1);
      return { from: `${last.slice(0, 7)}-01`, to: last };
    }
    default:
      return { from: addDays(to, 1 - Number.parseInt(p.preset, 10)), to };
  }
}

export const comparisons = ['none', 'previous', 'year'] as const;
export type Comparison = (typeof comparisons)[number];
export const matches = ['date', 'weekday'] as const;
/** What lies side by side: the same dates, or the same days of the week. */
export type Match = (typeof matches)[number];

/** The same date a year before; the 29th of February becomes the 28th. */
function yearBefore(day: string): string {
  const year = Number(day.slice(0, 4)) - 1;
  const same = `${String(year)}${day.slice(4)}`;
  return isDay(same) ? same : `${String(year)}-02-28`;
}

/**
 * The days that a period is compared with; undefined for no comparison. The same dates of this month and this year are those of the
 * one before, of last month the month before it; other periods have as many days directly before them.
 */
export function compared(p: Period, span: Span, comparison: Comparison, match: Match): Span | undefined {
  if (comparison === 'none') return undefined;
  const days = daysIn(span);
  const preset = p.kind === 'preset' ? p.preset : undefined;
  if (comparison === 'previous' && match === 'date') {
    if (preset === 'month') return { from: yearBefore(span.from), to: yearBefore(span.to) };
    if (preset === 'day' || preset === 'prevMonth') return monthBefore(span, preset === 'day');
  }
  let from: string;
  if (comparison === 'year') from = match === 'weekday' ? addDays(span.from, -364) : yearBefore(span.from);
  else from = addDays(span.from, match === 'weekday' ? -7 * Math.ceil(days / 7) : -days);
  return { from, to: addDays(from, days - 1) };
}

/** The month before that of a span: until the same day, or whole. */
function monthBefore({ from, to }: Span, until: boolean): Span {
  const last = addDays(`${from.slice(0, 7)}-01`, -1);
  const same = `${last.slice(0, 8)}${to.slice(8)}`;
  return { from: `${last.slice(0, 7)}-01`, to: until && same < last ? same : last };
}

/** The period as long as this one directly before (-1) or after (+1) it; undefined beyond today. */
export function neighbour(p: Period, direction: -1 | 1, zone: string, now: Date): Period | undefined {
  const span = spanOf(p, zone, now);
  const days = daysIn(span) * direction;
  const from = addDays(span.from, days);
  if (from > today(zone, now)) return undefined;
  const to = addDays(span.to, days);
  // Going there and back ends where it began: at a period that goes on by itself.
  const same = [defaultPreset, ...presets].find((preset) => {
    const other = spanOf({ kind: 'preset', preset }, zone, now);
    return other.from === from && other.to === to;
  });
  return same === undefined ? { kind: 'custom', from, to } : { kind: 'preset', preset: same };
}

/** The ISO week that a day is in, as 2031-w20. */
export function weekOf(day: string): string {
  const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7;
  const year = addDays(day, 3 - weekday).slice(0, 4); // that of the week's Thursday
  const first = mondayOf(Number(year));
  return `${year}-w${String(Math.floor(daysIn({ from: first, to: day }) / 7 + (weekday === 6 ? 0 : 1)))}`;
}

/** The Monday with which the first ISO week of a year begins. */
function mondayOf(year: number): string {
  const fourth = `${String(year)}-01-04`; // always in the first week
  return addDays(fourth, -((new Date(`${fourth}T12:00:00Z`).getUTCDay() + 6) % 7));
}

/** The Monday of a week in the form of weekOf; undefined for another text. */
export function dayOfWeek(week: string): string | undefined {
  const [, year, number] = /^(\d{4})-w(\d{1,2})$/.exec(week) ?? [];
  return year === undefined || number === undefined ? undefined : addDays(mondayOf(Number(year)), 7 * (Number(number) - 1));
}

/** Whether the period goes on, so that its figures still change. */
export function isOpen(p: Period, zone: string, now: Date): boolean {
  return spanOf(p, zone, now).to >= today(zone, now);
}

/** What the clocks of a zone show at a moment, as 2026-01-31T09:30. */
export function wallClock(ms: number, zone: string): string {
  return new Date(ms + offset(ms, zone)).toISOString().slice(0, 16);
}

/** The moment at which the clocks of a zone show a text in the form of wallClock; undefined for another text. */
export function momentIn(clock: string, zone: string): number | undefined {
  const asUTC = Date.parse(`${clock}Z`);
  if (Number.isNaN(asUTC)) return undefined;
  const guess = asUTC - offset(asUTC, zone);
  return asUTC - offset(guess, zone); // the first guess may lie beyond a change of the clocks
}
