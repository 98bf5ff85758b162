// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getMethodSdkConfig}. */
export interface GetMethodSdkConfigParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodSdkEnforcement}. */
export interface GetMethodSdkEnforcementParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getSdk}. */
export interface GetSdkParams {
  /** How many requests the queue of the client still holds. */
  rr?: number;
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Id of the device, as clients send it. */
  device_id: string;
  /** Which of several requests of this path. */
  method: string;
  /** Names of values. */
  keys?: Json;
  /** Name of one value. */
  key?: string;
}

/** Parameters of {@link Quipu.getSdkContent}. */
export interface GetSdkContentParams {
  /** How many requests the queue of the client still holds. */
  rr?: number;
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Id of the device, as clients send it. */
  device_id: string;
  /** Sizes of the screen: `{"portrait":{"width":390,"height":844}}`. */
  resolution: Json;
}

/** Parameters of {@link Quipu.getSurveysNpsWidget}. */
export interface GetSurveysNpsWidgetParams {
  /** Id of the widget. */
  widget_id?: string;
  /** Ids of widgets. */
  widget_ids?: string;
}

/** Parameters of {@link Quipu.getSurveysRatingWidget}. */
export interface GetSurveysRatingWidgetParams {
  /** Id of the widget. */
  widget_id?: string;
  /** Ids of widgets. */
  widget_ids?: string;
}

/** Parameters of {@link Quipu.getSurveysSurveyWidget}. */
export interface GetSurveysSurveyWidgetParams {
  /** Id of the widget. */
  widget_id?: string;
  /** Ids of widgets. */
  widget_ids?: string;
}

/** Operations of the group sdk2. */
export class Sdk2Operations extends Base {
  /** Settings of SDKs. Needs the right to read `sdk`. The same as `/o?method=sdk-config`.
   * `GET /o/method/sdk-config` */
  getMethodSdkConfig(p: GetMethodSdkConfigParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/method/sdk-config', p, { app_id: 'query' });
  }

  /** Which settings of SDKs are enforced. Needs the right to read `sdk`. The same as `/o?method=sdk-enforcement`.
   * `GET /o/method/sdk-enforcement` */
  getMethodSdkEnforcement(p: GetMethodSdkEnforcementParams): Promise<Record<string, boolean>> {
    return this.call('GET', '/o/method/sdk-enforcement', p, { app_id: 'query' });
  }

  /** Answer what SDKs ask for. Needs no credentials of a member.
   * `GET /o/sdk` */
  getSdk(p: GetSdkParams): Promise<Json> {
    return this.call('GET', '/o/sdk', p, { rr: 'query', app_key: 'query', device_id: 'query', method: 'query', keys: 'query', key: 'query' });
  }

  /** Content for a user. Needs no credentials of a member.
   * `GET /o/sdk/content` */
  getSdkContent(p: GetSdkContentParams): Promise<Json> {
    return this.call('GET', '/o/sdk/content', p, { rr: 'query', app_key: 'query', device_id: 'query', resolution: 'query' });
  }

  /** A widget for recommendations. Needs no credentials of a member.
   * `GET /o/surveys/nps/widget` */
  getSurveysNpsWidget(p: GetSurveysNpsWidgetParams = {}): Promise<Json> {
    return this.call('GET', '/o/surveys/nps/widget', p, { widget_id: 'query', widget_ids: 'query' });
  }

  /** A widget for ratings. Needs no credentials of a member.
   * `GET /o/surveys/rating/widget` */
  getSurveysRatingWidget(p: GetSurveysRatingWidgetParams = {}): Promise<Json> {
    return this.call('GET', '/o/surveys/rating/widget', p, { widget_id: 'query', widget_ids: 'query' });
  }

  /** A survey. Needs no credentials of a member.
   * `GET /o/surveys/survey/widget` */
  getSurveysSurveyWidget(p: GetSurveysSurveyWidgetParams = {}): Promise<Json> {
    return this.call('GET', '/o/surveys/survey/widget', p, { widget_id: 'query', widget_ids: 'query' });
  }

  /** Style sheet of rating widgets. Needs no credentials of a member.
   * `GET /star-rating/stylesheets/countly-feedback-web.css` */
  getStarRatingStylesheetsCountlyFeedbackWebCss(): Promise<Blob> {
    return this.raw('GET', '/star-rating/stylesheets/countly-feedback-web.css');
  }

  /** Style sheet of surveys. Needs no credentials of a member.
   * `GET /surveys/stylesheets/countly-surveys.css` */
  getSurveysStylesheetsCountlySurveysCss(): Promise<Blob> {
    return this.raw('GET', '/surveys/stylesheets/countly-surveys.css');
  }
}
