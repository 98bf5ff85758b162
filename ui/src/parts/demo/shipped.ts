import { categories } from '../../access/apps';
import type { Template } from './api';

/** The templates that come with the server, by id. */
const shipped = {
  '717569707573686f70000000': 'shop',
  '717569707562616e6b000000': 'bank',
  '71756970756d656469610000': 'media',
  '717569707567616d65000000': 'game',
  '7175697075776f726b000000': 'work',
  '717569707574726176656c00': 'travel',
} as const;

export type Shipped = (typeof shipped)[keyof typeof shipped];

/** Which of those that come with the server a template is, if it is one. */
export function shippedAs({ _id }: Pick<Template, '_id'>): Shipped | undefined {
  return (shipped as Partial<Record<string, Shipped>>)[_id];
}

const fitting: Partial<Record<(typeof categories)[number], Shipped>> = {
  books: 'media', business: 'work', education: 'work', entertainment: 'media', finance: 'bank', games: 'game', music: 'media',
  navigation: 'travel', news: 'media', productivity: 'work', reference: 'work', travel: 'travel', utilities: 'work', weather: 'travel',
};

/** The template that fits an app's category best, which the API tells by its number from 1. */
export function suited<T extends Pick<Template, '_id'>>(list: readonly T[], category: string): T | undefined {
  const name = categories[Number(category) - 1];
  const want = (name === undefined ? undefined : fitting[name]) ?? 'shop';
  return list.find((t) => shippedAs(t) === want) ?? list[0];
}

/** Reads what people write into the fields of a template: JSON of a kind. */
export function parseJSON(text: string, kind: 'list' | 'object'): unknown[] | Record<string, unknown> | undefined {
  const empty = kind === 'list' ? [] : {};
  if (text.trim() === '') return empty;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value) !== (kind === 'list')) return undefined;
    return Array.isArray(value) ? value : { ...value };
  } catch {
    return undefined;
  }
}

/** Writes a value for people: a line an element. */
export function writeJSON(value: unknown[] | Record<string, unknown>): string {
  if (!Array.isArray(value)) return JSON.stringify(value, undefined, 2);
  if (value.length === 0) return '[]';
  return `[\n${value.map((v) => `  ${JSON.stringify(v)}`).join(',\n')}\n]`;
}
