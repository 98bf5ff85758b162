import { stepParam, type Granularity } from '../../lib/granularity';
import { addDays, weekOf, type Span } from '../../lib/period';
import { parseList, parseOnly, parseView, type View } from '../../lib/view';
import type { Behind, Bookmark } from './api';
import { parseMeasure, type Measure } from './measure';

/** How a report is drawn. */
export const pictures = ['line', 'area', 'bar', 'stacked', 'pie', 'heat', 'number'] as const;
export type Picture = (typeof pictures)[number];

/** Whose days and hours a report has: the app's, those of who looks at it, or each person's own. */
export const clocks = ['', 'mine', 'user'] as const;
export type Days = (typeof clocks)[number];

/** The time zone that the days of a report are named in; each person's own days are looked at in the app's. */
export function zoneOf(days: Days, appZone: string): string {
  return days === 'mine' ? Intl.DateTimeFormat().resolvedOptions().timeZone : appZone;
}

/** Bounds of a report. */
export const most = { events: 6, by: 3 } as const;

/** What a report asks beside its time. */
export interface Report {
  events: string[];
  measure: Measure;
  by: string[];
  /** Empty for people, sessions, or the path of a property whose values are accounts. */
  count: string;
  /** Whose days they are. */
  days: Days;
  picture: Picture;
}

/** Reads a report from the view of an address. */
export function reportOf(view: Pick<View, 'events' | 'figure' | 'segment' | 'tab'> & Partial<Pick<View, 'only'>>): Report {
  return {
    events: [...new Set(parseList(view.events))].slice(0, most.events),
    measure: parseMeasure(view.figure),
    by: [...new Set(view.segment === '' ? [] : view.segment.startsWith('[') ? parseList(view.segment) : [view.segment])].slice(0, most.by),
    count: parseOnly(view.only ?? '').count ?? '',
    days: clocks.find((c) => c === parseOnly(view.only ?? '').days) ?? '',
    picture: pictures.find((p) => p === view.tab) ?? 'line',
  };
}

/** A list as the address holds it. */
export function listText(list: readonly string[]): string {
  return list.length === 0 ? '' : JSON.stringify(list);
}

/** A step of a report: its id, as courses of the dashboard have them, and the name of its bucket on the wire. */
export interface Slot {
  _id: string;
  key: string;
}

/** All steps of a span, also those without rows. */
export function slotsOf(span: Span, step: Granularity): Slot[] {
  const ids: string[] = [];
  for (let day = span.from; day <= span.to; day = addDays(day, 1)) {
    const [y = 0, m = 0, d = 0] = day.split('-').map(Number);
    if (step === 'hour') for (let h = 0; h < 24; h++) ids.push(`${y}-${m}-${d} ${h}:00`);
    else ids.push(step === 'day' ? `${y}-${m}-${d}` : step === 'week' ? weekOf(day) : `${y}-${m}`);
  }
  return [...new Set(ids)].map((_id) => ({ _id, key: _id.replace(':00', '').replaceAll(/[- ]/g, '.') }));
}

/** The name of the buckets of a step on the wire. */
export function bucketOf(step: Granularity): string {
  return stepParam(step);
}

/** The parts of an address that a bookmark keeps beside event, filter and breakdown. */
const kept = ['events', 'figure', 'tab', 'by', 'only', 'period', 'compare', 'match'] as const;

/** How long the text of a bookmark may be, in bytes. */
const longest = 2000;

/** What a bookmark keeps of a view, as text; undefined when that is too long. */
export function visualizationOf(view: View): string | undefined {
  const text = JSON.stringify(Object.fromEntries(kept.filter((key) => view[key] !== '').map((key) => [key, view[key]])));
  return new TextEncoder().encode(text).length > longest ? undefined : text;
}

/** The search of the report that a bookmark keeps. Those of other programs have an event, a filter and a breakdown. */
export function searchOf({ event_key, query_obj, by_val, visualization }: Pick<Bookmark, 'event_key' | 'query_obj' | 'by_val' | 'visualization'>): Partial<View> {
  const parts = parseView(objectOf(visualization ?? ''));
  const rest = Object.fromEntries(kept.map((key) => [key, parts[key]]));
  return {
    ...rest,
    events: parseList(parts.events).includes(event_key) ? parts.events : listText([event_key]),
    filter: query_obj === '{}' ? '' : query_obj,
    segment: listText(parseList(by_val)),
  };
}

function objectOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** What one of the people behind a figure is called. */
export function nameOfPerson({ name, did, uid }: Behind): string {
  return name ?? did ?? uid;
}
