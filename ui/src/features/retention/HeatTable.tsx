import { useTranslation } from 'react-i18next';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useFormat } from '../../i18n';
import type { Place } from './figures';
import './retention.css';

/** How many rows stand on a page. */
const pageSize = 62;

/** The colour of a share of the most that there is: the more, the stronger. */
export function shade(share: number): string {
  return `color-mix(in srgb, var(--quipu-series-1) calc(${String(share)} * var(--heat-most)), var(--quipu-card))`;
}

/** A row of the table: a cohort, or a group. */
export interface HeatRow {
  id: string;
  name: string;
  users: number;
  places: readonly (Place | undefined)[];
}

interface Props {
  /** Says what the table holds. */
  caption: string;
  /** What rows are. */
  head: string;
  /** What the ages are called. */
  ages: readonly string[];
  rows: readonly HeatRow[];
  /** Whether cells are shares or people. */
  as: 'share' | 'users';
  /** Name of the file, without ending. */
  file: string;
}

/** How many came back by age, stronger in colour the more; each cell has its figure. */
export function HeatTable({ caption, head, ages, rows, as, file }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const most = Math.max(0, ...rows.flatMap((row) => row.places.map((place) => place?.share ?? 0)));
  const write = (place: Place | undefined) => (place === undefined ? '' : as === 'users' ? format.count(place.users) : format.percent(place.share));
  const columns: Column<HeatRow>[] = [
    { key: 'name', title: head, fixed: true, value: (r) => r.id, text: (r) => r.name },
    { key: 'users', title: t('retention.people'), numeric: true, value: (r) => r.users, text: (r) => format.count(r.users) },
    ...ages.map((title, i): Column<HeatRow> => ({
      key: `age${String(i)}`,
      title,
      numeric: true,
      ...(as === 'users' ? {} : { form: 'share' }),
      value: (r) => (as === 'users' ? r.places[i]?.users : r.places[i]?.share) ?? '',
      text: (r) => write(r.places[i]),
      cell: (r) => {
        const place = r.places[i];
        if (place === undefined) return null;
        return (
          <span
            className="heat-cell"
            data-open={place.open}
            style={{ background: shade(most === 0 ? 0 : place.share / most) }}
            title={t('retention.of', { users: format.count(place.users), of: format.count(place.of) })}
          >
            {write(place)}
            {place.open && (
              <>
                <span aria-hidden>*</span>
                <span className="visually-hidden">{` ${t('retention.open')}`}</span>
              </>
            )}
          </span>
        );
      },
    })),
  ];
  return (
    <div className="heat">
      <DataTable caption={caption} columns={columns} rows={rows} file={file} pageSize={pageSize} />
    </div>
  );
}
