import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';

/** How the keys of defined events begin. */
export const definedPrefix = '[CLY]_defined_';

/** An event within a definition: its key, a filter, and of views the name of one. */
export const Part = v.object({ event: v.string(), query: v.fallback(v.record(v.unknown()), {}), name: v.optional(v.text) });
export type Part = v.Of<typeof Part>;

/** A name for several events, each with a filter. Times are in ms. */
export const Defined = v.object({
  _id: v.string(),
  name: v.string(),
  description: v.fallback(v.text, ''),
  events: v.array(v.union([Part, v.string()])),
  hide: v.fallback(v.boolean(), false),
  changed: v.fallback(v.number(), 0),
});
export type Defined = v.Of<typeof Defined>;

/** The parts of a definition, those that are but a key included. */
export const partsOf = ({ events }: Pick<Defined, 'events'>): Part[] => events.map((e) => (typeof e === 'string' ? { event: e, query: {} } : e));

/** The keys that menus leave out, as a definition that takes them whole stands for them. */
export function hiddenBy(list: readonly Defined[]): ReadonlySet<string> {
  return new Set(list.filter((d) => d.hide).flatMap((d) => partsOf(d).flatMap((p) => (Object.keys(p.query).length === 0 && p.name === undefined ? [p.event] : []))));
}

/** The defined events of an app, by name. */
export function definedEvents(appID: string) {
  return queryOptions({
    queryKey: ['defined', appID, 'list'],
    queryFn: ({ signal }) => read('/o/defined_events', v.array(Defined), { app_id: appID }, signal),
    staleTime: 30_000,
  });
}

/** What names an event, as far as the member may see it, and how many others do. */
export const Uses = v.record(v.object({ uses: v.array(v.object({ kind: v.string(), id: v.string(), name: v.fallback(v.text, '') })), others: v.number() }));
export type Uses = v.Of<typeof Uses>;

/** What names an event. */
export function usesOf(appID: string, event: string) {
  return queryOptions({
    queryKey: ['defined', appID, 'uses', event],
    queryFn: ({ signal }) => read('/o/defined_events/uses', Uses, { app_id: appID, event }, signal),
  });
}

/** The figures that a definition would have: people and times of the last 30 days. */
export const Preview = v.object({ u: v.number(), t: v.number() });

/** The figures that a definition would have. */
export function preview(appID: string, events: readonly Part[]) {
  const asked = { app_id: appID, events: JSON.stringify(events), period: '30days' };
  return queryOptions({
    queryKey: ['defined', appID, 'preview', asked],
    queryFn: ({ signal }) => read('/o/defined_events/preview', Preview, asked, signal),
    enabled: events.length > 0,
    retry: false,
  });
}

/** What is kept of a definition. */
export type Draft = Pick<Defined, 'name' | 'description' | 'hide'> & { _id?: string; events: Part[] };

/** Keeps a definition; pages that ask about events hear of it. */
export function useSaveDefined(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ _id, events, ...rest }: Draft) =>
      write(_id === undefined ? '/i/defined_events/create' : '/i/defined_events/update', { app_id: appID, ...(_id === undefined ? {} : { id: _id }), ...rest, events: JSON.stringify(events) }),
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** Deletes a definition, also one that is in use: the page has said by what. */
export function useDeleteDefined(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/defined_events/delete', { app_id: appID, id, force: true }),
    onSuccess: () => queries.invalidateQueries(),
  });
}
