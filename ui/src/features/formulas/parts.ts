import { withGroup } from '../../components/filter/groups';
import type { Field } from '../../components/filter/field';
import { readFilter } from '../../components/filter/filter';
import type { Slot } from '../../parts/trends/report';
import type { Values } from './api';

/** A part of a breakdown: the values that it is of, and the filter of the API that selects it. */
export interface Part {
  /** Undefined for all that the others are not. */
  value?: unknown;
  filter: string;
}

/**
 * The parts of a breakdown by a property, of its most frequent values, under a filter: one of each value, and all others as one where there are more.
 * Values whose text does not tell what they are cannot be asked for; they are among the others.
 */
export function partsOf(filter: string, path: string, values: readonly unknown[], total: number, fields: readonly Field[]): Part[] {
  const whole = readFilter(filter) ?? {};
  const within = (condition: object) => JSON.stringify(Object.keys(whole).length === 0 ? condition : { $and: [whole, condition] });
  const parts = values.flatMap((value) => {
    const condition = readFilter(withGroup('', { [path]: value }, fields) ?? '');
    return condition === undefined || Object.keys(condition).length === 0 ? [] : [{ value, condition }];
  });
  const rest = total > parts.length ? [{ filter: within(parts.length === 0 ? {} : { $nor: parts.map((p) => p.condition) }) }] : [];
  return [...parts.map(({ value, condition }) => ({ value, filter: within(condition) })), ...rest];
}

/** The values of an answer at the steps of a chart, and that of the whole period. */
export function linesOf({ data }: Values, bucket: string, slots: readonly Slot[]): { values: (number | undefined)[]; total: number | undefined } {
  const course = data[bucket]?.['current'];
  const at = new Map(course?.buckets.map((name, i) => [name, course.value[i]]));
  return { values: slots.map(({ key }) => at.get(key.replaceAll('.', ':'))), total: data['single']?.['current']?.value[0] };
}
