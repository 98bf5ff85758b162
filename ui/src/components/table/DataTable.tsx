import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Table, Text, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import {
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, useLocale } from '../../i18n';
import { csv, dated, download } from '../../lib/csv';
import type { FileFormat } from '../../lib/file';
import { ChevronIcon, ColumnsIcon, DownloadIcon, SearchIcon } from '../icons';
import { comparison, fileRows, found, isShown, nextSort, parseSort, toggled, untouched, type Column, type TableState } from './columns';
import { SaveMenu } from './SaveMenu';

interface Common<Row extends object> {
  /** Says what the table holds; read by screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Name of the file that a download makes, without ending. */
  file: string;
  pageSize?: number;
  /** What was chosen and how to change it; without, the table remembers by itself. */
  state?: TableState;
  onState?: (change: Partial<TableState>) => void;
  /** Without a search of its own, since what it shows was searched for beside it. */
  searched?: boolean;
  actions?: ReactNode;
  /** Said when there is no row. */
  empty?: ReactNode;
}

/** Rows that are all there is, or one page of a list that the server searches and orders, which it makes files of, too. */
type Props<Row extends object> = Common<Row> &
  (
    | { remote?: never; onSave?: never }
    | {
        /** How many rows the list has. */
        remote: number;
        /** Makes the whole list a file. */
        onSave: (format: FileFormat) => Promise<unknown>;
      }
  );

/** How long a text may be, in characters, that is not repeated on pointing: it is never cut. */
const legible = 24;

const features = tableFeatures({
  rowSortingFeature,
  rowPaginationFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});

/** The one table of the dashboard: searches, sorts by any column, pages, hides columns and downloads. */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { caption, columns, rows, file, pageSize = 25, remote, searched = false, actions, empty } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const [own, setOwn] = useState(untouched);
  const state = props.state ?? own;
  const change = props.onState ?? ((part: Partial<TableState>) => setOwn((before) => ({ ...before, ...part })));

  const { hide } = state;
  const shown = columns.filter((c) => isShown(hide, c));
  const defs = useMemo(() => {
    const compare = comparison(locale);
    return columns.map((c): ColumnDef<typeof features, Row> => ({
      id: c.key,
      accessorFn: (row) => c.value(row),
      sortFn: (a, b, key) => compare(a.getValue(key), b.getValue(key)),
    }));
  }, [columns, locale]);
  const data = useMemo(() => (remote === undefined ? found(rows, columns, state.q) : [...rows]), [rows, columns, state.q, remote]);
  const count = remote ?? data.length;
  const pages = Math.max(1, Math.ceil(count / pageSize));
  const page = Math.min(state.page, pages);
  const order = parseSort(state.sort);
  const sort = columns.some((c) => c.key === order?.key) ? order : undefined;
  const table = useTable({
    features,
    columns: defs,
    data,
    manualSorting: remote !== undefined,
    manualPagination: remote !== undefined,
    state: {
      sorting: sort === undefined ? [] : [{ id: sort.key, desc: sort.desc }],
      pagination: { pageIndex: remote === undefined ? page - 1 : 0, pageSize },
    },
  });

  const away = columns.filter((c) => c.rare !== true && !shown.includes(c)).length;
  const [frame, overflows] = useOverflow();

  const saveRows = () => {
    const all = table.getPrePaginatedRowModel().rows.map((row) => row.original);
    download(`${dated(file, new Date())}.csv`, csv(fileRows(shown, all, (title) => t('table.exact', { title }))));
  };

  return (
    <div>
      <Group justify={searched ? 'flex-end' : 'space-between'} gap="xs" mb="xs" className="no-print table-tools">
        {!searched && <SearchField value={state.q} onChange={(q) => change({ q, page: 1 })} what={caption} />}
        <Group gap="xs">
          {actions}
          <ColumnPicker columns={columns} hide={hide} onChange={(next) => change({ hide: next })} />
          {props.onSave === undefined ? (
            <Tooltip label={t('chart.csv')} withArrow>
              <ActionIcon variant="default" size={36} aria-label={`${t('chart.csv')}: ${caption}`} onClick={saveRows}>
                <DownloadIcon size={18} />
              </ActionIcon>
            </Tooltip>
          ) : (
            <SaveMenu what={caption} onSave={props.onSave} />
          )}
        </Group>
      </Group>
      <Group gap="xs" mb="xs" hiddenFrom="sm" className="no-print" justify="flex-end">
        {(overflows || away > 0) && (
          <ColumnPicker columns={columns} hide={hide} onChange={(next) => change({ hide: next })} text={away > 0 ? t('table.hidden', { count: away }) : t('table.outOfView')} />
        )}
      </Group>
      <div ref={frame}>
        <Table.ScrollContainer type="native" minWidth={0} tabIndex={0} role="group" aria-label={caption}>
          <Table highlightOnHover className="numbers table" verticalSpacing={7}>
            <caption className="visually-hidden">{caption}</caption>
            <Table.Thead>
              <Table.Tr>
                {shown.map((c) => (
                  <HeadCell key={c.key} column={c} sort={sort} onSort={() => change({ sort: nextSort(state.sort, c), page: 1 })} />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {table.getRowModel().rows.map((row) => (
                <Table.Tr key={row.id}>
                  {shown.map((c) => (
                    <Table.Td key={c.key} ta={c.numeric === true ? 'end' : 'start'} className={classOf(c)}>
                      <Cell column={c} row={row.original} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
      {count === 0 && (
        <Text component="div" c="dimmed" size="sm" ta="center" py="xl">
          {searched || state.q === '' ? (empty ?? t('table.empty')) : t('table.notFound', { q: state.q })}
        </Text>
      )}
      {pages > 1 && (
        <Group justify="flex-end" gap="xs" mt="sm" className="no-print">
          <Text size="sm" c="dimmed">
            {t('table.rows', { rows: format.count(count) })}
          </Text>
          <Turn label={t('table.previous')} className="turn-back" disabled={page <= 1} onClick={() => change({ page: page - 1 })} />
          <Text size="sm">{t('table.page', { page: format.count(page), pages: format.count(pages) })}</Text>
          <Turn label={t('table.next')} className="turn-on" disabled={page >= pages} onClick={() => change({ page: page + 1 })} />
        </Group>
      )}
    </div>
  );
}

/** Whether the table is wider than the room that it has. */
function useOverflow(): [RefObject<HTMLDivElement | null>, boolean] {
  const frame = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(false);
  useEffect(() => {
    const scroller = frame.current?.firstElementChild;
    const table = frame.current?.querySelector('table');
    if (scroller == null || table == null) return;
    const observer = new ResizeObserver(() => setOver(scroller.scrollWidth > scroller.clientWidth + 1));
    observer.observe(scroller);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return [frame, over];
}

/** What a cell looks like: actions and short texts stay on a line, and paper has no use for actions. */
function classOf<Row>({ title, numeric = false, short = false, clip = false }: Column<Row>): string {
  if (title === '') return 'nowrap no-print acts';
  return numeric || short || clip ? 'nowrap' : 'cell';
}

/** Figures read from left to right in every language; texts as their own letters do. */
function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = column.cell?.(row);
  const text = column.text(row);
  if (column.numeric === true) return <bdi dir="ltr">{content ?? text}</bdi>;
  if (content !== undefined) return content;
  if (column.short === true) return <bdi>{text}</bdi>;
  return (
    <bdi className={column.clip === true ? 'clip' : 'clamped'} title={text.length > legible ? text : undefined}>
      {text}
    </bdi>
  );
}

function HeadCell<Row>({ column, sort, onSort }: { column: Column<Row>; sort: { key: string; desc: boolean } | undefined; onSort: () => void }) {
  const mine = sort?.key === column.key ? sort : undefined;
  const align = column.numeric === true ? 'end' : 'start';
  if (column.title === '') return <Table.Td className="no-print acts" />;
  if (column.sortable === false) {
    return (
      <Table.Th ta={align} scope="col" fz="sm">
        {column.title}
      </Table.Th>
    );
  }
  return (
    <Table.Th ta={align} scope="col" aria-sort={mine === undefined ? 'none' : mine.desc ? 'descending' : 'ascending'}>
      <UnstyledButton fw={600} fz="sm" ta={align} onClick={onSort}>
        {column.title}
        {mine !== undefined && <span aria-hidden>{mine.desc ? '\u00a0↓' : '\u00a0↑'}</span>}
        {column.note !== undefined && <span className="head-note">{` ${column.note}`}</span>}
      </UnstyledButton>
    </Table.Th>
  );
}

function SearchField({ value, onChange, what }: { value: string; onChange: (q: string) => void; what: string }) {
  const { t } = useTranslation();
  return (
    <TextInput
      type="search"
      className="table-search"
      aria-label={t('table.searchIn', { what })}
      placeholder={t('table.search')}
      leftSection={<SearchIcon size={16} />}
      value={value}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}

/** Chooses columns; as a text, where it says why one may want to. */
function ColumnPicker<Row>({ columns, hide, onChange, text }: { columns: readonly Column<Row>[]; hide: string; onChange: (hide: string) => void; text?: string }) {
  const { t } = useTranslation();
  const free = columns.filter((c) => c.fixed !== true && c.title !== '');
  if (free.length < 2) return null;
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        {text === undefined ? (
          <Tooltip label={t('table.columns')} withArrow>
            <ActionIcon variant="default" size={36} aria-label={t('table.columns')}>
              <ColumnsIcon size={18} />
            </ActionIcon>
          </Tooltip>
        ) : (
          <Button variant="subtle" size="compact-sm" leftSection={<ColumnsIcon size={16} />} aria-label={`${text}. ${t('table.columns')}`}>
            {text}
          </Button>
        )}
      </Popover.Target>
      <Popover.Dropdown className="picker" aria-label={t('table.columns')}>
        <Stack gap="xs">
          {free.map((c) => (
            <Checkbox key={c.key} label={c.title} checked={isShown(hide, c)} onChange={() => onChange(toggled(hide, c))} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Turn({ label, className, disabled, onClick }: { label: string; className: string; disabled: boolean; onClick: () => void }) {
  return (
    <ActionIcon variant="default" aria-label={label} disabled={disabled} onClick={onClick}>
      <span className={className}>
        <ChevronIcon />
      </span>
    </ActionIcon>
  );
}
