import { remembered } from './remembered';

/** Formats figures for one locale. */
export interface Format {
  count: (n: number) => string;
  /** Whole, or with two decimals: sums of money and the like. */
  amount: (n: number) => string;
  /** For narrow places: 1.2M from a million on. */
  short: (n: number) => string;
  /** A percentage; never nothing for something, nor 100 % for less than all. */
  percent: (share: number) => string;
  /** A percentage among others in a column: always one decimal. */
  share: (share: number) => string;
  /** With its sign: +12.5% or −3%; from ten times on as a factor: ×12. */
  change: (share: number) => string;
  /** A moment, in a time zone if one is given. */
  moment: (ms: number, zone?: string) => string;
  /** A moment to the second. */
  instant: (ms: number, zone?: string) => string;
  /** The time of day of a moment. */
  clock: (ms: number, zone?: string) => string;
  /** A day in the form 2026-01-31. */
  day: (day: string) => string;
  /** Two days and what is between. */
  days: (from: string, to: string) => string;
  /** A size, in the largest unit that leaves a whole number. */
  bytes: (n: number) => string;
  /** A duration in its two largest units; from a hundred days on, in days. */
  duration: (seconds: number) => string;
}

/** The least share that is written as a figure. */
const least = 0.001;

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Returns the formats of a locale. */
export const formats = remembered(formatsOf);

function formatsOf(locale: string): Format {
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'negative' });
  const cents = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'negative' });
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, signDisplay: 'negative' });
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const share = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  // Symbols of units are the same in every language, and short.
  const unit = (symbol: string) => (n: number) => `${plain.format(n)}\u00a0${symbol}`;
  const day = unit('d');
  const hour = unit('h');
  const minute = unit('min');
  const second = unit('s');
  const moment = (zone?: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...(zone === undefined ? {} : { timeZone: zone }) });
  const instant = (zone?: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', ...(zone === undefined ? {} : { timeZone: zone }) });
  const clock = (zone?: string) => new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...(zone === undefined ? {} : { timeZone: zone }) });
  const inZone = (form: (zone?: string) => Intl.DateTimeFormat) => {
    const formOf = remembered((zone) => {
      try {
        return form(zone === '' ? undefined : zone);
      } catch {
        return form(); // a zone that this browser does not know
      }
    });
    return (ms: number, zone = '') => formOf(zone).format(ms);
  };
  const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const bounded = (part: number, form: Intl.NumberFormat) => {
    if (part > 0 && part < least) return `<\u00a0${form.format(least)}`;
    if (part > 1 - least && part < 1) return `>\u00a0${form.format(1 - least)}`;
    return form.format(part);
  };
  const noon = (day: string) => new Date(`${day}T12:00:00Z`);
  return {
    change: (share) => (share >= 9 ? `×${(share < 99 ? plain : whole).format(1 + share)}` : share < 0 ? `−${percent.format(-share)}` : share > 0 ? `+${percent.format(share)}` : percent.format(0)),
    moment: inZone(moment),
    instant: inZone(instant),
    clock: inZone(clock),
    day: (day) => dayFormat.format(noon(day)),
    days: (from, to) => dayFormat.formatRange(noon(from), noon(to)),
    count: (n) => plain.format(n),
    amount: (n) => (Number.isInteger(Math.round(n * 100) / 100) ? whole : cents).format(n),
    short: (n) => (Math.abs(n) < 1e6 ? plain.format(n) : compact.format(n)),
    bytes: (n) => {
      const step = n < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(n) / 10));
      return `${plain.format(n / 1024 ** step)}\u00a0${units[step] ?? 'B'}`;
    },
    percent: (part) => bounded(part, percent),
    share: (part) => bounded(part, share),
    duration: (seconds) => {
      const s = Math.round(seconds);
      const pair = (large: string, small: string, rest: number) => (rest === 0 ? large : `${large} ${small}`);
      if (s < 60) return second(s);
      if (s < 3600) return pair(minute(Math.floor(s / 60)), second(s % 60), s % 60);
      if (s < 86400) {
        const rest = Math.floor((s % 3600) / 60);
        return pair(hour(Math.floor(s / 3600)), minute(rest), rest);
      }
      const rest = s < 100 * 86400 ? Math.floor((s % 86400) / 3600) : 0;
      return pair(day(Math.floor(s / 86400)), hour(rest), rest);
    },
  };
}
