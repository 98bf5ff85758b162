import type { Field } from '../../components/filter/field';
import type { Analysis, Part, Spread, Step, TrendRow } from './api';

/** A step as the picture and the table show it. */
export interface StepRow {
  /** From 1. */
  no: number;
  step: Step;
  /** Of those who reached the first step. */
  share: number;
  /** Of those who reached the step before that cannot be skipped: how many did not come here. Nobody drops out at an optional step. */
  dropped: number;
  droppedShare: number;
  /** The step, from 1, that the dropped come from. */
  from: number | undefined;
  /** The share of the days compared with. */
  before: number | undefined;
  took: Spread | undefined;
}

/** A part of a whole; nothing of nothing. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** The steps with what was lost between them. */
export function stepRows({ steps, users_in_first_step: entered }: Analysis, before?: Analysis): StepRow[] {
  let from: number | undefined;
  let users = 0;
  return steps.map((step, i) => {
    const optional = step.optional === true;
    const dropped = from === undefined || optional ? 0 : users - step.users;
    const was = before?.steps[i];
    const row: StepRow = {
      no: i + 1,
      step,
      share: shareOf(step.users, entered),
      dropped,
      droppedShare: shareOf(dropped, users),
      from: optional ? undefined : from,
      before: was === undefined ? undefined : shareOf(was.users, before?.users_in_first_step ?? 0),
      took: step.timeSpend,
    };
    if (!optional) [from, users] = [i + 1, step.users];
    return row;
  });
}

/** The step at which most drop out; undefined where nobody does. */
export function worst(rows: readonly StepRow[]): StepRow | undefined {
  const [most] = [...rows].sort((a, b) => b.dropped - a.dropped);
  return most === undefined || most.dropped === 0 ? undefined : most;
}

/** The share of those who entered that went all the way. */
export function conversionOf({ users_in_first_step: entered, success_users: done }: Pick<Analysis, 'users_in_first_step' | 'success_users'>): number {
  return shareOf(done, entered);
}

/** How many groups the picture draws, each in its colour. */
export const drawnGroups = 6;

/** What a group is called. */
export function nameOfPart({ value, other }: Part, field: Field | undefined, words: { none: string; other: string }): string {
  if (other === true) return words.other;
  if (value === null || value === undefined) return words.none;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return field?.decode(text) ?? text;
}

/** The bars of a histogram: how many took longer than the one bound and at most the other, in seconds. */
export function histogramOf({ histogram }: Spread): { from: number; to: number | undefined; count: number }[] {
  let from = 0;
  return histogram.map(({ to, count }) => {
    const bar = { from, to, count };
    from = to ?? from;
    return bar;
  });
}

/** The parts of a trend, and by themselves those whose time to convert is not over, from the last one that is over on, so that lines meet. */
export function courseOf(rows: readonly TrendRow[]): { over: (TrendRow | undefined)[]; open: (TrendRow | undefined)[] } {
  const first = rows.findIndex((row) => row.open === true);
  const at = first < 0 ? rows.length : first;
  return { over: rows.map((row, i) => (i < at ? row : undefined)), open: rows.map((row, i) => (i >= at - 1 && at < rows.length ? row : undefined)) };
}

/** From which probability on a difference may well be chance. */
export const level = 0.05;

/** Writes how likely something is by chance: three decimals, and no zero. */
export function chance(p: number, locale: string): string {
  const form = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  return p < 0.001 ? `< ${form.format(0.001)}` : `= ${form.format(Math.min(p, 1))}`;
}

/** Writes percentage points with their sign. */
export function pointsOf(points: number, locale: string): string {
  return new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', maximumFractionDigits: 1 }).format(points);
}

/** Which properties are looked at for what drives conversion, twenty at most: those of events and of the app's own first, then who and where people are. */
export function pathsToTest(paths: readonly string[]): string[] {
  const some = (start: string, most: number) => paths.filter((p) => p.startsWith(start)).slice(0, most);
  const usual = ['p', 'pv', 'cc', 'la', 'av', 'brw', 'dt', 'src'];
  const known = usual.flatMap((key) => paths.filter((p) => p === `up.${key}` || p === key));
  return [...new Set([...some('sg.', 8), ...some('custom.', 6), ...known])].slice(0, 20);
}
