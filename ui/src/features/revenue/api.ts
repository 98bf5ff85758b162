import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { stepParam, type Granularity } from '../../lib/granularity';
import { wirePeriod, type Period, type Span } from '../../lib/period';
import { filterParam, timed, type Scope } from '../../parts/figures/api';
import { units, type Unit } from '../retention/question';

const figures = {
  revenue: v.number(),
  refunds: v.number(),
  transactions: v.number(),
  paying: v.number(),
  users: v.nullable(v.number()),
  arpu: v.nullable(v.number()),
  arppu: v.nullable(v.number()),
  average_order: v.nullable(v.number()),
  transactions_per_payer: v.nullable(v.number()),
  paying_percent: v.nullable(v.number()),
};

/** What people paid; null where it is unknown. */
export const Figures = v.object(figures);
export type Figures = v.Of<typeof Figures>;

/** A step of time, as 2031.5.14, 2031.5.14.9, 2031.w20 or 2031.5. */
const Point = v.object({ at: v.string(), ...figures });

/** What people with some value of a property paid. */
export const Group = v.object({ values: v.array(v.unknown()), ...figures, data: v.optional(v.array(Point)) });
export type Group = v.Of<typeof Group>;

/** What people paid in a period. */
export const Report = v.object({
  events: v.array(v.string()),
  configured: v.array(v.string()),
  totals: Figures,
  data: v.array(Point),
  groups: v.optional(v.array(Group)),
  other: v.optional(v.object({ groups: v.number(), ...figures })),
  compare: v.optional(
    v.object({
      totals: Figures,
      data: v.array(v.object({ beside: v.string(), at: v.string(), ...figures })),
      groups: v.optional(v.array(Figures)),
    }),
  ),
});
export type Report = v.Of<typeof Report>;

/** What is asked. */
export interface Question {
  period: Period;
  /** Purchases in place of those of the app; none = those of the app. */
  events: readonly string[];
  /** The path of a property; empty for no breakdown. */
  by: string;
}

/** How many groups a table has, beside the others as one. */
export const shownGroups = 20;

const eventsParam = (events: readonly string[]) => (events.length === 0 ? {} : { events: JSON.stringify(events) });
const byParam = (by: string, most: number) => (by === '' ? {} : { breakdown: JSON.stringify([by]), breakdown_limit: most });

/** The parameters of a report, as the API takes them. */
export function reportParams(app: Scope, { period, events, by }: Question, step: Granularity, before: Span | undefined): Record<string, string | number> {
  return {
    app_id: app._id,
    period: wirePeriod(period, app.timezone),
    bucket: stepParam(step),
    ...eventsParam(events),
    ...filterParam(app),
    ...byParam(by, shownGroups),
    ...(before === undefined ? {} : { compare: wirePeriod({ kind: 'custom', ...before }, app.timezone) }),
  };
}

/** What people paid; onTask gets the task that finds it, where it takes the server long. */
export function report(app: Scope, q: Question, step: Granularity, before: Span | undefined, onTask?: (id: string | undefined) => void) {
  const params = reportParams(app, q, step, before);
  return queryOptions({
    queryKey: ['revenue', app._id, 'report', params],
    queryFn: ({ signal }) => read('/o/revenue/report', Report, params, signal, onTask),
    ...timed(app, q.period).options,
  });
}

/** What a person has spent up to the end of an age; null where the age is over for nobody. */
const Curve = v.array(v.nullable(v.object({ users: v.number(), ltv: v.number(), paying_percent: v.number() })));
export type Curve = v.Of<typeof Curve>;

/** What a cohort has spent up to the end of an age. */
export const Cell = v.object({ revenue: v.number(), paying: v.number(), ltv: v.nullable(v.number()), over: v.boolean() });
export type Cell = v.Of<typeof Cell>;

/** What people spend, by how long ago they were first seen. */
export const Lifetimes = v.object({
  events: v.array(v.string()),
  configured: v.array(v.string()),
  unit: v.picklist(units),
  users: v.number(),
  curve: Curve,
  rows: v.array(v.object({ _id: v.string(), users: v.number(), cells: v.array(v.nullable(Cell)) })),
  groups: v.optional(v.array(v.object({ value: v.unknown(), other: v.optional(v.boolean()), users: v.number(), curve: Curve }))),
});
export type Lifetimes = v.Of<typeof Lifetimes>;

/** How many groups of lifetimes are drawn; with the others as one there is a colour for each. */
const drawnGroups = 5;

/** What is asked of lifetimes. */
export interface Asked extends Question {
  unit: Unit;
  /** How many ages, from 0. */
  ages: number;
}

/** The parameters of a question about lifetimes, as the API takes them. */
export function lifetimeParams(app: Scope, { period, events, by, unit, ages }: Asked): Record<string, string | number> {
  return {
    app_id: app._id,
    period: wirePeriod(period, app.timezone),
    unit,
    ages,
    ...eventsParam(events),
    ...filterParam(app),
    ...(by === '' ? {} : { breakdown: by, breakdown_limit: drawnGroups }),
  };
}

/** What people spend, by age; onTask gets the task that finds it, where it takes the server long. */
export function lifetimes(app: Scope, asked: Asked, onTask?: (id: string | undefined) => void) {
  const params = lifetimeParams(app, asked);
  return queryOptions({
    queryKey: ['revenue', app._id, 'ltv', params],
    queryFn: ({ signal }) => read('/o/revenue/ltv', Lifetimes, params, signal, onTask),
    staleTime: 30_000,
  });
}

/** Sets which events of an app are purchases. */
export function useSetPurchases(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (events: readonly string[]) => write('/i/apps/update/plugins', { app_id: appID, args: { revenue: { iap_events: events } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['revenue', appID] }),
  });
}
