import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useGranularity } from '../../components/time/GranularityChoice';
import { useTime } from '../../lib/useView';
import type { App } from '../../access/apps';
import { course, sums, type Overview, type Row } from '../figures/api';

export interface Trend {
  now: Overview | undefined;
  /** The steps of the days compared with, where a comparison is chosen. */
  before: Row[] | undefined;
  /** When the figures were read, in ms. */
  at: number;
  error: unknown;
  retry: () => void;
}

/** The figures of the chosen period, and the course of the one compared with. */
export function useTrend(app: App): Trend {
  const { period, span, before, against } = useTime(app);
  const step = useGranularity(span);
  const totals = useQuery({ ...sums(app, period, against), placeholderData: keepPreviousData });
  const rows = useQuery({ ...course(app, period, step), placeholderData: keepPreviousData });
  const then = useQuery({ ...course(app, before === undefined ? period : { kind: 'custom', ...before }, step), refetchInterval: false, enabled: before !== undefined });
  return {
    now: totals.data === undefined || rows.data === undefined ? undefined : { sums: totals.data, rows: rows.data },
    before: before === undefined ? undefined : then.data,
    at: totals.dataUpdatedAt,
    error: totals.error ?? rows.error ?? (before === undefined ? null : then.error),
    retry: () => void Promise.all([totals.refetch(), rows.refetch(), before === undefined ? undefined : then.refetch()]),
  };
}
