import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { wirePeriod, type Period } from '../../lib/period';

/** What a flow starts or ends with, or leaves out: an event, and of views the one of a name or id. */
export const Anchor = v.object({
  event: v.optional(v.string()),
  vid: v.optional(v.string()),
  cid: v.optional(v.string()),
  name: v.optional(v.string()),
  query: v.optional(v.record(v.unknown())),
});
export type Anchor = v.Of<typeof Anchor>;

/** A flow as it is kept. */
export const Flow = v.object({
  _id: v.string(),
  name: v.string(),
  type: v.fallback(v.string(), 'events'),
  start: Anchor,
  end: Anchor,
  exclude: v.fallback(v.array(Anchor), []),
  user_segmentation: v.fallback(v.record(v.unknown()), {}),
  period: v.fallback(v.string(), ''),
  options: v.fallback(v.record(v.unknown()), {}),
  created: v.number(),
});
export type Flow = v.Of<typeof Flow>;

/** A step of a level. Other stands for all that the level does not show. */
export const Node = v.object({
  event: v.optional(v.string()),
  name: v.optional(v.text),
  value: v.optional(v.text),
  other: v.optional(v.boolean()),
  paths: v.number(),
  users: v.number(),
  ended: v.number(),
});
export type Node = v.Of<typeof Node>;

/** The steps at a distance from the start, and where paths go from them, by the places of nodes in the next level. */
export const Level = v.object({
  level: v.number(),
  nodes: v.array(Node),
  links: v.array(v.object({ from: v.number(), to: v.number(), paths: v.number(), users: v.number() })),
});
export type Level = v.Of<typeof Level>;

/** The paths that a definition finds. */
export const Paths = v.object({ calculated: v.number(), paths: v.number(), users: v.number(), levels: v.array(Level) });
export type Paths = v.Of<typeof Paths>;

/** A definition as the API takes it. */
export interface Sent {
  type: string;
  start: Anchor;
  end: Anchor;
  exclude: Anchor[];
  user_segmentation?: object;
  options: object;
}

/** The parameters of a read of paths, as the API takes them. */
export function paramsOf(app: { _id: string; timezone: string }, sent: Sent, period: Period) {
  return { app_id: app._id, ...sent, period: wirePeriod(period, app.timezone) };
}

/** The paths of a definition; onTask gets the task that finds them, where it takes the server long. */
export function paths(app: { _id: string; timezone: string }, sent: Sent, period: Period, onTask?: (id: string | undefined) => void) {
  const params = paramsOf(app, sent, period);
  return queryOptions({
    queryKey: ['flows', app._id, 'paths', params],
    queryFn: ({ signal }) => read('/o/flows/paths', Paths, params, signal, onTask),
    staleTime: 30_000,
  });
}

/** The flows that are kept. */
export function flowList(appID: string) {
  return queryOptions({
    queryKey: ['flows', appID, 'list'],
    queryFn: async ({ signal }) => (await read('/o/flows', v.object({ aaData: v.array(Flow) }), { method: 'list', app_id: appID }, signal)).aaData,
  });
}

function useFlowWrite<T>(appID: string, run: (change: T) => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: run, onSuccess: () => queries.invalidateQueries({ queryKey: ['flows', appID, 'list'] }) });
}

/** Keeps a flow under a name. */
export function useSaveFlow(app: { _id: string; timezone: string }) {
  return useFlowWrite(app._id, ({ name, sent, period }: { name: string; sent: Sent; period: Period }) => write('/i/flows/create', { ...paramsOf(app, sent, period), name }));
}

/** Deletes a flow. */
export function useDeleteFlow(appID: string) {
  return useFlowWrite(appID, (id: string) => write('/i/flows/delete', { app_id: appID, _id: id }));
}
