import * as v from '../../api/schema';

/** A row of what a person did. Time in ms, duration in seconds. */
export const TimelineRow = v.object({
  _id: v.string(),
  ts: v.number(),
  e: v.string(),
  /** The key of an event of the app's own. */
  n: v.optional(v.string()),
  c: v.optional(v.number()),
  s: v.optional(v.number()),
  dur: v.optional(v.number()),
  sg: v.optional(v.record(v.text)),
});
export type TimelineRow = v.Of<typeof TimelineRow>;

/** Rows by the days of a time zone, in their order. */
export function daysOf(rows: readonly TimelineRow[], zone: string): { day: string; rows: TimelineRow[] }[] {
  const day = dayForm(zone);
  const out: { day: string; rows: TimelineRow[] }[] = [];
  for (const row of rows) {
    const mine = day.format(row.ts);
    const last = out.at(-1);
    if (last?.day === mine) last.rows.push(row);
    else out.push({ day: mine, rows: [row] });
  }
  return out;
}

/** Writes days as 2026-01-31; in a zone that the browser does not know, those of its own. */
function dayForm(zone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat('sv-SE', parts);
  }
}
