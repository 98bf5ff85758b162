// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postGeolocationsCreate}. */
export interface PostGeolocationsCreateParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postGeolocationsDelete}. */
export interface PostGeolocationsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the place. */
  gid: string;
}

/** Parameters of {@link Quipu.getMethodGetLocations}. */
export interface GetMethodGetLocationsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodLookup}. */
export interface GetMethodLookupParams {
  /** Id of the app. */
  app_id: string;
  /** Address of IPv4 or IPv6; without it, the caller's. */
  ip_address?: string;
}

/** Parameters of {@link Quipu.getPlacesCities}. */
export interface GetPlacesCitiesParams {
  /** Id of the app. */
  app_id: string;
  /** ISO 3166 code of two capital letters. */
  country: string;
  /** Names of cities, at most 1,000, as sessions have them. */
  cities?: Json;
}

/** Operations of the group places. */
export class PlacesOperations extends Base {
  /** Create a place: a circle on the map. Needs the right to create `geo`.
   * `POST /i/geolocations/create` */
  postGeolocationsCreate(p: PostGeolocationsCreateParams): Promise<PlacesCreated | Json> {
    return this.call('POST', '/i/geolocations/create', p, { app_id: 'body', args: 'body' });
  }

  /** Delete a place. Needs the right to delete `geo`.
   * `POST /i/geolocations/delete` */
  postGeolocationsDelete(p: PostGeolocationsDeleteParams): Promise<PlacesDeleted> {
    return this.call('POST', '/i/geolocations/delete', p, { app_id: 'body', gid: 'body' });
  }

  /** Places of the app and of all apps. Needs the right to read `geo`. The same as `/o?method=get_locations`.
   * `GET /o/method/get_locations` */
  getMethodGetLocations(p: GetMethodGetLocationsParams): Promise<Array<PlacesShown> | Result> {
    return this.call('GET', '/o/method/get_locations', p, { app_id: 'query' });
  }

  /** Where an address is. Needs the right to read `geo`. The same as `/o?method=lookup`.
   * `GET /o/method/lookup` */
  getMethodLookup(p: GetMethodLookupParams): Promise<PlacesLookupRes> {
    return this.call('GET', '/o/method/lookup', p, { app_id: 'query', ip_address: 'query' });
  }

  /** Where cities of a country lie. Needs the right to read `core`.
   * `GET /o/places/cities` */
  getPlacesCities(p: GetPlacesCitiesParams): Promise<PlacesCitiesRes> {
    return this.call('GET', '/o/places/cities', p, { app_id: 'query', country: 'query', cities: 'query' });
  }

  /** Which geo database is in use. For global administrators.
   * `GET /o/places/database` */
  getPlacesDatabase(): Promise<PlacesDatabaseRes> {
    return this.call('GET', '/o/places/database');
  }
}

export interface PlacesCitiesRes {
  cities: Array<PlacesCity>;
  known: boolean;
  regions: Record<string, string>;
}

export interface PlacesCity {
  lat: number;
  lng: number;
  name: string;
  region: string;
}

export interface PlacesCreated {
  _id: string;
  address: string;
  app: string | null;
  created: number;
  geo: PlacesPoint;
  radius: number;
  title: string;
  unit: string;
}

export interface PlacesDatabaseRes {
  built: number;
  bytes: number;
  cities: number;
  fault: string;
  file: string;
  kind: string;
  loaded: number;
}

export interface PlacesDeleted {
  _id: string;
  address: string;
  app: string | null;
  deleted: boolean;
  geo: PlacesPoint;
  radius: number;
  title: string;
  unit: string;
}

export interface PlacesLocation {
  city: string;
  country: string;
  ll?: Array<number> | null;
  region: string;
}

export interface PlacesLookupRes {
  location: PlacesLocation | Json;
}

export interface PlacesPoint {
  coordinates: Array<number>;
  type: string;
}

export interface PlacesShown {
  _id: string;
  address: string;
  app: string | null;
  geo: PlacesPoint;
  radius: number;
  title: string;
  unit: string;
}
