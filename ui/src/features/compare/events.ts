import type { Form } from '../../components/table/columns';
import type { Format } from '../../lib/format';
import { parseList } from '../../lib/view';
import type { EventRow, EventSums } from '../../parts/events/api';
import { sessionKey } from '../../parts/events/useEventNames';
import { viewKey } from '../../lib/segments';

/** How many events stand side by side. */
export const mostEvents = 20;

/** How many do until some are chosen. */
const usuallyCompared = 5;

/** Times, people, sum, average, duration, and the share of its own total that an event has in a step. */
export const eventMeasures = ['c', 'u', 's', 'average', 'dur', 'course'] as const;
export type EventMeasure = (typeof eventMeasures)[number];

/** Reads the chosen figure of the chart from the address. */
export function parseEventMeasure(text: string): EventMeasure {
  return eventMeasures.find((m) => m === text && m !== 'u') ?? 'c';
}

/** The events that an address chooses; what is repeated or too much is left out. */
export function chosenKeys(text: string): string[] {
  return [...new Set(parseList(text))].filter((key) => key !== '').slice(0, mostEvents);
}

/** The largest events of a period. */
export function largestFirst(sums: Pick<EventSums, 'total'> | undefined): string[] {
  return Object.values(sums?.total ?? {})
    .sort((a, b) => b.c - a.c || (a._id < b._id ? -1 : 1))
    .slice(0, usuallyCompared)
    .map((r) => r._id);
}

type Options = readonly { group: string; items: { value: string; label: string }[] }[];

/** What can be compared by counted figures: events and groups of events. */
export function comparable(options: Options): { group: string; items: { value: string; label: string }[] }[] {
  const counted = (key: string) => key !== sessionKey && key !== viewKey && !key.startsWith('[CLY]_defined_');
  return options.map(({ group, items }) => ({ group, items: items.filter(({ value }) => counted(value)) })).filter(({ items }) => items.length > 0);
}

/** An event beside others. */
export interface Compare {
  key: string;
  name: string;
  c: number;
  s: number;
  dur: number;
  /** Different people; undefined where it is not known, as of groups. */
  u: number | undefined;
  /** Counts of the parts of both periods that can be compared. */
  now: number;
  was: number;
}

/** What the steps of an event come to. */
export function amountOf(course: readonly EventRow[]): number {
  return course.reduce((sum, row) => sum + row.c, 0);
}

/** The row of an event. */
export function rowOf(key: string, name: string, course: readonly EventRow[], sums: EventSums | undefined): Compare {
  const add = (of: (row: EventRow) => number) => course.reduce((sum, row) => sum + of(row), 0);
  return { key, name, c: add((r) => r.c), s: add((r) => r.s), dur: add((r) => r.dur), u: sums?.total[key]?.u, now: sums?.now[key]?.c ?? 0, was: sums?.before[key]?.c ?? 0 };
}

/** The value of a figure in a row; undefined where it is unknown. */
export function valueOf(measure: EventMeasure, row: Compare): number | undefined {
  if (measure === 'course') return undefined;
  if (measure === 'average') return row.c === 0 ? undefined : row.s / row.c;
  return row[measure];
}

/** Whether an event never had what a figure adds up. */
export function notSent(measure: EventMeasure, row: Compare): boolean {
  return measure === 'dur' ? row.dur === 0 : (measure === 's' || measure === 'average') && row.s === 0;
}

/** The value of a figure in a step, given the count of all steps. */
export function stepValue(measure: EventMeasure, row: EventRow | undefined, all: number | undefined): number | undefined {
  if (row === undefined) return undefined;
  if (measure === 'course') return all === undefined || all === 0 ? 0 : row.c / all;
  if (measure === 'average') return row.c === 0 ? undefined : row.s / row.c;
  return measure === 'u' ? undefined : row[measure];
}

/** How many colours lines have. */
const colors = 6;

/** The colour and the dashes of a line, such that no two of twenty look the same. */
export function colorsOf(place: number): { color: number; dash?: 1 | 2 | 3 } {
  const dash = ([undefined, 1, 2, 3] as const)[Math.floor(place / colors)];
  return { color: (place % colors) + 1, ...(dash === undefined ? {} : { dash }) };
}

/** What a figure is in a file. */
export function formOf(measure: EventMeasure): { form?: Form } {
  return measure === 'dur' ? { form: 'seconds' } : measure === 'course' ? { form: 'share' } : measure === 's' || measure === 'average' ? { form: 'amount' } : {};
}

export function write(measure: EventMeasure, value: number | undefined, format: Format): string {
  if (value === undefined) return '–';
  if (measure === 'dur') return format.duration(value);
  if (measure === 'course') return format.percent(value);
  return measure === 's' || measure === 'average' ? format.amount(value) : format.count(value);
}

export function writeShort(measure: EventMeasure, value: number, format: Format): string {
  return measure === 'dur' || measure === 'course' ? write(measure, value, format) : format.short(value);
}
