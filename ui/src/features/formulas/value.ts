import type { Form } from '../../components/table/columns';
import type { Format } from '../../lib/format';
import { remembered } from '../../lib/remembered';
import type { Formula } from './api';

/** What the values of a formula are. */
export const kinds = ['number', 'integer', 'percent', 'currency', 'duration'] as const;
export type Kind = (typeof kinds)[number];

/** How values are shown. */
export interface Shown {
  kind: Kind;
  /** Digits after the point. */
  places: number;
  /** A unit, or the code of a currency. */
  unit: string;
}

export const usualShown: Shown = { kind: 'number', places: 2, unit: '' };

/** Currencies that are offered first; any other code of three letters is one, too. */
export const currencies = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'CNY', 'INR', 'BRL', 'CAD', 'AUD', 'SEK', 'PLN', 'TRY', 'KRW', 'MXN'] as const;

/** Whether a unit is the code of a currency, by which numbers are money. */
export const isCurrency = (unit: string): boolean => codes().has(unit);

let known: ReadonlySet<string> | undefined;
const codes = () => (known ??= new Set([...currencies, ...Intl.supportedValuesOf('currency')]));

/** How the values of a kept formula are shown. */
export function shownOf({ format, dplaces, unit }: Pick<Formula, 'format' | 'dplaces' | 'unit'>): Shown {
  const kind: Kind = format === 'time' ? 'duration' : format === 'percent' ? 'percent' : isCurrency(unit) ? 'currency' : format === 'integer' ? 'integer' : 'number';
  return { kind, places: dplaces, unit };
}

/** The same in the words of the wire. */
export function wireOf({ kind, places, unit }: Shown): Pick<Formula, 'format' | 'dplaces' | 'unit'> {
  return {
    format: kind === 'duration' ? 'time' : kind === 'currency' || kind === 'number' ? 'float' : kind,
    dplaces: kind === 'integer' || kind === 'duration' ? 0 : places,
    unit: kind === 'currency' && !isCurrency(unit) ? currencies[0] : kind === 'percent' || kind === 'duration' ? '' : kind !== 'currency' && isCurrency(unit) ? '' : unit,
  };
}

/** Reads how values are shown from an address. */
export function parseShown(text: string): Shown | undefined {
  const [kind, places, ...unit] = text.split('.');
  const found = kinds.find((k) => k === kind);
  const digits = Number(places);
  if (found === undefined || !Number.isInteger(digits) || digits < 0 || digits > 10) return undefined;
  return { kind: found, places: digits, unit: unit.join('.') };
}

/** Writes how values are shown for an address. */
export const shownText = ({ kind, places, unit }: Shown): string => [kind, places, unit].join('.');

const numbers = remembered((key: string) => {
  const [locale = 'en', style, places, ...unit] = key.split('\n');
  const digits = { minimumFractionDigits: Number(places), maximumFractionDigits: Number(places) };
  if (style === 'percent') return new Intl.NumberFormat(locale, { style, ...digits });
  if (style === 'currency') return new Intl.NumberFormat(locale, { style, currency: unit.join(''), ...digits });
  return new Intl.NumberFormat(locale, digits);
});

/** Writes a value. */
export function write({ kind, places, unit }: Shown, value: number | undefined, locale: string, format: Format): string {
  if (value === undefined) return '–';
  switch (kind) {
    case 'duration':
      return value < 0 ? `−${format.duration(-value)}` : format.duration(value);
    case 'percent':
      return numbers([locale, 'percent', places].join('\n')).format(value);
    case 'currency':
      return numbers([locale, 'currency', places, isCurrency(unit) ? unit : currencies[0]].join('\n')).format(value);
    case 'integer':
    case 'number': {
      const text = numbers([locale, 'decimal', kind === 'integer' ? 0 : places].join('\n')).format(value);
      return unit === '' ? text : `${text}\u00a0${unit}`;
    }
  }
}

/** Writes a value at an axis, where room is scarce. */
export function writeShort(shown: Shown, value: number, locale: string, format: Format): string {
  if (shown.kind === 'duration') return write(shown, value, locale, format);
  if (shown.kind === 'percent') return format.percent(value);
  return format.short(value);
}

/** What the values are in a file. */
export function formOf({ kind }: Shown): { form?: Form } {
  return kind === 'duration' ? { form: 'seconds' } : kind === 'percent' ? { form: 'share' } : kind === 'integer' ? {} : { form: 'amount' };
}

/** A key for a new formula, made of its name: the server takes letters, digits, "_" and "-". None of those that are taken. */
export function keyOf(title: string, taken: readonly string[]): string {
  const plain = title
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 80);
  const base = plain === '' ? 'formula' : plain;
  for (let n = 1; ; n++) {
    const key = n === 1 ? base : `${base}_${n}`;
    if (!taken.includes(key)) return key;
  }
}
