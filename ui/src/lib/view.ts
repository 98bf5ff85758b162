import { comparisons, formatPeriod, matches, parsePeriod, type Comparison, type Match } from './period';

/** All that a person may have chosen on a page of an app. The URL holds it; what is as usual stays out. */
export interface View {
  period: string;
  compare: Comparison;
  match: Match;
  /** The period that was narrowed by a chart, to go back to. */
  zoom: string;
  /** The figure that a chart shows. */
  figure: string;
  /** Chart or table. */
  as: 'chart' | 'table';
  /** How wide the steps of charts are; usual when empty. */
  by: string;
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
  /** A filter object of the API, as JSON. */
  filter: string;
  /** What a list is narrowed to, a JSON object of texts. */
  only: string;
  /** What is open beside a list. */
  open: string;
}

export const usual: View = {
  period: '30days',
  compare: 'none',
  match: 'date',
  zoom: '',
  figure: '',
  as: 'chart',
  by: '',
  tab: '',
  q: '',
  sort: '',
  page: 1,
  hide: '',
  events: '',
  segment: '',
  filter: '',
  only: '',
  open: '',
};

/** What is open where something new is made. */
export const making = 'new';

const longest = 2000;
const longestFilter = 12_000;
/** Of a list of twenty events with long keys. */
const longestList = 6000;

/** Reads a view from the URL; whatever is unknown is as usual. */
export function parseView(raw: Partial<Record<keyof View, unknown>>): View {
  const text = (value: unknown, most = longest) => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '').slice(0, most);
  const json = (value: unknown, most = longest) => text(typeof value === 'object' && value !== null ? JSON.stringify(value) : value, most);
  const page = Math.floor(Number(raw.page));
  return {
    period: formatPeriod(parsePeriod(raw.period)),
    compare: comparisons.find((c) => c === raw.compare) ?? usual.compare,
    match: matches.find((m) => m === raw.match) ?? usual.match,
    zoom: typeof raw.zoom === 'string' && raw.zoom !== '' ? formatPeriod(parsePeriod(raw.zoom)) : '',
    figure: text(raw.figure),
    as: raw.as === 'table' ? 'table' : 'chart',
    by: text(raw.by),
    tab: text(raw.tab),
    q: text(raw.q),
    sort: text(raw.sort),
    page: page >= 1 && page <= 1e6 ? page : 1,
    hide: text(raw.hide),
    events: json(raw.events, longestList),
    segment: json(raw.segment),
    filter: json(raw.filter, longestFilter),
    only: json(raw.only),
    open: text(raw.open),
  };
}

/** What goes along from page to page: the time, nothing else. */
export function carried({ period, compare, match }: View): Pick<View, 'period' | 'compare' | 'match'> {
  return { period, compare, match };
}

/** A change as it is made: where another period is chosen, there is none to go back to. */
export function whole<C extends Partial<View>>(change: C): C | (C & Pick<View, 'zoom'>) {
  return 'period' in change ? { zoom: '', ...change } : change;
}

/** Whether a change of the view is a step of its own, which going back undoes: that of the time, and nothing else. */
export function isStep(change: Partial<View>): boolean {
  return 'period' in change || 'compare' in change || 'match' in change;
}

/** Reads what a list is narrowed to. */
export function parseOnly(text: string): Record<string, string> {
  try {
    const only: unknown = JSON.parse(text);
    if (typeof only !== 'object' || only === null || Array.isArray(only)) return {};
    return Object.fromEntries(Object.entries(only).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''));
  } catch {
    return {};
  }
}

/** Writes what a list is narrowed to, with one part of it changed; an empty text takes the part away. */
export function withOnly(text: string, key: string, value: string): string {
  const rest = Object.entries(parseOnly(text)).filter(([k]) => k !== key);
  const next = value === '' ? rest : [...rest, [key, value]];
  return next.length === 0 ? '' : JSON.stringify(Object.fromEntries(next));
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
