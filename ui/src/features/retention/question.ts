import { readFilter } from '../../components/filter/filter';
import { addDays, daysIn, type Span } from '../../lib/period';
import { parseList, parseOnly, type View } from '../../lib/view';
import { sessionKey } from '../../parts/events/useEventNames';

/** What cohorts and ages are counted in. */
export const units = ['day', 'week', 'month'] as const;
export type Unit = (typeof units)[number];

/** When somebody counts as having come back, in the words of the API. */
export const modes = ['on', 'on_or_after', 'on_or_before', 'streak'] as const;
export type Mode = (typeof modes)[number];

/** How many events a start, or a return, may be. */
export const mostEvents = 6;

/** How many units the server counts at once. */
const mostUnits = 400;

/** The ages that are shown, at most. */
const mostAges: Record<Unit, number> = { day: 30, week: 26, month: 24 };

/** What a reader chose, beside the time. */
export interface Chosen {
  /** Events, any of which is a start, and what counts as active. */
  start: string[];
  /** Whether the first start ever is the one that counts. */
  first: boolean;
  /** Events, any of which is a return. */
  back: string[];
  mode: Mode;
  unit: Unit;
  /** A filter object on starts. */
  filter: object;
  /** The path of a property of the start; empty for no breakdown. */
  by: string;
  /** Who comes back: empty for people, or the path of a property whose values are accounts. */
  count?: string;
}

/** Reads what was chosen from the view of an address, whatever that holds. */
export function chosenOf(view: Pick<View, 'events' | 'only' | 'filter' | 'segment' | 'by'>, span: Span): Chosen {
  const only = parseOnly(view.only);
  return {
    start: eventsOf(view.events),
    first: only.start !== 'recurring',
    back: eventsOf(only.return ?? ''),
    mode: modes.find((m) => m === only.mode) ?? 'on',
    unit: possibleUnits(span).find((u) => u === view.by) ?? usualUnit(span),
    filter: readFilter(view.filter) ?? {},
    by: view.segment,
    count: only.count ?? '',
  };
}

function eventsOf(text: string): string[] {
  const list = [...new Set(parseList(text))].filter((key) => key !== '').slice(0, mostEvents);
  return list.length === 0 ? [sessionKey] : list;
}

/** A list of events as the address holds it; sessions alone, which are usual, stay out. */
export function eventsText(events: readonly string[]): string {
  return events.length === 0 || isUsual(events) ? '' : JSON.stringify(events);
}

/** Whether a list is sessions alone. */
export function isUsual(events: readonly string[]): boolean {
  return events.length === 1 && events[0] === sessionKey;
}

/** A list after a choice: the first event that is chosen takes the place of the sessions that stood there by themselves. */
export function chosenEvents(before: readonly string[], next: readonly string[]): string[] {
  return isUsual(before) && next.length === 2 ? next.filter((key) => key !== sessionKey) : [...next];
}

/** The units that are not too many for a span. */
export function possibleUnits(span: Span): Unit[] {
  const days = daysIn(span);
  const length: Record<Unit, number> = { day: 1, week: 7, month: 31 };
  return units.filter((unit) => days / length[unit] <= mostUnits - 2 || unit === 'month');
}

/** The unit that gives a table of a size to be read. */
export function usualUnit(span: Span): Unit {
  const days = daysIn(span);
  return days <= 45 ? 'day' : days <= 200 ? 'week' : 'month';
}

/** How many ages there are to show of a span: as many as have begun, and at least one. */
export function agesOf({ from }: Span, unit: Unit, today: string): number {
  return Math.min(mostAges[unit], Math.max(1, begun(from, unit, today)));
}

/** How many units after that of a day have begun. */
function begun(from: string, unit: Unit, today: string): number {
  if (unit === 'month') {
    const [first, last] = [from, today].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
    return (last ?? 0) - (first ?? 0);
  }
  if (unit === 'day') return daysIn({ from, to: today }) - 1;
  return Math.round((daysIn({ from: mondayOf(from), to: mondayOf(today) }) - 1) / 7);
}

function mondayOf(day: string): string {
  return addDays(day, -((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7));
}
