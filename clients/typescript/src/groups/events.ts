// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postEventsChangeVisibility}. */
export interface PostEventsChangeVisibilityParams {
  /** Id of the app. */
  app_id: string;
  /** Keys of events. */
  events: Json;
  /** Whether events are shown or hidden. */
  set_visibility: "show" | "hide";
}

/** Parameters of {@link Quipu.postEventsDeleteEvents}. */
export interface PostEventsDeleteEventsParams {
  /** Id of the app. */
  app_id: string;
  /** Keys of events. */
  events: Json;
}

/** Parameters of {@link Quipu.postEventsEditMap}. */
export interface PostEventsEditMapParams {
  /** Id of the app. */
  app_id: string;
  /** Names, descriptions and visibility of events by key. */
  event_map?: Json;
  /** Keys of events in the order in which menus list them. */
  event_order?: Json;
  /** Events and properties that the overview of events shows. */
  event_overview?: Json;
  /** Segments that are left out, by event. */
  omitted_segments?: Json;
}

/** Parameters of {@link Quipu.postEventsWhitelistSegments}. */
export interface PostEventsWhitelistSegmentsParams {
  /** Id of the app. */
  app_id: string;
  /** Segments that are kept, by event. */
  whitelisted_segments: Json;
}

/** Parameters of {@link Quipu.getMethodGetEvents}. */
export interface GetMethodGetEventsParams {
  /** Id of the app. */
  app_id: string;
}

/** Operations of the group events. */
export class EventsOperations extends Base {
  /** Show or hide events. Needs the right to update `events`.
   * `POST /i/events/change_visibility` */
  postEventsChangeVisibility(p: PostEventsChangeVisibilityParams): Promise<Result> {
    return this.call('POST', '/i/events/change_visibility', p, { app_id: 'body', events: 'body', set_visibility: 'body' });
  }

  /** Delete events with their data. Needs the right to delete `events`.
   * `POST /i/events/delete_events` */
  postEventsDeleteEvents(p: PostEventsDeleteEventsParams): Promise<Result> {
    return this.call('POST', '/i/events/delete_events', p, { app_id: 'body', events: 'body' });
  }

  /** Name, describe and order events. Needs the right to update `events`.
   * `POST /i/events/edit_map` */
  postEventsEditMap(p: PostEventsEditMapParams): Promise<Result> {
    return this.call('POST', '/i/events/edit_map', p, { app_id: 'body', event_map: 'body', event_order: 'body', event_overview: 'body', omitted_segments: 'body' });
  }

  /** Choose the segments that are kept. Needs the right to update `events`.
   * `POST /i/events/whitelist_segments` */
  postEventsWhitelistSegments(p: PostEventsWhitelistSegmentsParams): Promise<Result> {
    return this.call('POST', '/i/events/whitelist_segments', p, { app_id: 'body', whitelisted_segments: 'body' });
  }

  /** Events of an app with their segments. Needs the right to read `core`. The same as `/o?method=get_events`.
   * `GET /o/method/get_events` */
  getMethodGetEvents(p: GetMethodGetEventsParams): Promise<EventsList> {
    return this.call('GET', '/o/method/get_events', p, { app_id: 'query' });
  }
}

export interface EventsCard {
  eventKey: string;
  eventName: string;
  eventProperty: string;
  is_event_group: boolean;
  order: number;
  propertyName: string;
}

export interface EventsLimits {
  event_limit: number;
  event_segmentation_limit: number;
  event_segmentation_value_limit: number;
}

export interface EventsList {
  limits: EventsLimits;
  list?: Array<string>;
  map?: Record<string, Record<string, Json>>;
  omitted_segments?: Record<string, Array<string>>;
  order?: Array<string>;
  overview?: Array<EventsCard>;
  segments?: Record<string, Array<string>>;
  whitelisted_segments?: Record<string, Array<string>>;
}
