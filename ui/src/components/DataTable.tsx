import { ActionIcon, Group, Table, Text, UnstyledButton } from '@mantine/core';
import {
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChevronIcon } from './icons';

/** A column: how a row is shown, and the value by which it sorts. */
export interface Column<Row> {
  key: string;
  title: string;
  value: (row: Row) => string | number;
  text: (row: Row) => string;
  numeric?: boolean;
}

interface Props<Row extends object> {
  /** Says what the table holds; read by screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  pageSize?: number;
}

const features = tableFeatures({
  rowSortingFeature,
  rowPaginationFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
  sortFns: { basic: sortFn_basic },
});

/** The one table of the dashboard: sorts by any column and pages. */
export function DataTable<Row extends object>({ caption, columns, rows, pageSize = 31 }: Props<Row>) {
  const { t } = useTranslation();
  const defs = useMemo(
    () =>
      columns.map(
        (c): ColumnDef<typeof features, Row> => ({
          id: c.key,
          header: c.title,
          accessorFn: (row) => c.value(row),
          sortFn: 'basic',
          sortDescFirst: c.numeric ?? false,
        }),
      ),
    [columns],
  );
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: defs,
    data,
    initialState: { pagination: { pageIndex: 0, pageSize } },
  });
  const byKey = new Map(columns.map((c) => [c.key, c]));
  const align = (key: string) => (byKey.get(key)?.numeric === true ? 'end' : 'start');
  const pages = table.getPageCount();

  return (
    <>
      <Table.ScrollContainer minWidth={420}>
        <Table highlightOnHover className="numbers">
          <caption className="visually-hidden">{caption}</caption>
          <Table.Thead>
            {table.getHeaderGroups().map((group) => (
              <Table.Tr key={group.id}>
                {group.headers.map(({ column }) => {
                  const sorted = column.getIsSorted();
                  return (
                    <Table.Th
                      key={column.id}
                      ta={align(column.id)}
                      scope="col"
                      aria-sort={sorted === false ? 'none' : sorted === 'asc' ? 'ascending' : 'descending'}
                    >
                      <UnstyledButton fw={600} fz="sm" onClick={column.getToggleSortingHandler()}>
                        {byKey.get(column.id)?.title}
                        <span aria-hidden>{sorted === 'asc' ? ' ↑' : sorted === 'desc' ? ' ↓' : ''}</span>
                      </UnstyledButton>
                    </Table.Th>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Thead>
          <Table.Tbody>
            {table.getRowModel().rows.map((row) => (
              <Table.Tr key={row.id}>
                {columns.map((c) => (
                  <Table.Td key={c.key} ta={align(c.key)}>
                    {c.text(row.original)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {pages > 1 && (
        <Group justify="flex-end" gap="xs" mt="xs">
          <ActionIcon
            variant="default"
            aria-label={t('table.previous')}
            disabled={!table.getCanPreviousPage()}
            onClick={() => table.previousPage()}
          >
            <span className="turn-back">
              <ChevronIcon />
            </span>
          </ActionIcon>
          <Text size="sm">{t('table.page', { page: table.state.pagination.pageIndex + 1, pages })}</Text>
          <ActionIcon
            variant="default"
            aria-label={t('table.next')}
            disabled={!table.getCanNextPage()}
            onClick={() => table.nextPage()}
          >
            <span className="turn-on">
              <ChevronIcon />
            </span>
          </ActionIcon>
        </Group>
      )}
    </>
  );
}
