import { withAll } from '../../lib/narrow';
import type { Field } from './field';
import type { Kind } from './filter';

/** The condition that a value of a breakdown meets; undefined where its text does not tell what it is: numbers and lists are text there, too. */
function conditionOn(kind: Kind, value: unknown): object | undefined {
  if (value === null || value === undefined) return { $exists: false };
  if (typeof value === 'number' || typeof value === 'boolean') return { $eq: value };
  if (typeof value !== 'string') return undefined;
  const n = value.trim() === '' ? NaN : Number(value);
  switch (kind) {
    case 'text':
      return { $in: [value] };
    case 'number':
    case 'moment':
      return Number.isFinite(n) ? { $eq: n } : undefined;
    case 'bool':
      return value === 'true' || value === 'false' ? { $eq: value === 'true' } : undefined;
    case 'any':
      return Number.isFinite(n) || /^(true|false|\[.*\])$/.test(value) ? undefined : { $in: [value] };
  }
}

/**
 * A filter, as JSON, narrowed to a group of a breakdown, by the values of its properties, or without that where it was narrowed so;
 * undefined where that cannot be asked.
 */
export function withGroup(filter: string, keys: Readonly<Record<string, unknown>>, fields: readonly Field[]): string | undefined {
  const asked: Record<string, object> = {};
  for (const [path, value] of Object.entries(keys)) {
    const condition = conditionOn(fields.find((f) => f.path === path)?.kind ?? 'any', value);
    if (condition === undefined) return undefined;
    asked[path] = condition;
  }
  return withAll(filter, asked);
}
