// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

/** Parameters of {@link Quipu.postCalculatedMetricsDelete}. */
export interface PostCalculatedMetricsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.postCalculatedMetricsSave}. */
export interface PostCalculatedMetricsSaveParams {
  /** Id of the app. */
  app_id: string;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric: string;
}

/** Parameters of {@link Quipu.getCalculatedMetricsCheck}. */
export interface GetCalculatedMetricsCheckParams {
  /** Id of the app. */
  app_id: string;
  /** The formula, as an object. */
  formula: Json;
}

/** Parameters of {@link Quipu.getCalculatedMetricsMetric}. */
export interface GetCalculatedMetricsMetricParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  _id?: string;
  /** Which form of the calculation. */
  mode?: string;
  /** Id of the calculated metric. */
  metric_id?: string;
  /** Metrics that boards may show. */
  for_widgets?: boolean;
}

/** Parameters of {@link Quipu.getCalculatedMetricsMetrics}. */
export interface GetCalculatedMetricsMetricsParams {
  /** Id of the app. */
  app_id: string;
  /** Metrics that boards may show. */
  for_widgets?: boolean;
}

/** Parameters of {@link Quipu.getMethodCalculatedMetrics}. */
export interface GetMethodCalculatedMetricsParams {
  /** Id of the app. */
  app_id: string;
  /** Which form of the calculation. */
  mode: string;
  /** Id of the calculated metric. */
  metric_id?: string;
  /** The formula, as an object. */
  formula?: Json;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** With the value of the period before. */
  previous?: boolean;
  /** Answers with the metric beside its value. */
  metric_details?: boolean;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Operations of the group formulas. */
export class FormulasOperations extends Base {
  /** Delete a calculated metric. Needs the right to delete `formulas`.
   * `POST /i/calculated_metrics/delete` */
  postCalculatedMetricsDelete(p: PostCalculatedMetricsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/calculated_metrics/delete', p, { app_id: 'body', id: 'body' });
  }

  /** Create or change a calculated metric. Needs the right to create `formulas`.
   * `POST /i/calculated_metrics/save` */
  postCalculatedMetricsSave(p: PostCalculatedMetricsSaveParams): Promise<FormulasSaved> {
    return this.call('POST', '/i/calculated_metrics/save', p, { app_id: 'body', metric: 'body' });
  }

  /** Check a formula. Needs the right to read `formulas`.
   * `GET /o/calculated_metrics/check` */
  getCalculatedMetricsCheck(p: GetCalculatedMetricsCheckParams): Promise<FormulasChecked> {
    return this.call('GET', '/o/calculated_metrics/check', p, { app_id: 'query', formula: 'query' });
  }

  /** A calculated metric. Needs the right to read `formulas`.
   * `GET /o/calculated_metrics/metric` */
  getCalculatedMetricsMetric(p: GetCalculatedMetricsMetricParams): Promise<Json> {
    return this.call('GET', '/o/calculated_metrics/metric', p, { app_id: 'query', _id: 'query', mode: 'query', metric_id: 'query', for_widgets: 'query' });
  }

  /** List calculated metrics. Needs the right to read `formulas`.
   * `GET /o/calculated_metrics/metrics` */
  getCalculatedMetricsMetrics(p: GetCalculatedMetricsMetricsParams): Promise<Json> {
    return this.call('GET', '/o/calculated_metrics/metrics', p, { app_id: 'query', for_widgets: 'query' });
  }

  /** Values of a calculated metric. Needs the right to read `formulas`. The same as `/o?method=calculated_metrics`. A read that takes too long goes on as a task.
   * `GET /o/method/calculated_metrics` */
  getMethodCalculatedMetrics(p: GetMethodCalculatedMetricsParams): Promise<Json> {
    return this.call('GET', '/o/method/calculated_metrics', p, { app_id: 'query', mode: 'query', metric_id: 'query', formula: 'query', bucket: 'query', period: 'query', timezone: 'query', previous: 'query', metric_details: 'query', filter: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }
}

export interface FormulasChecked {
  at?: number | null;
  code?: string;
  correct: boolean;
  error?: string;
  events?: Array<string>;
  of?: string;
  seconds: number;
}

export interface FormulasSaved {
  action: string;
  id: string;
  status: string;
}
