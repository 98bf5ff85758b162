/** Formats figures for one language. */
export interface Format {
  count: (n: number) => string;
  /** For narrow places: 1.2M from a million on. */
  short: (n: number) => string;
  percent: (share: number) => string;
  /** A duration in its two largest units; from a hundred days on, in days. */
  duration: (seconds: number) => string;
}

/** Returns the formats of a language. */
export function formats(lang: string): Format {
  const plain = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });
  const compact = new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 1 });
  // Symbols of units are the same in every language, and short.
  const unit = (symbol: string) => (n: number) => `${plain.format(n)}\u00a0${symbol}`;
  const day = unit('d');
  const hour = unit('h');
  const minute = unit('min');
  const second = unit('s');
  return {
    count: (n) => plain.format(n),
    short: (n) => (Math.abs(n) < 1e6 ? plain.format(n) : compact.format(n)),
    percent: (share) => percent.format(share),
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
