import type { Format } from '../../lib/format';
import type { Form } from '../../components/table/columns';
import type { Figures } from './api';

/** Measures that every answer has: people, times, sum, seconds, times a person, sum an event, seconds an event. */
export const plainMeasures = ['t', 'u', 'per_user', 's', 'avg_s', 'dur', 'avg_dur'] as const;
type PlainMeasure = (typeof plainMeasures)[number];

/** Measures that are asked for, of the event. */
const ofEvents = ['sessions'] as const;

/** Measures of numbers: of a property of the event, of the sum, or of the duration. */
export const ofNumbers = ['sum', 'avg', 'median', 'p90', 'p95', 'min', 'max'] as const;
type OfNumber = (typeof ofNumbers)[number];

/** Ratios: of how often, or of people, with the event by which is divided. */
export const ratios = ['ratio_t', 'ratio_u'] as const;
type Ratio = (typeof ratios)[number];

/** What is measured: a plain one, sessions, one of numbers with what it is of, as "median:sg.price", or a ratio, as "ratio_u:visit". */
export type Measure = PlainMeasure | 'sessions' | `${OfNumber | Ratio}:${string}`;

/** A measure without what it is of. */
export type Worded = PlainMeasure | 'sessions' | OfNumber | Ratio;

/** Whether a measure is of something: of numbers, or a ratio. */
export function isOf(measure: Worded): measure is OfNumber | Ratio {
  return [...ofNumbers, ...ratios].some((fn) => fn === measure);
}

/** Reads a measure from an address; how often unless it is one. */
export function parseMeasure(text: string): Measure {
  const plain = [...plainMeasures, ...ofEvents].find((m) => m === text);
  if (plain !== undefined) return plain;
  const [fn, of] = partsOf(text);
  return fn !== undefined && of !== '' ? `${fn}:${of}` : 't';
}

/** A measure of numbers or a ratio, and what it is of. */
export function partsOf(text: string): [fn: OfNumber | Ratio | undefined, of: string] {
  const at = text.indexOf(':');
  return at < 0 ? [undefined, ''] : [[...ofNumbers, ...ratios].find((fn) => fn === text.slice(0, at)), text.slice(at + 1)];
}

/** Whether a measure divides by another event. */
export function isRatio(measure: Measure): boolean {
  return measure.startsWith('ratio_');
}

/** A measure as the API takes it; undefined for those that every answer has. A filter holds for both sides of a ratio. */
export function paramOf(measure: Measure, filter: object = {}): object | undefined {
  if (measure === 'sessions') return { fn: 'sessions' };
  const [fn, of] = partsOf(measure);
  switch (fn) {
    case undefined:
      return undefined;
    case 'p90':
    case 'p95':
      return { fn: 'percentile', of, p: Number(fn.slice(1)) };
    case 'ratio_t':
    case 'ratio_u': {
      const counted = { fn: fn === 'ratio_t' ? 'count' : 'users' };
      return { fn: 'ratio', of: counted, to: { ...counted, event: of, ...(Object.keys(filter).length === 0 ? {} : { query: filter }) } };
    }
    default:
      return { fn, of };
  }
}

/** Measures that every answer gives the parts of, as the API orders groups by them. */
const divided: Readonly<Partial<Record<Measure, object>>> = { per_user: { fn: 'per_user' }, avg_s: { fn: 'avg', of: 's' }, avg_dur: { fn: 'avg', of: 'dur' } };

/** What groups are ordered by in the words of the API, and the measures that are asked for. */
export function orderOf(measure: Measure, filter: object = {}): { by: string; measures: object[] } {
  const asked = paramOf(measure, filter) ?? divided[measure];
  return asked === undefined ? { by: measure, measures: [] } : { by: 'm0', measures: [asked] };
}

/** The value of a measure at a place; undefined where there is nothing to measure. */
export function valueOf(measure: Measure, figures: Figures | undefined): number | undefined {
  if (figures === undefined) return isCount(measure) ? 0 : undefined;
  const { t, u, s, dur, m } = figures;
  const per = (sum: number, n: number) => (n === 0 ? undefined : sum / n);
  switch (measure) {
    case 't':
      return t;
    case 'u':
      return u;
    case 's':
      return s;
    case 'dur':
      return dur;
    case 'per_user':
      return per(t, u);
    case 'avg_s':
      return per(s, t);
    case 'avg_dur':
      return per(dur, t);
    default:
      return m?.[0] ?? (isCount(measure) ? 0 : undefined);
  }
}

/** Whether a measure is 0 where nothing happened, rather than missing. */
function isCount(measure: Measure): boolean {
  return measure === 't' || measure === 'u' || measure === 's' || measure === 'dur' || measure === 'sessions' || measure.startsWith('sum:');
}

/** Whether a measure is seconds. */
export function isSeconds(measure: Measure): boolean {
  return measure === 'dur' || measure === 'avg_dur' || partsOf(measure)[1] === 'dur';
}

/** Whether values between whole numbers make sense. */
export function isContinuous(measure: Measure): boolean {
  return measure !== 't' && measure !== 'u' && measure !== 'sessions';
}

/** Whether the values of parts add up to that of the whole, so that they can stand upon another. */
export function addsUp(measure: Measure): boolean {
  return measure === 't' || measure === 's' || measure === 'dur' || measure.startsWith('sum:');
}

/** Whether a measure is a share: of people, who mostly are among those of the other event. */
function isShare(measure: Measure): boolean {
  return measure.startsWith('ratio_u:');
}

export function write(measure: Measure, value: number | undefined, format: Format): string {
  if (value === undefined) return '–';
  return isSeconds(measure) ? format.duration(value) : isShare(measure) ? format.percent(value) : isContinuous(measure) ? format.amount(value) : format.count(value);
}

export function writeShort(measure: Measure, value: number, format: Format): string {
  return isSeconds(measure) ? format.duration(value) : isShare(measure) ? format.percent(value) : format.short(value);
}

/** What a measure is in a file. */
export function formOf(measure: Measure): { form?: Form } {
  return isSeconds(measure) ? { form: 'seconds' } : isShare(measure) ? { form: 'share' } : isContinuous(measure) ? { form: 'amount' } : {};
}
