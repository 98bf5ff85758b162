import { keepPreviousData, queryOptions, type QueryKey } from '@tanstack/react-query';
import { read, type Params } from '../../api/client';
import * as v from '../../api/schema';

/** What is shown of a list of the server. */
export interface ListingState {
  search: string;
  sort: { key: string; desc: boolean } | undefined;
  /** From 1. */
  page: number;
  size: number;
}

/** A list that the server searches, orders and pages. */
export interface Listing<Row = unknown> {
  /** Begins the keys under which pages of it are kept. */
  key: QueryKey;
  path: string;
  params: Params;
  /** What a row is. */
  row: v.Schema<Row>;
  /** How the order is sent to the server. */
  order: (sort: { key: string; desc: boolean }) => Params;
  /** How many rows the server gives at most in one answer. */
  most: number;
}

/** Tells an order by the number of its column. */
export function byColumn(columns: readonly string[]): Listing['order'] {
  return ({ key, desc }) => {
    const at = columns.indexOf(key);
    return at < 0 ? {} : { iSortCol_0: at, sSortDir_0: desc ? 'desc' : 'asc' };
  };
}

/** Tells an order by a field. */
export function byField({ key, desc }: { key: string; desc: boolean }): Params {
  return { sort: { [key]: desc ? -1 : 1 } };
}

/** The parameters that narrow and order a list, without those that page it. */
export function selection({ params, order }: Listing, { search, sort }: Pick<ListingState, 'search' | 'sort'>): Params {
  return { ...params, ...(sort === undefined ? {} : order(sort)), sSearch: search === '' ? undefined : search };
}

/** A page of a list with rows of a kind. */
export const pageWith = <S extends v.Schema>(row: S) => v.object({ iTotalDisplayRecords: v.number(), aaData: v.array(row) });

/** A page of a list; onTask receives the task that makes it, where it takes the server long. */
export function pageOf<Row>(list: Listing<Row>, state: ListingState, onTask?: (id: string | undefined) => void) {
  return queryOptions({
    queryKey: [...list.key, list.path, list.params, state],
    queryFn: ({ signal }) =>
      read(
        list.path,
        pageWith(list.row),
        { ...selection(list, state), iDisplayStart: (state.page - 1) * state.size, iDisplayLength: state.size },
        signal,
        onTask,
      ),
    staleTime: 1000, // what asks for the same page a moment later shows this one
    placeholderData: keepPreviousData,
  });
}

/** The parameters with which the server makes a file of a whole list. */
export function fileOf(list: Listing, state: Pick<ListingState, 'search' | 'sort'>, format: string, name: string): Params {
  const data = Object.entries(selection(list, state)).filter(([, value]) => value !== undefined);
  return { type: format, filename: name, path: list.path, prop: 'aaData', data: { ...Object.fromEntries(data), iDisplayLength: list.most } };
}
