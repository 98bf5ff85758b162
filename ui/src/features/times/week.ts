import { firstDayOf } from '../../i18n';

/** A week as people of a locale write it. */
export interface Week {
  days: string[];
  hours: { label: string; tick: string }[];
  values: number[][];
}

/** Orders the days of the wire, Sunday first, as the locale has them, and names them. */
export function weekOf(sundayFirst: readonly (readonly number[])[], locale: string): Week {
  const first = firstDayOf(locale);
  const order = Array.from({ length: 7 }, (_, i) => (first + i) % 7);
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const hour = new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: 'UTC' });
  const sunday = Date.UTC(2023, 0, 1);
  return {
    days: order.map((d) => day.format(sunday + d * 86_400_000)),
    hours: Array.from({ length: 24 }, (_, h) => ({ label: hour.format(sunday + h * 3_600_000), tick: String(h) })),
    values: order.map((d) => Array.from({ length: 24 }, (_, h) => sundayFirst[d]?.[h] ?? 0)),
  };
}
