/** The ready-made periods, in the words of the wire. */
export const presets = [
  'today',
  'yesterday',
  '7days',
  '30days',
  '90days',
  'day',
  'prevMonth',
  'month',
  '365days',
] as const;

export type Preset = (typeof presets)[number];

/** A period as the URL holds it: a preset, or "2026-01-01..2026-01-31" with both days included. */
export type Period = { kind: 'preset'; preset: Preset } | { kind: 'custom'; from: string; to: string };

export const defaultPeriod: Period = { kind: 'preset', preset: '30days' };

const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day of the calendar in the form 2026-01-31. */
export function isDay(text: string): boolean {
  if (!dayForm.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Reads a period from the URL; anything unknown is the default. */
export function parsePeriod(text: unknown): Period {
  if (typeof text !== 'string') return defaultPeriod;
  const preset = presets.find((p) => p === text);
  if (preset !== undefined) return { kind: 'preset', preset };
  const [from, to, ...rest] = text.split('..');
  if (from !== undefined && to !== undefined && rest.length === 0 && isDay(from) && isDay(to)) {
    return from <= to ? { kind: 'custom', from, to } : { kind: 'custom', from: to, to: from };
  }
  return defaultPeriod;
}

/** Writes a period for the URL. */
export function formatPeriod(p: Period): string {
  return p.kind === 'preset' ? p.preset : `${p.from}..${p.to}`;
}

/** The period as the API takes it; days are those of the app's time zone. */
export function wirePeriod(p: Period, zone: string): string {
  if (p.kind === 'preset') return p.preset;
  return JSON.stringify([noon(p.from, zone), noon(p.to, zone)]);
}

/** Noon of a day in a time zone, in ms: surely inside that day whatever the clocks do. */
export function noon(day: string, zone: string): number {
  const asUTC = Date.parse(`${day}T12:00:00Z`);
  return asUTC - offset(asUTC, zone);
}

/** How far a zone's clocks are ahead of UTC at a moment, in ms. */
function offset(time: number, zone: string): number {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return 0; // a zone that this browser does not know
  }
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(time)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - time;
}

/** Today in a time zone, as 2026-01-31. */
export function today(zone: string, now: Date): string {
  return new Date(now.getTime() + offset(now.getTime(), zone)).toISOString().slice(0, 10);
}
