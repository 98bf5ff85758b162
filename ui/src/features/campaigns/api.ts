import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, upload, write } from '../../api/client';
import * as v from '../../api/schema';
import type { Period } from '../../lib/period';
import { timed, type Scope } from '../../parts/figures/api';

/** What visits and conversions are shown by. */
export const dimensions = ['channel', 'source', 'medium', 'campaign', 'content', 'keyword', 'id'] as const;
export type Dimension = (typeof dimensions)[number];

/** The channels in the order of their colours. */
export const channels = ['search', 'social', 'mail', 'paid', 'referral', 'campaign', 'store', 'direct'] as const;

/** The visits of a value. */
export const Visits = v.object({ _id: v.string(), t: v.number(), n: v.number(), u: v.number() });
export type Visits = v.Of<typeof Visits>;

/** Visits of a period by a dimension, and of each day (2031-5-14) by channel. */
export const Report = v.object({ rows: v.array(Visits), totals: Visits, days: v.array(v.string()), channels: v.record(v.array(v.number())) });
export type Report = v.Of<typeof Report>;

export function visits(app: Scope, period: Period, by: Dimension) {
  const { params, options } = timed(app, period);
  const asked = { ...params, by };
  return queryOptions({ queryKey: ['campaigns', app._id, 'visits', asked], queryFn: ({ signal }) => read('/o/attribution/visits', Report, asked, signal), ...options });
}

/** Which touch a conversion is credited to. */
export const models = ['last', 'first', 'linear'] as const;
export type Model = (typeof models)[number];

/** What is credited to a value; the id is empty for conversions without a touch. */
export const Credit = v.object({ _id: v.string(), conversions: v.number(), value: v.number(), users: v.number() });
export type Credit = v.Of<typeof Credit>;

export const Credits = v.object({ conversions: v.number(), users: v.number(), value: v.number(), rows: v.array(Credit) });
export type Credits = v.Of<typeof Credits>;

/** A question about conversions; no event stands for first sessions, the window is in days. */
export interface Question {
  period: Period;
  event: string;
  model: Model;
  window: number;
  by: Dimension;
}

export function creditParams(app: Scope, { period, event, ...rest }: Question) {
  return { ...timed(app, period).params, ...(event === '' ? {} : { event }), ...rest };
}

/** What conversions are credited to; onTask gets the task that finds it, where it takes the server long. */
export function credits(app: Scope, q: Question, onTask?: (id: string | undefined) => void) {
  const asked = creditParams(app, q);
  return queryOptions({
    queryKey: ['campaigns', app._id, 'credits', asked],
    queryFn: ({ signal }) => read('/o/attribution', Credits, asked, signal, onTask),
    ...timed(app, q.period).options,
    staleTime: 20_000,
  });
}

/** A campaign with the figures of a period. */
export const Campaign = v.object({
  _id: v.string(),
  name: v.string(),
  link: v.fallback(v.text, ''),
  links: v.fallback(v.record(v.text), {}),
  cost: v.number(),
  costtype: v.fallback(v.picklist(['click', 'install', 'campaign']), 'click'),
  is_hidden: v.fallback(v.boolean(), false),
  aclk: v.number(),
  clk: v.number(),
  bots: v.number(),
  ins: v.number(),
  ses: v.number(),
  rev: v.number(),
  totalCost: v.number(),
  path: v.string(),
});
export type Campaign = v.Of<typeof Campaign>;

/** All campaigns of an app. */
export function campaignList(app: Scope, period: Period, hidden: boolean) {
  const { params, options } = timed(app, period);
  const asked = { ...params, getTable: true, iDisplayLength: 2000, ...(hidden ? { filter: 'campaign-hidden' } : {}) };
  return queryOptions({
    queryKey: ['campaigns', app._id, 'list', asked],
    queryFn: async ({ signal }) => (await read('/o/campaign', v.object({ aaData: v.array(Campaign) }), asked, signal)).aaData,
    ...options,
  });
}

function useWrite<T, R>(appID: string, run: (change: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: run, onSuccess: () => queries.invalidateQueries({ queryKey: ['campaigns', appID] }) });
}

/** What is sent of a campaign; one without an id is new. */
export interface Draft {
  _id?: string;
  name: string;
  link: string;
  links: Record<string, string>;
  cost: number;
  costtype: Campaign['costtype'];
}

export function useSave(appID: string) {
  return useWrite(appID, ({ isNew, draft }: { isNew: boolean; draft: Draft }) => write(isNew ? '/i/campaign/create' : '/i/campaign/update', { app_id: appID, args: JSON.stringify(draft) }));
}

export function useDelete(appID: string) {
  return useWrite(appID, (id: string) => write('/i/campaign/delete', { app_id: appID, args: JSON.stringify({ _id: id }) }));
}

export function useHide(appID: string) {
  return useWrite(appID, ({ id, hide }: { id: string; hide: boolean }) => write(hide ? '/i/campaign/hide' : '/i/campaign/show', { app_id: appID, args: JSON.stringify({ campaign_id: id }) }));
}

/** What became of a file of costs. */
export const Imported = v.object({ rows: v.number(), days: v.number(), unmatched: v.array(v.text), missed: v.number() });
export type Imported = v.Of<typeof Imported>;

export function useImport(appID: string) {
  return useWrite(appID, (file: File) => {
    const form = new FormData();
    form.set('app_id', appID);
    form.set('import_file', file);
    return upload('/i/campaign/costs', Imported, form);
  });
}
