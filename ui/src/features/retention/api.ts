import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { wirePeriod, type Period } from '../../lib/period';
import { countParam } from '../../components/filter/CountBy';
import { isUsual, units, type Chosen } from './question';

/** The figures of an age: who came back, for whom it is over, and who of these came back. */
export const Cell = v.object({ users: v.number(), over: v.number(), kept: v.number() });
export type Cell = v.Of<typeof Cell>;

/** The ages of a cohort, of a group or of all; null where none has begun, or is over for nobody. */
const Cells = v.array(v.nullable(Cell));

/** A cohort, by its first day (2031-05-14). */
export const Cohort = v.object({ _id: v.string(), users: v.number(), cells: Cells });
export type Cohort = v.Of<typeof Cohort>;

/** All cohorts of a value of a property. */
export const Group = v.object({ value: v.unknown(), other: v.optional(v.boolean()), users: v.number(), cells: Cells });
export type Group = v.Of<typeof Group>;

/** How many came back. */
export const Report = v.object({
  unit: v.picklist(units),
  users: v.number(),
  brackets: v.array(v.object({ from: v.number() })),
  rows: v.array(Cohort),
  mean: Cells,
  groups: v.optional(v.array(Group)),
  source: v.string(),
});
export type Report = v.Of<typeof Report>;

/** What is asked of retention. */
export interface Question extends Chosen {
  period: Period;
  /** How many ages, from 1. */
  ages: number;
}

/** How many groups are drawn; with the others as one there is a colour for each. */
const shownGroups = 5;

interface AppZone {
  _id: string;
  timezone: string;
}

/** The parameters of a question, as the API takes them. */
export function paramsOf(app: AppZone, q: Question): Record<string, string | number> {
  const events = (list: readonly string[], name: string) => (isUsual(list) ? {} : { [name]: JSON.stringify(list) });
  return {
    app_id: app._id,
    period: wirePeriod(q.period, app.timezone),
    unit: q.unit,
    start_type: q.first ? 'first' : 'recurring',
    ...events(q.start, 'start'),
    ...events(q.back, 'return'),
    mode: q.mode,
    span: q.ages,
    ...(Object.keys(q.filter).length === 0 ? {} : { query: JSON.stringify(q.filter) }),
    ...(q.by === '' ? {} : { breakdown: q.by, breakdown_limit: shownGroups }),
    ...countParam(q.count),
  };
}

/** How many came back; onTask gets the task that finds it, where it takes the server long. */
export function report(app: AppZone, q: Question, onTask?: (id: string | undefined) => void) {
  const params = paramsOf(app, q);
  return queryOptions({
    queryKey: ['retention', app._id, 'report', params],
    queryFn: ({ signal }) => read('/o/retention', Report, params, signal, onTask),
    staleTime: 30_000,
  });
}

/** The numbers of the people behind a cell. */
export const People = v.object({ users: v.number(), uids: v.array(v.string()) });

/** The people of a cohort, by its place, or those of it who count at an age; onTask gets the task that finds them, where it takes the server long. */
export function people(app: AppZone, q: Question, cohort: number, age?: number, onTask?: (id: string | undefined) => void) {
  const params = { ...paramsOf(app, { ...q, by: '' }), cohort, ...(age === undefined ? {} : { bracket: age }) };
  return queryOptions({
    queryKey: ['retention', app._id, 'people', params],
    queryFn: ({ signal }) => read('/o/retention/people', People, params, signal, onTask),
    staleTime: 30_000,
  });
}

/** A unit by who is active in it, and who no longer is. */
export const Phase = v.object({ _id: v.string(), new: v.number(), returning: v.number(), resurrected: v.number(), dormant: v.number() });
export type Phase = v.Of<typeof Phase>;

const Counts = v.array(v.object({ units: v.number(), users: v.number() }));

/** How many people by a number of units. */
export type Count = v.Of<typeof Counts>[number];

/** How regularly people are active. */
export const Activity = v.object({
  unit: v.picklist(units),
  users: v.number(),
  lifecycle: v.array(Phase),
  stickiness: Counts,
  interval: v.object({ users: v.number(), median: v.number(), p80: v.number(), histogram: Counts }),
});
export type Activity = v.Of<typeof Activity>;

/** What is asked of activity. */
export type Asked = Pick<Question, 'period' | 'unit' | 'start' | 'count'>;

/** The parameters of a question about activity, as the API takes them. */
export function activityParams(app: AppZone, { period, unit, start, count }: Asked): Record<string, string> {
  return { app_id: app._id, period: wirePeriod(period, app.timezone), unit, ...(isUsual(start) ? {} : { events: JSON.stringify(start) }), ...countParam(count) };
}

/** How regularly people are active; onTask gets the task that finds it, where it takes the server long. */
export function activity(app: AppZone, asked: Asked, onTask?: (id: string | undefined) => void) {
  const params = activityParams(app, asked);
  return queryOptions({
    queryKey: ['retention', app._id, 'activity', params],
    queryFn: ({ signal }) => read('/o/retention/activity', Activity, params, signal, onTask),
    staleTime: 30_000,
  });
}
