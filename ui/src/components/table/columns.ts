import type { ReactNode } from 'react';

/**
 * What a number is: money and the like, seconds, a share of 1, a share of 100. A share that is unknown is infinite: tables
 * and files have its text.
 */
export type Form = 'amount' | 'seconds' | 'share' | 'percent';

/** A column: how a row is shown, and the value by which it sorts and that files hold. */
export interface Column<Row> {
  key: string;
  title: string;
  /** What the title leaves out, in small below it. */
  note?: string;
  value: (row: Row) => string | number;
  text: (row: Row) => string;
  /** What the cell shows, where it is more than the text. */
  cell?: (row: Row) => ReactNode;
  numeric?: boolean;
  /** What the number is, where it is more than a count; files have the unit in the header. */
  form?: Form;
  /** Keeps the text on one line: moments and the like. */
  short?: boolean;
  /** Keeps the text on one line and cuts it where it is too long; the whole text is shown on pointing. */
  clip?: boolean;
  /** Cannot be hidden, and names the row. */
  fixed?: boolean;
  /** Is hidden unless it is chosen. */
  rare?: boolean;
  /** Whether the table can be ordered by it; true when not said. */
  sortable?: boolean;
}

/** What a person may choose at a table. Hide lists, with commas, the keys of hidden columns, and with ! before them those of rare ones that are shown. */
export interface TableState {
  q: string;
  sort: string;
  page: number;
  hide: string;
}

/** Whether a column is shown. */
export function isShown(hide: string, { key, fixed = false, rare = false }: Pick<Column<never>, 'key' | 'fixed' | 'rare'>): boolean {
  const marks = hide.split(',');
  return fixed || (rare ? marks.includes(`!${key}`) : !marks.includes(key));
}

/** What is hidden after a click on a column. */
export function toggled(hide: string, { key, rare = false }: Pick<Column<never>, 'key' | 'rare'>): string {
  const mark = rare ? `!${key}` : key;
  const marks = hide.split(',').filter((one) => one !== '');
  return (marks.includes(mark) ? marks.filter((one) => one !== mark) : [...marks, mark]).join(',');
}

export const untouched: TableState = { q: '', sort: '', page: 1, hide: '' };

/** Reads an order: a column's key, with a minus before it for descending. */
export function parseSort(text: string): { key: string; desc: boolean } | undefined {
  if (text === '' || text === '-') return undefined;
  return text.startsWith('-') ? { key: text.slice(1), desc: true } : { key: text, desc: false };
}

/** The order after a click on a column: numbers begin with the largest; the third click takes it away. */
export function nextSort(text: string, column: { key: string; numeric?: boolean }): string {
  const now = parseSort(text);
  const [first, second] = column.numeric === true ? [`-${column.key}`, column.key] : [column.key, `-${column.key}`];
  if (now?.key !== column.key) return first;
  return text === first ? second : '';
}

/** The rows whose texts hold every word that is looked for. */
export function found<Row>(rows: readonly Row[], columns: readonly Column<Row>[], q: string): Row[] {
  const words = q.toLocaleLowerCase().split(/\s+/).filter((w) => w !== '');
  if (words.length === 0) return [...rows];
  return rows.filter((row) => {
    const text = columns.map((c) => c.text(row)).join('\n').toLocaleLowerCase();
    return words.every((w) => text.includes(w));
  });
}

/**
 * Compares two values of a column as readers of a language order them: texts by its alphabet, numbers in them by size, and what only
 * differs in case or accents side by side. Numbers come before texts.
 */
export function comparison(language: string): (a: unknown, b: unknown) => number {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return (a, b) => {
    if (typeof a === 'string' && typeof b === 'string') return compare(a, b);
    if (typeof a === typeof b) return Number(a) - Number(b) || 0;
    return typeof a === 'string' ? 1 : -1;
  };
}

const decimals: Record<Form, number> = { amount: 2, seconds: 0, share: 1, percent: 1 };
const units: Partial<Record<Form, string>> = { seconds: 's', share: '%', percent: '%' };

/** A number without what adding up in binary leaves behind the fifteenth digit. */
function clean(n: number): number {
  return Number(n.toPrecision(15));
}

function rounded(n: number, digits: number): number {
  return clean(Math.round(clean(n * 10 ** digits)) / 10 ** digits);
}

/**
 * Rows as a file holds them, after their header: numbers rounded as they are shown, units in the header. Where rounding loses
 * something, a column with the full precision stands beside; of shares it does not, as they follow from the other columns.
 */
export function fileRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[], exactly: (title: string) => string): (string | number)[][] {
  const named = columns.filter((c) => c.title !== '');
  const parts = named.flatMap((column): { title: string; of: (row: Row) => string | number }[] => {
    const { form } = column;
    const title = column.note === undefined ? column.title : `${column.title} ${column.note}`;
    if (column.numeric !== true) return [{ title, of: column.value }];
    const digits = form === undefined ? 1 : decimals[form];
    const unit = form === undefined ? undefined : units[form];
    const full = unit === undefined ? title : `${title} (${unit})`;
    const number = (row: Row) => {
      const value = column.value(row);
      return typeof value === 'number' && form === 'share' ? value * 100 : value;
    };
    const short = (row: Row) => {
      const value = number(row);
      if (typeof value !== 'number') return value;
      return Number.isFinite(value) ? rounded(value, digits) : column.text(row);
    };
    const exact = (row: Row) => {
      const value = number(row);
      return typeof value === 'number' && Number.isFinite(value) ? clean(value) : '';
    };
    const derived = form === 'share' || form === 'percent';
    const loses = !derived && rows.some((row) => typeof number(row) === 'number' && exact(row) !== short(row));
    return [{ title: full, of: short }, ...(loses ? [{ title: exactly(full), of: exact }] : [])];
  });
  return [parts.map((p) => p.title), ...rows.map((row) => parts.map((p) => p.of(row)))];
}
