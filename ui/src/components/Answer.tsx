import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed, Loading } from './States';

/** Shows what a query answered; until then that it loads, or why it failed. */
export function Answer<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  return error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />;
}
