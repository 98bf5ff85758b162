import { csv, dated, download, save } from '../../lib/csv';
import { fileRows, type Column } from '../table/columns';

/** Saves the figures of a chart; exact names the column of figures that the table rounds. */
export function saveRows<Row extends object>(file: string, columns: readonly Column<Row>[], rows: readonly Row[], exact: (title: string) => string): void {
  download(`${dated(file, new Date())}.csv`, csv(fileRows(columns, rows, exact)));
}

/** Saves the picture of a chart. */
export function savePicture(file: string, picture: Blob): void {
  save(`${dated(file, new Date())}.png`, picture);
}
