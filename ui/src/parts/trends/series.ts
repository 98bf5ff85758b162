import type { Field } from '../../components/filter/field';
import type { Broken, Figures, Plain, Whom } from './api';
import { valueOf, type Measure } from './measure';
import type { Slot } from './report';

/** One line of a report: its figures over time, and in all. */
export interface Line {
  name: string;
  values: (number | undefined)[];
  total: number | undefined;
  /** The same of the days compared with. */
  before?: { values: (number | undefined)[]; total: number | undefined };
  /** Which question it answers, by its place, and whose figures these are. */
  question?: number;
  whom?: Whom;
}

/** How many lines are drawn, each in a colour of its own. */
export const drawn = 6;

/** The line of an event. */
export function lineOf(name: string, answer: Plain, measure: Measure, bucket: string, slots: readonly Slot[]): Line {
  const at = (of: Record<string, Record<string, Figures>>) => slots.map(({ key }) => valueOf(measure, of[bucket]?.[key]));
  const { totals, data, compare } = answer;
  return {
    name,
    values: at(data),
    total: valueOf(measure, totals),
    ...(compare === undefined ? {} : { before: { values: at(compare.data), total: valueOf(measure, compare.totals) } }),
  };
}

/** The lines of the groups of an event, and of all other groups as one. */
export function linesOf(event: string | undefined, answer: Broken, measure: Measure, bucket: string, slots: readonly Slot[], by: readonly string[], nameOf: (keys: Record<string, unknown>) => string, others: (count: number) => string): Line[] {
  const full = (name: string) => (event === undefined ? name : `${event} · ${name}`);
  const { segments, data, other, compare } = answer;
  const earlier = (total: Figures | undefined, at: (key: string) => Figures | undefined): Pick<Line, 'before'> =>
    compare === undefined ? {} : { before: { values: slots.map(({ key }) => valueOf(measure, at(key))), total: valueOf(measure, total) } };
  const values = (keys: Record<string, unknown>) => by.map((path) => keys[path] ?? null);
  const lines = Object.entries(segments).map(([label, segment]): Line => ({
    name: full(nameOf(segment.keys)),
    values: slots.map(({ key }) => valueOf(measure, data[bucket]?.[key]?.[label])),
    total: valueOf(measure, segment),
    ...earlier(compare?.segments?.[label], (key) => compare?.data?.[bucket]?.[key]?.groups?.[label]),
    whom: { groups: [values(segment.keys)] },
  }));
  if (other === undefined || other.groups === 0) return lines;
  return [
    ...lines,
    {
      name: full(others(other.groups)),
      values: slots.map(({ key }) => valueOf(measure, other.data[bucket]?.[key])),
      total: valueOf(measure, other),
      ...earlier(compare?.other, (key) => compare?.other?.data[bucket]?.[key]),
      whom: { others: Object.values(segments).map(({ keys }) => values(keys)) },
    },
  ];
}

/** What a group is called: its values in the order of the properties, as people write them. */
export function nameOfKeys(keys: Record<string, unknown>, by: readonly string[], fields: readonly Field[], none: string): string {
  return by
    .map((path) => {
      const value = keys[path];
      if (value === null || value === undefined) return none;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return fields.find((f) => f.path === path)?.decode(text) ?? text;
    })
    .join(' | ');
}

/** Lines with names that no other has: charts switch them on and off by these. */
export function named(lines: readonly Line[]): Line[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const n = (seen.get(line.name) ?? 0) + 1;
    seen.set(line.name, n);
    return n === 1 ? line : { ...line, name: `${line.name} (${n})` };
  });
}
