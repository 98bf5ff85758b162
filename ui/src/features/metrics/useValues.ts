import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useTime } from '../../lib/useView';
import type { App } from '../apps/api';
import { metricRows } from './api';
import { decoders, type Dimension } from './definitions';
import { valuesOf, type Value } from './rows';

interface Values {
  values: Value[] | undefined;
  compared: boolean;
  error: unknown;
  retry: () => void;
}

/** The values of a dimension in the chosen period and in the one compared with. */
export function useValues(app: App, dimension: Dimension): Values {
  const { i18n } = useTranslation();
  const { period, before } = useTime(app);
  const now = useQuery({ ...metricRows(app, dimension, period), placeholderData: keepPreviousData });
  const then = useQuery({
    ...metricRows(app, dimension, before === undefined ? period : { kind: 'custom', ...before }),
    enabled: before !== undefined,
  });
  const was = before === undefined ? undefined : then.data;
  const values = useMemo(() => now.data && valuesOf(now.data, was, decoders(i18n.language)[dimension]), [now.data, was, i18n.language, dimension]);
  return { values, compared: was !== undefined, error: now.error, retry: () => void now.refetch() };
}
