export { fileNamed } from './named';

/** Writes rows as CSV (RFC 4180). Cells that a spreadsheet would run as a formula get an apostrophe. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}

/** Text that spreadsheets take for a formula: signs of formulas, also behind white space, and what may open a new cell. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A name of a file with the day on which it is made, unless it has days already. */
export function dated(name: string, now: Date): string {
  if (/\d{4}-\d{2}-\d{2}$/.test(name)) return name;
  const two = (n: number) => String(n).padStart(2, '0');
  return `${name} ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Lets the browser save a text as a CSV file. */
export function download(name: string, text: string): void {
  save(name, new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }));
}

/** Lets the browser save a file. */
export function save(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[\\/:*?"<>|]+/g, '_');
  link.click();
  // The browser reads the file after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
