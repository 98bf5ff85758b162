import { Box } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dated } from '../../lib/csv';
import { Answer } from '../Answer';
import { useSaveFile } from '../useSaveFile';
import { parseSort, type Column } from './columns';
import { DataTable } from './DataTable';
import { fileOf, pageOf, type Listing } from './listing';
import { useOwnTableState, useTableState } from './useTableState';

interface Props<Row> {
  caption: string;
  list: Listing<Row>;
  columns: readonly Column<Row>[];
  /** The order until another is chosen. */
  order: string;
  usuallyHidden?: string;
  /** Name of the files, without ending. */
  file: string;
  /** Controls beside the search; those about the rows that are shown get them. */
  actions?: ReactNode | ((rows: readonly Row[]) => ReactNode);
  empty?: ReactNode;
  /** Without a card around it. */
  bare?: boolean;
  /** Beside other tables, or in a dialog: the URL does not hold what is chosen. */
  aside?: boolean;
  /** What is looked for, where that is said beside the table. */
  search?: string;
  /** How many rows a page has. */
  size?: number;
  /** How often to ask again, in ms; false for not at all. */
  every?: number | false | ((rows: readonly Row[]) => number | false);
  /** In place of the file of the list, as long as nothing is searched for, where more than its rows can be had. */
  exported?: (format: string, name: string) => { path: string; params: Record<string, string | number | object> };
}

/** The table of a list that the server searches, orders and pages, and makes a file of. */
export function ServerTable<Row extends object>(props: Props<Row>) {
  const { caption, list, columns, order, usuallyHidden = '', file, actions, empty, bare = false, aside = false, size = 25, every = false } = props;
  const shared = useTableState(order, usuallyHidden);
  const own = useOwnTableState(order, usuallyHidden);
  const table = aside ? own : shared;
  const { page } = table.state;
  const [typed] = useDebouncedValue(table.state.q.trim(), 250);
  const search = props.search ?? typed;
  const asked = parseSort(table.state.sort);
  const sort = columns.some((c) => c.key === asked?.key && c.sortable !== false) ? asked : parseSort(order);
  const query = useQuery({
    ...pageOf(list, { search, sort, page, size }),
    refetchInterval: ({ state }) => (typeof every === 'function' ? every(state.data?.aaData ?? []) : every),
  });
  const saveFile = useSaveFile();
  return (
    <Answer query={query}>
      {({ aaData, iTotalDisplayRecords }) => (
        <Box {...(bare ? {} : { className: 'card', p: 'md' })}>
          <DataTable
            caption={caption}
            columns={columns}
            rows={aaData}
            file={file}
            pageSize={size}
            remote={iTotalDisplayRecords}
            searched={props.search !== undefined}
            actions={typeof actions === 'function' ? actions(aaData) : actions}
            empty={empty}
            onSave={(format) => {
              const name = dated(file, new Date());
              const other = search === '' ? props.exported?.(format, name) : undefined;
              return saveFile(other?.path ?? '/o/export/request', other?.params ?? fileOf(list, { search, sort }, format, name));
            }}
            {...table}
          />
        </Box>
      )}
    </Answer>
  );
}
