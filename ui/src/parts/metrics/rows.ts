import type { MetricRow } from './api';

/** A value with its share of all sessions; compared also with what it is and was in the parts that can be compared. */
export interface Value extends MetricRow {
  name: string;
  share: number;
  now: MetricRow | undefined;
  before: MetricRow | undefined;
}

export const sizes = ['t', 'u', 'n'] as const;
/** What values are measured by: sessions, users, new users. */
export type Size = (typeof sizes)[number];

/** The values of a dimension, most sessions first; shares are of the sum of the list. */
export function valuesOf(rows: readonly MetricRow[], parts: { now: readonly MetricRow[]; before: readonly MetricRow[] } | undefined, decode: (id: string) => string): Value[] {
  const all = rows.reduce((sum, r) => sum + r.t, 0);
  const [now, was] = [parts?.now, parts?.before].map((list) => new Map(list?.map((r) => [r._id, r])));
  const none = (_id: string): MetricRow => ({ _id, t: 0, n: 0, u: 0 });
  return rows
    .map((r) => ({
      ...r,
      name: decode(r._id),
      share: all === 0 ? 0 : r.t / all,
      now: parts && (now?.get(r._id) ?? none(r._id)),
      before: parts && (was?.get(r._id) ?? none(r._id)),
    }))
    .sort((a, b) => b.t - a.t || a.name.localeCompare(b.name));
}
