import { queryOptions } from '@tanstack/react-query';
import type { App } from '../../access/apps';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { readFilter } from '../../components/filter/filter';
import { addDays, today, type Period, type Span } from '../../lib/period';
import { timed, type Scope } from '../../parts/figures/api';
import { isUsual } from '../retention/question';
import { sessionKey } from '../../parts/events/useEventNames';
import { behind, type Question as Trend } from '../../parts/trends/api';

/** The people of a day, of 7 and of 30 days. */
const Triple = { d: v.number(), w: v.number(), m: v.number() };

/** Averages over days, with the people of a day as a share of those of 7 (dw) and of 30 days (dm), in percent. */
export const Mean = v.object({ ...Triple, dm: v.number(), dw: v.number() });
export type Mean = v.Of<typeof Mean>;

/** A day of the period, 2031-5-14. */
export const Day = v.object({ _id: v.string(), ...Triple, dm: v.number() });
export type Day = v.Of<typeof Day>;

/** A calendar week or month. */
export const Unit = v.object({ _id: v.string(), u: v.number(), over: v.boolean() });
export type Unit = v.Of<typeof Unit>;

/** The people of a value of a property. */
export const Group = v.object({ value: v.unknown(), other: v.optional(v.boolean()), users: v.number(), mean: Mean, days: v.array(v.object(Triple)) });
export type Group = v.Of<typeof Group>;

/** How many people are active. */
export const Report = v.object({
  today: v.string(),
  users: v.number(),
  mean: Mean,
  mean_days: v.number(),
  days: v.array(Day),
  weeks: v.array(Unit),
  months: v.array(Unit),
  groups: v.optional(v.array(Group)),
  groups_total: v.optional(v.number()),
  source: v.string(),
});
export type Report = v.Of<typeof Report>;

/** What is asked: what makes people active, and the path of a property to break down by; or the apps, this one among them, whose people are counted together. */
export interface Question {
  period: Period;
  events: string[];
  by: string;
  apps: readonly App[];
}

/** How many groups are drawn. */
export const shownGroups = 5;

/** The parameters of a question, as the API takes them. */
export function paramsOf(app: Scope, { period, events, by, apps }: Question): Record<string, string | number> {
  if (apps.length > 0) return { ...timed({ _id: app._id, timezone: app.timezone }, period).params, apps: JSON.stringify(apps.map((a) => a._id)) };
  return {
    ...timed(app, period).params,
    ...(isUsual(events) ? {} : { events: JSON.stringify(events) }),
    ...(by === '' ? {} : { breakdown: by, breakdown_limit: shownGroups }),
  };
}

/** How many people are active; onTask gets the task that finds it, where it takes the server long. */
export function report(app: Scope, q: Question, onTask?: (id: string | undefined) => void) {
  const params = paramsOf(app, q);
  return queryOptions({
    queryKey: ['active', app._id, params],
    queryFn: ({ signal }) => read('/o/active_users/report', Report, params, signal, onTask),
    ...timed(app, q.period).options,
    staleTime: 20_000,
  });
}

/** How many days people are counted over, up to a day. */
export const windows = { d: 1, w: 7, m: 30 } as const;
export type Window = keyof typeof windows;

/** The days that end with the last one of a span, or with today, and are those of a window. */
export function spanOfWindow(span: Span, zone: string, window: Window, now = new Date()): Span {
  const last = today(zone, now);
  const to = span.to < last ? span.to : last;
  return { from: addDays(to, 1 - windows[window]), to };
}

/** The people of a window who did one event, those who did it most often first. */
export function people(app: Scope, event: string, span: Span) {
  const q: Trend = {
    event: event === sessionKey ? '[CLY]_session_begin' : event,
    measure: 'u',
    filter: readFilter(app.filter ?? '') ?? {},
    by: [],
    period: { kind: 'custom', ...span },
    bucket: 'daily',
    before: undefined,
  };
  return behind(app, q);
}
