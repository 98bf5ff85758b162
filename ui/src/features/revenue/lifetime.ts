import type { Unit } from '../retention/question';
import type { Curve, Lifetimes } from './api';

/** The ages that are spoken of first. */
const milestones: Record<Unit, readonly number[]> = { day: [0, 7, 14, 30], week: [0, 4, 12, 26], month: [0, 3, 6, 12, 24] };

/** An age with what is known of it. */
export interface Spoken {
  age: number;
  point: NonNullable<Curve[number]>;
}

/** The ages that say most, of those that are over for somebody: the first, and at most two more, the last one if no milestone is reached. */
export function spokenOf({ unit, curve }: Pick<Lifetimes, 'unit' | 'curve'>): Spoken[] {
  const all = curve.flatMap((point, age): Spoken[] => (point === null ? [] : [{ age, point }]));
  const last = all.at(-1)?.age;
  const found = all.filter(({ age }) => milestones[unit].includes(age) || age === last);
  return found.length <= 3 ? found : [found[0], ...found.slice(-2)].flatMap((one) => one ?? []);
}
