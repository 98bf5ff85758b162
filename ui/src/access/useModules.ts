import { queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../api/client';
import { firstReads } from '../api/first';
import * as v from '../api/schema';

/** The parts of the server that are switched on, by name. */
export const Modules = v.array(v.string());

export const modules = queryOptions({
  queryKey: ['modules'],
  queryFn: ({ signal }) => read(firstReads.modules, Modules, {}, signal),
  staleTime: 300_000,
});

/** The parts of the server that are switched on; undefined until they are known. */
export function useModules(): readonly string[] | undefined {
  return useQuery(modules).data;
}
