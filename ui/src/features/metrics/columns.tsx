import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../components/table/columns';
import { useFormat } from '../../i18n';
import { changeOf } from '../overview/figures';
import type { Dimension } from './definitions';
import type { Value } from './rows';

/** The columns of a table of values. */
export function useColumns(dimension: Dimension, compared: boolean): Column<Value>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(() => {
    const count = (key: 't' | 'u' | 'n', title: string): Column<Value> => ({
      key,
      title,
      numeric: true,
      value: (v) => v[key],
      text: (v) => format.count(v[key]),
    });
    const list: Column<Value>[] = [
      { key: 'name', title: t(`one.${dimension}`), fixed: true, value: (v) => v.name, text: (v) => v.name },
      count('t', t('metric.sessions')),
      {
        key: 'share',
        title: t('metric.share'),
        numeric: true,
        value: (v) => v.share,
        text: (v) => format.share(v.share),
        cell: (v) => (
          <span className="share">
            <span className="share-track" aria-hidden>
              <span className="share-bar" style={{ inlineSize: `${v.share * 100}%` }} />
            </span>
            <span>{format.share(v.share)}</span>
          </span>
        ),
      },
      count('u', t('metric.users')),
      count('n', t('metric.newUsers')),
    ];
    if (!compared) return list;
    const change = (v: Value) => changeOf(v.t, v.before?.t ?? 0, format);
    return [
      ...list,
      { key: 'before', title: t('metric.sessionsBefore'), numeric: true, value: (v) => v.before?.t ?? 0, text: (v) => format.count(v.before?.t ?? 0) },
      {
        key: 'change',
        title: t('metric.change'),
        numeric: true,
        value: (v) => (v.before === undefined || v.before.t === 0 ? 0 : (v.t - v.before.t) / v.before.t),
        text: (v) => change(v)?.text ?? '–',
        cell: (v) => (
          <span className="figure-change" data-trend={change(v)?.trend}>
            {change(v)?.text ?? '–'}
          </span>
        ),
      },
    ];
  }, [t, format, dimension, compared]);
}
