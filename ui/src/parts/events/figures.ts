import type { Form } from '../../components/table/columns';
import type { Format } from '../../lib/format';
import type { EventList, EventRow } from './api';

export const eventFigures = ['c', 's', 'dur'] as const;
/** Count, sum, duration. */
export type EventFigure = (typeof eventFigures)[number];

/** Reads the chosen figure from the URL. */
export function parseEventFigure(text: string): EventFigure {
  return eventFigures.find((f) => f === text) ?? 'c';
}

/** The figures that an event has: a count always, the others once they were sent. */
export function figuresOf(rows: readonly EventRow[]): EventFigure[] {
  return eventFigures.filter((f) => f === 'c' || rows.some((r) => r[f] !== 0));
}

/** What a figure is in a file. */
export function formOf(figure: EventFigure): { form?: Form } {
  return figure === 'dur' ? { form: 'seconds' } : figure === 's' ? { form: 'amount' } : {};
}

export function writeEvent(figure: EventFigure, value: number, format: Format): string {
  return figure === 'dur' ? format.duration(value) : figure === 's' ? format.amount(value) : format.count(value);
}

export function writeEventShort(figure: EventFigure, value: number, format: Format): string {
  return figure === 'dur' ? format.duration(value) : format.short(value);
}

/** What an event is called: the name that people gave it, else its key. */
export function nameOfEvent(key: string, list: EventList | undefined): string {
  const name = list?.map?.[key]?.name;
  return name === undefined || name === '' ? key : name;
}

/** The sum of a figure over rows. */
export function sumOf(rows: readonly EventRow[], figure: EventFigure): number {
  return rows.reduce((sum, r) => sum + r[figure], 0);
}
