import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { kinds } from '../../components/filter/filter';

export const Property = v.object({
  name: v.string(),
  /** One that the dashboard does not know can be asked for as any can. */
  kind: v.fallback(v.picklist(kinds), 'any'),
  /** What people call it, and whether it is not offered where one is chosen. */
  label: v.optional(v.string()),
  hidden: v.fallback(v.boolean(), false),
});
export type Property = v.Of<typeof Property>;

/** The events of an app with their properties, and the properties of users that the app made up. */
export const Properties = v.object({
  events: v.array(v.object({ key: v.string(), properties: v.array(Property) })),
  custom: v.array(Property),
});
export type Properties = v.Of<typeof Properties>;

export function properties(appID: string) {
  return queryOptions({
    queryKey: ['explore', appID, 'properties'],
    queryFn: ({ signal }) => read('/o/explore/properties', Properties, { app_id: appID }, signal),
    staleTime: 30_000,
  });
}

/** What people say about a property. */
export const Label = v.object({ label: v.fallback(v.string(), ''), description: v.fallback(v.string(), ''), hidden: v.fallback(v.boolean(), false) });
export type Label = v.Of<typeof Label>;

/** What people say about the properties of an app, by their paths. */
export function labels(appID: string) {
  return queryOptions({
    queryKey: ['explore', appID, 'labels'],
    queryFn: ({ signal }) => read('/o/properties', v.record(Label), { app_id: appID }, signal),
    staleTime: 30_000,
  });
}
