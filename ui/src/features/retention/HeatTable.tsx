import { useTranslation } from 'react-i18next';
import { PickButton } from '../../components/filter/PickButton';
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
  /** Filters starts by what the row is of. */
  onPick?: (() => void) | undefined;
}

interface Props {
  /** Says what the table holds. */
  caption: string;
  /** What rows are. */
  head: string;
  /** What the ages are called. */
  ages: readonly string[];
  rows: readonly HeatRow[];
  /** What is counted, as a name. */
  units: string;
  /** Whether cells are shares or numbers. */
  as: 'share' | 'users';
  /** Name of the file, without ending. */
  file: string;
  /** Shows who is behind a cell, by the places of its row and its age; without an age, all of the row. */
  onPeople?: ((row: number, age?: number) => void) | undefined;
}

/** How many came back by age, stronger in colour the more; each cell has its figure. */
export function HeatTable({ caption, head, ages, rows, units, as, file, onPeople }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const most = Math.max(0, ...rows.flatMap((row) => row.places.map((place) => place?.share ?? 0)));
  const write = (place: Place | undefined) => (place === undefined ? '' : as === 'users' ? format.count(place.users) : format.percent(place.share));
  const columns: Column<HeatRow>[] = [
    { key: 'name', title: head, fixed: true, value: (r) => r.id, text: (r) => r.name, cell: (r) => <PickButton name={r.name} onPick={r.onPick} /> },
    {
      key: 'users',
      title: units,
      numeric: true,
      value: (r) => r.users,
      text: (r) => format.count(r.users),
      ...(onPeople === undefined
        ? {}
        : {
            cell: (r) =>
              r.users === 0 ? (
                format.count(0)
              ) : (
                <button type="button" className="heat-people" aria-label={t('retention.whoStarted', { cohort: r.name, users: format.count(r.users) })} onClick={() => onPeople(rows.indexOf(r))}>
                  {format.count(r.users)}
                </button>
              ),
          }),
    },
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
        const of = t('retention.of', { users: format.count(place.users), of: format.count(place.of) });
        const shown = { className: 'heat-cell', 'data-open': place.open, style: { background: shade(most === 0 ? 0 : place.share / most) }, title: of };
        const figure = (
          <>
            {write(place)}
            {place.open && (
              <>
                <span aria-hidden>*</span>
                <span className="visually-hidden">{` ${t('retention.open')}`}</span>
              </>
            )}
          </>
        );
        if (onPeople === undefined || place.users === 0) return <span {...shown}>{figure}</span>;
        return (
          <button
            type="button"
            {...shown}
            aria-label={`${write(place)}${place.open ? `* ${t('retention.open')}` : ''}, ${t('retention.showPeople')}`}
            onClick={() => onPeople(rows.indexOf(r), i)}
          >
            {figure}
          </button>
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
