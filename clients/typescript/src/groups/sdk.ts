// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postFeedbackInput}. */
export interface PostFeedbackInputParams {
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Version of the app. */
  av?: string;
  /** Id of the device, as clients send it. */
  device_id: string;
  /** Day of the week on the device, 0 for Sunday. */
  dow?: number;
  /** Keys of events. */
  events: Json;
  /** Hour on the device. */
  hour?: number;
  /** How many requests the queue of the client still holds. */
  rr?: number;
  /** Name of the SDK. */
  sdk_name?: string;
  /** Version of the SDK. */
  sdk_version?: string;
  /** Kind of the event. */
  t?: number;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the device from UTC, in minutes. */
  tz?: number;
}

/** Parameters of {@link Quipu.postFeedbackInputs}. */
export interface PostFeedbackInputsParams {
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Version of the app. */
  av?: string;
  /** Id of the device, as clients send it. */
  device_id: string;
  /** Day of the week on the device, 0 for Sunday. */
  dow?: number;
  /** Keys of events. */
  events: Json;
  /** Hour on the device. */
  hour?: number;
  /** How many requests the queue of the client still holds. */
  rr?: number;
  /** Name of the SDK. */
  sdk_name?: string;
  /** Version of the SDK. */
  sdk_version?: string;
  /** Kind of the event. */
  t?: number;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the device from UTC, in minutes. */
  tz?: number;
}

/** Parameters of {@link Quipu.postSdk}. */
export interface PostSdkParams {
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Id of the device, as clients send it. */
  device_id: string;
  /** Name of one value. */
  key?: string;
  /** Names of values. */
  keys?: Json;
  /** Which of several requests of this path. */
  method: string;
  /** How many requests the queue of the client still holds. */
  rr?: number;
}

/** Parameters of {@link Quipu.postSdkConfigUpdateEnforcement}. */
export interface PostSdkConfigUpdateEnforcementParams {
  /** Id of the app. */
  app_id: string;
  /** Which settings of SDKs are enforced, by name. */
  enforcement: Json;
}

/** Parameters of {@link Quipu.postSdkConfigUpdateParameter}. */
export interface PostSdkConfigUpdateParameterParams {
  /** Id of the app. */
  app_id: string;
  /** Settings of SDKs by name. */
  parameter: Json;
}

/** Parameters of {@link Quipu.getFeedbackMultipleWidgetsById}. */
export interface GetFeedbackMultipleWidgetsByIdParams {
  /** Ids of widgets. */
  widgets: Json;
}

/** Parameters of {@link Quipu.getFeedbackWidget}. */
export interface GetFeedbackWidgetParams {
  /** Id of the widget. */
  widget_id: string;
}

/** Parameters of {@link Quipu.postMethodConfigUpload}. */
export interface PostMethodConfigUploadParams {
  /** Id of the app. */
  app_id: string;
  /** Settings of SDKs. */
  config: Json;
}

/** Operations of the group sdk. */
export class SDKOperations extends Base {
  /** Page of a feedback widget. Needs no credentials of a member.
   * `GET /feedback` */
  getFeedback(): Promise<Blob> {
    return this.raw('GET', '/feedback');
  }

  /** Page of a widget for recommendations. Needs no credentials of a member.
   * `GET /feedback/nps` */
  getFeedbackNps(): Promise<Blob> {
    return this.raw('GET', '/feedback/nps');
  }

  /** Page of a widget for ratings. Needs no credentials of a member.
   * `GET /feedback/rating` */
  getFeedbackRating(): Promise<Blob> {
    return this.raw('GET', '/feedback/rating');
  }

  /** Page of a survey. Needs no credentials of a member.
   * `GET /feedback/survey` */
  getFeedbackSurvey(): Promise<Blob> {
    return this.raw('GET', '/feedback/survey');
  }

  /** Store the answer to a widget. Needs no credentials of a member.
   * `POST /i/feedback/input` */
  postFeedbackInput(p: PostFeedbackInputParams): Promise<Json> {
    return this.call('POST', '/i/feedback/input', p, { app_key: 'body', av: 'body', device_id: 'body', dow: 'body', events: 'body', hour: 'body', rr: 'body', sdk_name: 'body', sdk_version: 'body', t: 'body', timestamp: 'body', tz: 'body' });
  }

  /** Store answers to widgets. Needs no credentials of a member.
   * `POST /i/feedback/inputs` */
  postFeedbackInputs(p: PostFeedbackInputsParams): Promise<Json> {
    return this.call('POST', '/i/feedback/inputs', p, { app_key: 'body', av: 'body', device_id: 'body', dow: 'body', events: 'body', hour: 'body', rr: 'body', sdk_name: 'body', sdk_version: 'body', t: 'body', timestamp: 'body', tz: 'body' });
  }

  /** Answer what SDKs ask for or report. Needs no credentials of a member.
   * `POST /i/sdk` */
  postSdk(p: PostSdkParams): Promise<Json> {
    return this.call('POST', '/i/sdk', p, { app_key: 'body', device_id: 'body', key: 'body', keys: 'body', method: 'body', rr: 'body' });
  }

  /** Choose which settings of SDKs are enforced. Needs the right to update `sdk`.
   * `POST /i/sdk-config/update-enforcement` */
  postSdkConfigUpdateEnforcement(p: PostSdkConfigUpdateEnforcementParams): Promise<Result> {
    return this.call('POST', '/i/sdk-config/update-enforcement', p, { app_id: 'body', enforcement: 'body' });
  }

  /** Change settings of SDKs. Needs the right to update `sdk`.
   * `POST /i/sdk-config/update-parameter` */
  postSdkConfigUpdateParameter(p: PostSdkConfigUpdateParameterParams): Promise<Result> {
    return this.call('POST', '/i/sdk-config/update-parameter', p, { app_id: 'body', parameter: 'body' });
  }

  /** Several widgets. Needs no credentials of a member.
   * `GET /o/feedback/multiple-widgets-by-id` */
  getFeedbackMultipleWidgetsById(p: GetFeedbackMultipleWidgetsByIdParams): Promise<Array<Json>> {
    return this.call('GET', '/o/feedback/multiple-widgets-by-id', p, { widgets: 'query' });
  }

  /** A widget. Needs no credentials of a member.
   * `GET /o/feedback/widget` */
  getFeedbackWidget(p: GetFeedbackWidgetParams): Promise<Json> {
    return this.call('GET', '/o/feedback/widget', p, { widget_id: 'query' });
  }

  /** Replace the settings of SDKs. Needs the right to update `sdk`. The same as `/o?method=config-upload`.
   * `POST /o/method/config-upload` */
  postMethodConfigUpload(p: PostMethodConfigUploadParams): Promise<Result> {
    return this.call('POST', '/o/method/config-upload', p, { app_id: 'body', config: 'body' });
  }
}
