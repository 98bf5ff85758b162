import type { Result } from './api';

/** Whether a column has numbers, by its type. */
export const isNumeric = (type: string): boolean => /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|REAL|DECIMAL.*)$/i.test(type);

/** Whether a column has days or moments, by its type. */
const isTime = (type: string): boolean => /^(DATE|TIME|TIMESTAMP)/i.test(type);

/** A value as tables have it: texts as they are, nothing where it is absent, everything else as JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

/** A value as a number; undefined for what is none. Large integers are texts in answers. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  if (value === '') return undefined;
  const n = Number(value);
  return Number.isFinite(n) ? n : undefined;
}

/** What a picture can be made of: names, and one series of numbers for each column of numbers. */
export interface Drawable {
  names: string[];
  series: { name: string; values: (number | undefined)[] }[];
  /** Whether the names are days or moments, in order. */
  ordered: boolean;
}

/** How many names and series a picture has at most. */
export const mostNames = 500;
export const mostSeries = 6;

/** What of a result can be drawn; undefined when it has no column of numbers, or no row. The first column that is none, or else the first, has the names. */
export function drawable({ columns, rows }: Result): Drawable | undefined {
  if (rows.length === 0 || columns.length < 2) return undefined;
  const named = Math.max(0, columns.findIndex((c) => !isNumeric(c.type)));
  const numbers = columns.flatMap((c, i) => (i !== named && isNumeric(c.type) ? [i] : [])).slice(0, mostSeries);
  if (numbers.length === 0) return undefined;
  const drawn = rows.slice(0, mostNames);
  return {
    names: drawn.map((row) => textOf(row[named])),
    series: numbers.map((i) => ({ name: columns[i]?.name ?? '', values: drawn.map((row) => numberOf(row[i])) })),
    ordered: isTime(columns[named]?.type ?? ''),
  };
}

/** A name as statements have it: in quotes unless it is a plain word. */
export const quoted = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** Where in a statement a fault is, from 0, by the line and the character that the server counts from 1; undefined where it names none. */
export function placeOf({ line, character }: Readonly<Record<string, number>>, sql: string): number | undefined {
  if (line === undefined || character === undefined) return undefined;
  const lines = sql.split('\n').slice(0, Math.max(1, line));
  const last = Array.from(lines.pop() ?? '').slice(0, Math.max(0, character - 1)).join(''); // the server counts code points
  return [...lines, last].join('\n').length;
}

/** Examples to begin with, of the views that every app has. */
export const examples = {
  events: 'SELECT event, count(*) AS events, count(DISTINCT user_id) AS users\nFROM events\nGROUP BY ALL\nORDER BY users DESC\nLIMIT 20',
  days: "SELECT date_trunc('day', started)::DATE AS day, count(*) AS sessions, round(avg(duration)) AS seconds\nFROM sessions\nGROUP BY ALL\nORDER BY day",
  countries: 'SELECT country, count(*) AS users, sum(sessions) AS sessions\nFROM users\nGROUP BY ALL\nORDER BY users DESC\nLIMIT 20',
} as const;
