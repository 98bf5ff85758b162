import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { bucketOf, type Span } from '../../lib/period';
import { useTime } from '../../lib/useView';
import type { App } from '../apps/api';
import { overview, type Overview } from './api';

export interface Trend {
  now: Overview | undefined;
  before: Overview | undefined;
  /** The days compared with, once they are read. */
  beforeSpan: Span | undefined;
  error: unknown;
  retry: () => void;
}

/** The figures of the chosen period, and of the one compared with. */
export function useTrend(app: App): Trend {
  const { period, before } = useTime(app);
  const now = useQuery({ ...overview(app, period), placeholderData: keepPreviousData });
  const options = overview(app, before === undefined ? period : { kind: 'custom', ...before }, bucketOf(period));
  const then = useQuery({ ...options, refetchInterval: false, enabled: before !== undefined });
  const compared = before === undefined ? undefined : then.data;
  return {
    now: now.data,
    before: compared,
    beforeSpan: compared === undefined ? undefined : before,
    error: now.error ?? (before === undefined ? null : then.error),
    retry: () => void Promise.all([now.refetch(), before === undefined ? undefined : then.refetch()]),
  };
}
