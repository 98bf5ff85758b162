import type { ReactNode } from 'react';

/** A column: how a row is shown, and the value by which it sorts and that files hold. */
export interface Column<Row> {
  key: string;
  title: string;
  value: (row: Row) => string | number;
  text: (row: Row) => string;
  /** What the cell shows, where it is more than the text. */
  cell?: (row: Row) => ReactNode;
  numeric?: boolean;
  /** Keeps the text on one line: moments and the like. */
  short?: boolean;
  /** Keeps the text on one line and cuts it where it is too long; the whole is told on pointing. */
  clip?: boolean;
  /** Cannot be hidden, and names the row. */
  fixed?: boolean;
  /** Whether the table can be ordered by it; true when not said. */
  sortable?: boolean;
}

/** What a person may choose at a table. */
export interface TableState {
  q: string;
  sort: string;
  page: number;
  hide: string;
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
