import { queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../api/client';
import { firstReads } from '../api/first';

export const modules = queryOptions({
  queryKey: ['modules'],
  queryFn: ({ signal }) => read<string[]>(firstReads.modules, {}, signal),
  staleTime: 300_000,
});

/** The parts of the server that are switched on; undefined until they are known. */
export function useModules(): readonly string[] | undefined {
  return useQuery(modules).data;
}
