import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import type { EventList } from './api';

/** An event as people manage it. */
export interface Managed {
  key: string;
  name: string;
  desc: string;
  visible: boolean;
  segments: string[];
  omitted: string[];
}

/** The events of a list in the order that people gave them; the others follow by key. */
export function managed(list: EventList): Managed[] {
  const order = new Map((list.order ?? []).map((key, i) => [key, i]));
  const place = (key: string) => order.get(key) ?? order.size;
  return [...(list.list ?? [])]
    .sort((a, b) => place(a) - place(b) || a.localeCompare(b))
    .map((key) => {
      const about = list.map?.[key];
      return {
        key,
        name: about?.name ?? '',
        desc: about?.desc ?? '',
        visible: about?.is_visible !== false,
        segments: list.segments?.[key] ?? [],
        omitted: list.omitted_segments?.[key] ?? [],
      };
    });
}

/** The keys in another order: one of them moved by some places. */
export function moved(keys: readonly string[], key: string, by: number): string[] {
  const from = keys.indexOf(key);
  const to = from + by;
  if (from < 0 || to < 0 || to >= keys.length) return [...keys];
  const rest = keys.filter((k) => k !== key);
  return [...rest.slice(0, to), key, ...rest.slice(to)];
}

function useEventWrite<T>(appID: string, run: (change: T) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: run, onSuccess: () => queries.invalidateQueries({ queryKey: ['events', appID] }) });
}

export interface EventText {
  key: string;
  name: string;
  desc: string;
  visible: boolean;
  /** Segments that are counted no more, whose values go. */
  omitted: string[];
}

/** Names an event, shows or hides it, and says which segments are left out. */
export function useSaveEvent(appID: string) {
  return useEventWrite(appID, ({ key, name, desc, visible, omitted }: EventText) =>
    write('/i/events/edit_map', {
      app_id: appID,
      event_map: { [key]: { name, desc, ...(visible ? {} : { is_visible: false }) } },
      omitted_segments: { [key]: omitted },
    }),
  );
}

export function useOrderEvents(appID: string) {
  return useEventWrite(appID, (order: string[]) => write('/i/events/edit_map', { app_id: appID, event_order: order }));
}

export function useShowEvents(appID: string) {
  return useEventWrite(appID, ({ keys, show }: { keys: string[]; show: boolean }) =>
    write('/i/events/change_visibility', { app_id: appID, events: keys, set_visibility: show ? 'show' : 'hide' }),
  );
}

export function useDeleteEvents(appID: string) {
  return useEventWrite(appID, (keys: string[]) => write('/i/events/delete_events', { app_id: appID, events: keys }));
}

/** Events that read as one. */
export const EventGroup = v.object({
  _id: v.string(),
  name: v.string(),
  description: v.optional(v.string()),
  source_events: v.array(v.string()),
  /** Whether it is shown. */
  status: v.boolean(),
});
export type EventGroup = v.Of<typeof EventGroup>;

export function eventGroups(appID: string) {
  return queryOptions({
    queryKey: ['events', appID, 'groups'],
    queryFn: ({ signal }) => read('/o', v.array(EventGroup), { method: 'get_event_groups', app_id: appID }, signal),
  });
}

/** Makes a group, or changes the one of an id. */
export function useSaveGroup(appID: string) {
  return useEventWrite(appID, ({ _id, ...group }: Omit<EventGroup, '_id'> & { _id?: string }) =>
    _id === undefined
      ? write('/i/event_groups/create', { args: { app_id: appID, ...group } })
      : write('/i/event_groups/update', { args: { app_id: appID, _id, ...group } }),
  );
}

export function useDeleteGroup(appID: string) {
  return useEventWrite(appID, (id: string) => write('/i/event_groups/delete', { args: { app_id: appID, _id: id } }));
}
