import type { Form } from '../../components/table/columns';
import { changeOf, type Change } from '../../lib/change';
import type { Format } from '../../lib/format';
import type { Figures } from './api';

/** The figures of revenue, in the order of the page. */
export const measures = ['revenue', 'paying', 'arpu', 'arppu', 'transactions', 'average_order', 'paying_percent', 'users', 'refunds', 'transactions_per_payer'] as const;
export type Measure = (typeof measures)[number];

/** Those that stand large at the top. */
export const main: readonly Measure[] = ['revenue', 'paying', 'arpu', 'arppu', 'transactions', 'average_order'];

/** Those that a chart can show. */
export const drawable: readonly Measure[] = ['revenue', 'paying', 'arpu', 'arppu', 'transactions', 'average_order', 'paying_percent'];

/** Reads the chosen figure from the address. */
export function parseMeasure(text: string): Measure {
  return drawable.find((m) => m === text) ?? 'revenue';
}

const counts: readonly Measure[] = ['paying', 'transactions', 'users'];

/** Whether a figure has values between whole numbers. */
export function isContinuous(measure: Measure): boolean {
  return !counts.includes(measure);
}

/** What a figure is in a file. */
export function formOf(measure: Measure): { form?: Form } {
  if (counts.includes(measure) || measure === 'transactions_per_payer') return {};
  return { form: measure === 'paying_percent' ? 'percent' : 'amount' };
}

/** Writes a value of a figure; a dash where it is unknown. */
export function write(measure: Measure, value: number | null | undefined, format: Format): string {
  if (value === null || value === undefined) return '–';
  if (measure === 'paying_percent') return format.percent(value / 100);
  return formOf(measure).form === 'amount' ? format.amount(value) : format.count(value);
}

/** Writes a value where room is scarce. */
export function writeShort(measure: Measure, value: number, format: Format): string {
  if (measure === 'paying_percent') return format.percent(value / 100);
  return format.short(value);
}

/** The id of a step of the wire (2031.5.14, 2031.5.14.9, 2031.w20, 2031.5) as steps of charts have them (2031-5-14 9:00). */
export function stepId(at: string): string {
  const [year = '', month = '', day, hour] = at.split('.');
  const date = [year, month, day].filter((part) => part !== undefined && part !== '').join('-');
  return hour === undefined ? date : `${date} ${hour}:00`;
}

/** The share of one group in the revenue of all; undefined where there is none, or refunds make it meaningless. */
export function shareOf(part: Pick<Figures, 'revenue'>, all: Pick<Figures, 'revenue'>): number | undefined {
  return all.revenue > 0 && part.revenue >= 0 && part.revenue <= all.revenue ? part.revenue / all.revenue : undefined;
}

/** How far a figure is from what it was; undefined where one of them is unknown, or was below zero: then a share of it means nothing. */
export function changed(now: number | null | undefined, was: number | null | undefined, format: Format): Change | undefined {
  if (now === null || now === undefined || was === null || was === undefined || was < 0) return undefined;
  return changeOf(now, was, format);
}
