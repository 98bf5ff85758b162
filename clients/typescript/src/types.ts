// Generated from the description of the API (quipu describe --openapi); do not edit.

import type { Json } from './client.js';

export interface AttributionVisitRow {
  _id: string;
  n: number;
  t: number;
  u: number;
}

export interface CrashesMeasure {
  high?: number | null;
  low: number;
  value: number;
}

export interface QueryEstimatedFigure {
  change: string;
  is_estimate: boolean;
  total: number;
  trend: string;
}

export interface QueryFigures {
  dur: number;
  m?: Array<number | null>;
  s: number;
  t: number;
  u: number;
}

export interface QueryMetricRow {
  _id: string;
  n: number;
  t: number;
  u: number;
}

export interface QueryTopEvent {
  _id: string;
  change: string;
  count: number;
  duration: number;
  name: string;
  sum: number;
  trend: string;
}

export interface Result {
  /** The answer, or `Success`. */
  result: Json;
}

export interface TrackersIssueView {
  created: number;
  fault?: string;
  key: string;
  lastChecked: number;
  problem?: string;
  state: string;
  status: string;
  title: string;
  tracker: string;
  url: string;
}

export interface TrackersJiraView {
  address: string;
  callback: string;
  consumer_key: string;
  logged_in: boolean;
  public_key: string;
  since: number;
}

export interface TrackersLinked {
  issue: TrackersIssueView | Json;
}
