/** A row of what a person did. Time in ms, duration in seconds. */
export interface TimelineRow {
  _id: string;
  ts: number;
  e: string;
  /** The key of an event of the app's own. */
  n?: string;
  c?: number;
  s?: number;
  dur?: number;
  sg?: Record<string, string | number | boolean>;
}

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
