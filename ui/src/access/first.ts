import type { QueryClient } from '@tanstack/react-query';
import { myApps } from './apps';
import { me } from './me';
import { modules } from './useModules';

/** Begins the reads that every page needs, in the order of firstReads, which makes them the request that is on its way already. */
export function readFirst(queries: QueryClient): void {
  for (const read of [queries.query(me), queries.query(myApps), queries.query(modules)]) read.catch(() => undefined); // those who use it say so
}
