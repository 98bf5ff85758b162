import { comparisons, formatPeriod, matches, parsePeriod, type Comparison, type Match } from './period';

/** All that a person may have chosen on a page of an app. The URL holds it; what is as usual stays out. */
export interface View {
  period: string;
  compare: Comparison;
  match: Match;
  /** The figure that a chart shows. */
  figure: string;
  /** Chart or table. */
  as: 'chart' | 'table';
  /** The part of a page. */
  tab: string;
  /** The table: search, order ("name" or "-name"), page from 1, hidden columns with commas. */
  q: string;
  sort: string;
  page: number;
  hide: string;
  /** Events to show side by side, a JSON list. */
  events: string;
  segment: string;
}

export const usual: View = {
  period: '30days',
  compare: 'none',
  match: 'date',
  figure: '',
  as: 'chart',
  tab: '',
  q: '',
  sort: '',
  page: 1,
  hide: '',
  events: '',
  segment: '',
};

const longest = 2000;

/** Reads a view from the URL; whatever is unknown is as usual. */
export function parseView(raw: Partial<Record<keyof View, unknown>>): View {
  const text = (value: unknown) => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '').slice(0, longest);
  const page = Math.floor(Number(raw.page));
  return {
    period: formatPeriod(parsePeriod(raw.period)),
    compare: comparisons.find((c) => c === raw.compare) ?? usual.compare,
    match: matches.find((m) => m === raw.match) ?? usual.match,
    figure: text(raw.figure),
    as: raw.as === 'table' ? 'table' : 'chart',
    tab: text(raw.tab),
    q: text(raw.q),
    sort: text(raw.sort),
    page: page >= 1 && page <= 1e6 ? page : 1,
    hide: text(raw.hide),
    events: typeof raw.events === 'object' && raw.events !== null ? JSON.stringify(raw.events) : text(raw.events),
    segment: text(raw.segment),
  };
}

/** What goes along from page to page: the time, nothing else. */
export function carried({ period, compare, match }: View): Pick<View, 'period' | 'compare' | 'match'> {
  return { period, compare, match };
}

/** Reads a list of texts as the URL holds it. */
export function parseList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}
