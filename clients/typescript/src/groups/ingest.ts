// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.postI}. */
export interface PostIParams {
  /** Identifies the request for at least 48 hours: a repeat gets the same answer and counts nothing. A random UUID at best. */
  'Idempotency-Key'?: string;
  /** Ids of advertising. */
  aid?: Json;
  /** Token for messages, Android. */
  android_token?: string;
  /** A trace: `type`, `name`, `apm_metrics`. */
  apm?: Json;
  /** Key of the app. */
  app_key: string;
  /** Where the user came from. */
  attribution_data?: Json;
  /** Version of the app. */
  av?: string;
  /** Starts a session. */
  begin_session?: boolean;
  /** Campaign that the user came by. */
  campaign_id?: string;
  /** User of the campaign. */
  campaign_user?: string;
  /** SHA-1 of the parameters and the salt of the app. */
  checksum?: string;
  /** SHA-256 of the parameters and the salt of the app, in hexadecimal. */
  checksum256?: string;
  /** City. */
  city?: string;
  /** Consents by feature. */
  consent?: Json;
  /** Country, two letters. */
  country_code?: string;
  /** A crash: `_error`, `_os`, `_app_version` and so on. */
  crash?: Json;
  /** Id of the device. */
  device_id: string;
  /** Day of the week on the device, 0 for Sunday. */
  dow?: number;
  /** Ends the session. */
  end_session?: boolean;
  /** Events: each with `key`, and `count`, `sum`, `dur`, `segmentation`, `timestamp`, `hour`, `dow`. */
  events?: Json;
  /** Health of the SDK. */
  hc?: Json;
  /** Hour on the device, 0 to 23. */
  hour?: number;
  /** Starts a new session although the last one has just ended. */
  ignore_cooldown?: boolean;
  /** Token for messages, iOS. */
  ios_token?: string;
  /** Address by which the place is found. */
  ip?: string;
  /** Address by which the place is found. */
  ip_address?: string;
  /** Name of a value of the call. */
  key?: string;
  /** Names of values of the call. */
  keys?: Json;
  /** Latitude and longitude, with a comma between. */
  location?: string;
  /** Call of the SDK: `ab`, `ab_opt_out`, `ab_enroll_variant`. */
  method?: string;
  /** What the device is: `_os`, `_os_version`, `_device`, `_app_version`, `_locale` and so on. */
  metrics?: Json;
  /** Id that the device had before: both users become one. */
  old_device_id?: string;
  /** The answer says what became of each item. */
  receipt?: boolean;
  /** Region. */
  region?: string;
  /** How many requests the queue of the client still holds. */
  rr?: number;
  /** Name of the SDK. */
  sdk_name?: string;
  /** Version of the SDK. */
  sdk_version?: string;
  /** Seconds since the last such request of the session. */
  session_duration?: number;
  /** Kind of the device id: 0 of the developer, 1 made by the SDK, 2 temporary. */
  t?: number;
  /** Kind of the token. */
  test_mode?: number;
  /** Moment of the request, ms since 1970; that of receipt without it. */
  timestamp?: number;
  /** Who sends messages: `FCM`, `HMS`. */
  token_provider?: string;
  /** Brings a token for messages. */
  token_session?: boolean;
  /** Distance of the device from UTC, in minutes. */
  tz?: number;
  /** Properties of the user: `name`, `email`, `custom` and so on. */
  user_details?: Json;
  /** Variant of the call. */
  variant?: string;
}

/** Parameters of {@link Quipu.postBulk}. */
export interface PostBulkParams {
  /** Identifies the request for at least 48 hours: a repeat gets the same answer and counts nothing. A random UUID at best. */
  'Idempotency-Key'?: string;
  /** Key of the app. */
  app_key?: string;
  /** The answer says what became of each item. */
  receipt?: boolean;
  /** The requests. */
  requests: Json;
}

/** Parameters of {@link Quipu.getPixel}. */
export interface GetPixelParams {
  /** Key of the app. */
  app_key: string;
  /** Id of the device. */
  device_id: string;
}

/** Operations of the group ingest. */
export class IngestOperations extends Base {
  /** Send a request of a client. Sessions, events, crashes and properties of one user. The answer comes when the request is on disk.
   * `POST /i` */
  postI(p: PostIParams): Promise<Stored> {
    return this.call('POST', '/i', p, { 'Idempotency-Key': 'header', aid: 'body', android_token: 'body', apm: 'body', app_key: 'body', attribution_data: 'body', av: 'body', begin_session: 'body', campaign_id: 'body', campaign_user: 'body', checksum: 'body', checksum256: 'body', city: 'body', consent: 'body', country_code: 'body', crash: 'body', device_id: 'body', dow: 'body', end_session: 'body', events: 'body', hc: 'body', hour: 'body', ignore_cooldown: 'body', ios_token: 'body', ip: 'body', ip_address: 'body', key: 'body', keys: 'body', location: 'body', method: 'body', metrics: 'body', old_device_id: 'body', receipt: 'body', region: 'body', rr: 'body', sdk_name: 'body', sdk_version: 'body', session_duration: 'body', t: 'body', test_mode: 'body', timestamp: 'body', token_provider: 'body', token_session: 'body', tz: 'body', user_details: 'body', variant: 'body' });
  }

  /** Send several requests of clients. Each is a request as of `/i`; `app_key` and other parameters beside `requests` hold for those that have none. The answer is success when all were looked at; what became of each is in `/o/ingest/outcomes`.
   * `POST /i/bulk` */
  postBulk(p: PostBulkParams): Promise<Stored> {
    return this.call('POST', '/i/bulk', p, { 'Idempotency-Key': 'header', app_key: 'body', receipt: 'body', requests: 'body' });
  }

  /** Send a request of a client by a picture. Takes the parameters of `/i`; the answer is a picture.
   * `GET /pixel.png` */
  getPixel(p: GetPixelParams): Promise<Blob> {
    return this.raw('GET', '/pixel.png', p, { app_key: 'query', device_id: 'query' });
  }
}

/** What became of a request of a client. */
export interface Receipt {
  /** Code of the fault; accepted items have none. */
  code?: string;
  /** Of the request, from 0. */
  index: number;
  items?: Array<ReceiptItem>;
  /** How many items are not listed. */
  left_off?: number;
  /** Ignored is what is in order and counts nothing; pending is stored and not processed yet. */
  outcome: "accepted" | "ignored" | "refused" | "pending";
}

/** What became of a part of a request. */
export interface ReceiptItem {
  /** Code of the fault; accepted items have none. */
  code?: string;
  /** Of an event, among the events as they were sent, from 0. */
  index?: number;
  item: "session" | "event" | "crash" | "trace" | "picture";
  /** Ignored is what is in order and counts nothing; pending is stored and not processed yet. */
  outcome: "accepted" | "ignored" | "refused" | "pending";
}

export interface Stored {
  /** That the request was stored before. */
  info?: string;
  /** What became of each request, where `receipt` asks for it. */
  receipt?: Array<Receipt>;
  /** `Success`, or why the request is dropped. */
  result: string;
}
