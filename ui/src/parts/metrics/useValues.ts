import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { toasts } from '../../components/toasts';
import type { Against } from '../../lib/change';
import type { Period, Span } from '../../lib/period';
import { patiently } from '../../lib/patiently';
import { useTime, useView, useWholeDays } from '../../lib/useView';
import type { App } from '../../access/apps';
import { metricRows } from './api';
import { decoders, other, type Dimension } from './definitions';
import { valuesOf, type Value } from './rows';

/** Filters the page by a value of a dimension, or, where it is already, no longer. */
export function usePickValue(dimension: Dimension): (v: Pick<Value, '_id'>) => void {
  const [{ filter }, set] = useView();
  return useCallback(
    ({ _id }: Pick<Value, '_id'>) =>
      void patiently(() => import('./pick')).then(
        ({ picked }) => set({ filter: picked(filter, dimension, _id), page: 1 }),
        (error: unknown) => toasts.show(String(error), 'failed'),
      ),
    [dimension, filter, set],
  );
}

interface Values {
  values: Value[] | undefined;
  /** What changes are against, once it is read. */
  against: Against | undefined;
  /** Whether a comparison is asked for that only tomorrow can tell. */
  tooEarly: boolean;
  /** When they were read, in ms. */
  at: number;
  error: unknown;
  retry: () => void;
}

/** The values of a dimension in the chosen period and in the one compared with; both by whole days, as dimensions are counted. */
export function useValues(app: App, dimension: Dimension, enabled = true): Values {
  const { t, i18n } = useTranslation();
  const { period, span } = useTime(app);
  const { parts, asked } = useWholeDays(app);
  const rows = useQuery({ ...metricRows(app, dimension, period), placeholderData: keepPreviousData, enabled });
  const then = useQuery({ ...metricRows(app, dimension, custom(parts?.before ?? span)), enabled: enabled && parts !== undefined });
  const cut = parts !== undefined && parts.now.to !== span.to;
  const over = useQuery({ ...metricRows(app, dimension, custom(parts?.now ?? span)), enabled: enabled && cut });
  const now = cut ? over.data : rows.data;
  const was = parts === undefined || now === undefined ? undefined : then.data;
  const values = useMemo(() => {
    const decode = decoders(i18n.language)[dimension];
    const earlier = was === undefined ? undefined : { now: now ?? [], before: was };
    return rows.data && valuesOf(rows.data, earlier, (text) => (text === other ? t('metric.other') : decode(text)));
  }, [rows.data, now, was, i18n.language, t, dimension]);
  return { values, against: was === undefined ? undefined : parts?.against, tooEarly: asked && parts === undefined, at: rows.dataUpdatedAt, error: rows.error, retry: () => void rows.refetch() };
}

const custom = (span: Span): Period => ({ kind: 'custom', ...span });
