import { queryOptions } from '@tanstack/react-query';
import { ApiError, read } from '../../api/client';
import * as v from '../../api/schema';

/** The lengths of radii, in km. */
export const units = { km: 1, m: 0.001, mi: 1.609344, ft: 0.0003048 } as const;
export type Unit = keyof typeof units;

/** A circle on the map that people keep; without an app, it is of all apps. */
export const Place = v.object({
  _id: v.string(),
  title: v.string(),
  radius: v.number(),
  unit: v.picklist(['km', 'm', 'mi', 'ft']),
  geo: v.object({ coordinates: v.tuple([v.number(), v.number()]) }),
  app: v.nullable(v.string()),
  address: v.string(),
});
export type Place = v.Of<typeof Place>;

/** The places of an app and of all apps. */
export function placeList(appID: string) {
  return queryOptions({
    queryKey: ['places', appID],
    queryFn: async ({ signal }): Promise<Place[]> => {
      try {
        return await read('/o', v.array(Place), { method: 'get_locations', app_id: appID }, signal);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'places.none') return [];
        throw error;
      }
    },
    staleTime: 30_000,
  });
}

/** Where cities of a country lie, and what its regions are called. */
export const Cities = v.object({
  known: v.boolean(),
  cities: v.array(v.object({ name: v.string(), region: v.string(), lat: v.number(), lng: v.number() })),
  regions: v.record(v.string()),
});
export type Cities = v.Of<typeof Cities>;

export function citiesOf(appID: string, country: string, names: readonly string[]) {
  return queryOptions({
    queryKey: ['cities', appID, country, names],
    queryFn: ({ signal }) => read('/o/places/cities', Cities, { app_id: appID, country, cities: names }, signal),
    staleTime: 300_000,
  });
}

/** Where an address is; nothing where that is not known. */
export const Location = v.object({
  location: v.nullable(v.object({ country: v.string(), region: v.string(), city: v.string(), ll: v.optional(v.tuple([v.number(), v.number()])) })),
});
export type Location = v.Of<typeof Location>;

export function locationOf(appID: string, address: string) {
  return queryOptions({
    queryKey: ['lookup', appID, address],
    queryFn: ({ signal }) => read('/o', Location, { method: 'lookup', app_id: appID, ip_address: address === '' ? undefined : address }, signal),
    retry: false,
  });
}

/** Which geo database the server uses, times in ms. */
export const Database = v.object({
  kind: v.string(),
  file: v.string(),
  built: v.number(),
  loaded: v.number(),
  bytes: v.number(),
  cities: v.number(),
  fault: v.string(),
});
export type Database = v.Of<typeof Database>;

export const database = queryOptions({
  queryKey: ['places', 'database'],
  queryFn: ({ signal }) => read('/o/places/database', Database, {}, signal),
});
