import { weekOf } from '../../lib/period';
import type { Activity, Cell, Cohort, Count, Report } from './api';
import type { Unit } from './question';

/** A place of the table: who came back, of whom. */
export interface Place {
  users: number;
  of: number;
  /** Of 1. */
  share: number;
  /** Whether the age is not over for everybody yet, so that more may come back. */
  open: boolean;
}

/** The places of a cohort; undefined where an age has not begun, and where there is nobody. */
export function placesOf({ users: of, cells }: Pick<Cohort, 'users' | 'cells'>): (Place | undefined)[] {
  return cells.map((cell) => (cell === null || of === 0 ? undefined : { users: cell.users, of, share: cell.users / of, open: cell.over < of }));
}

/** The places of several cohorts together, of those for whom an age is over; undefined where that is nobody. */
export function meanOf(cells: readonly (Cell | null)[]): (Place | undefined)[] {
  return cells.map((cell) => (cell === null || cell.over === 0 ? undefined : { users: cell.kept, of: cell.over, share: cell.kept / cell.over, open: false }));
}

/** The ages that are spoken of first. */
const milestones: Record<Unit, readonly number[]> = { day: [1, 7, 14, 30], week: [1, 4, 12, 26], month: [1, 3, 6, 12, 24] };

/** An age with what is known of it. */
export interface Known {
  age: number;
  /** Its place in the list of ages. */
  at: number;
  place: Place;
}

/** The ages that say most, of those that are over for somebody: at most three. */
export function known({ unit, brackets, mean }: Pick<Report, 'unit' | 'brackets' | 'mean'>): Known[] {
  const places = meanOf(mean);
  const all = brackets.flatMap(({ from: age }, at): Known[] => {
    const place = places[at];
    return place === undefined ? [] : [{ age, at, place }];
  });
  return all.filter(({ age }, i) => i === 0 || milestones[unit].includes(age)).slice(0, 3);
}

/** The id of a unit that begins on a day (2031-05-14), as courses of the dashboard have them: 2031-5-14, 2031-w20 or 2031-5. */
export function stepId(day: string, unit: Unit): string {
  if (unit === 'week') return weekOf(day);
  const plain = day.replaceAll(/-0?/g, '-');
  return unit === 'day' ? plain : plain.slice(0, plain.lastIndexOf('-'));
}

/** In how many units people are active on average; undefined where nobody is. */
export function averageUnits({ stickiness }: Pick<Activity, 'stickiness'>): number | undefined {
  const users = stickiness.reduce((sum, row) => sum + row.users, 0);
  return users === 0 ? undefined : stickiness.reduce((sum, row) => sum + row.users * row.units, 0) / users;
}

/** Counts of all numbers of units up to the last one that has people, those without people too. */
export function filled(counts: readonly Count[]): Count[] {
  const most = Math.max(0, ...counts.map((c) => c.units));
  const users = new Map(counts.map((c) => [c.units, c.users]));
  return Array.from({ length: most }, (_, i) => ({ units: i + 1, users: users.get(i + 1) ?? 0 }));
}
