import type { SearchMiddleware, SearchSchemaInput } from '@tanstack/react-router';
import { parseView, usual, type View } from '../lib/view';

/** What the shared parts of a page keep in its address: the table, and the chart. */
export const ofTable = ['q', 'sort', 'page', 'hide'] as const;
export const ofChart = ['figure', 'as', 'by'] as const;

/**
 * The search schema of a page that has some of the shared keys. Links to the page may name these and no others; what an address
 * lacks, or has in no known form, is as usual.
 */
export function searchOf<K extends keyof View>(...keys: readonly K[]) {
  return (raw: Partial<Record<K, unknown>> & SearchSchemaInput): Pick<View, K> => {
    // eslint-disable-next-line quipu/uncast -- some of the keys of all: TypeScript does not see that K is of them
    const view = parseView(raw as Partial<Record<keyof View, unknown>>);
    // eslint-disable-next-line quipu/uncast -- fromEntries forgets which keys there are
    return Object.fromEntries(keys.map((key) => [key, view[key]])) as Pick<View, K>;
  };
}

/** Keeps what is as usual out of addresses. */
export function withoutUsual<S extends object>(): SearchMiddleware<S> {
  // eslint-disable-next-line quipu/uncast -- what is left out need not be there: parseView adds it
  return ({ search, next }) => Object.fromEntries(Object.entries(next(search)).filter(([key, value]) => !(key in usual) || value !== usual[key as keyof View])) as S;
}
