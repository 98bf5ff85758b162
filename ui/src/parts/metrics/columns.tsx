import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PickButton } from '../../components/filter/PickButton';
import type { Column } from '../../components/table/columns';
import { ChangeMark, useAgainst, useChangeText } from '../../components/Change';
import { useFormat } from '../../i18n';
import { changeOf, type Against } from '../../lib/change';
import { other, type Dimension } from './definitions';
import type { Value } from './rows';

/** The name of a value, which filters the page by it; that of all others does not. */
function Picked({ value, pick }: { value: Value; pick: (v: Value) => void }) {
  return <PickButton name={value.name} onPick={value._id === other ? undefined : () => pick(value)} />;
}

/** The columns of a table of values. */
export function useColumns(dimension: Dimension, against: Against | undefined, pick: (v: Value) => void): Column<Value>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const says = useAgainst();
  const write = useChangeText();
  const vs = against === undefined ? undefined : says(against).text;
  return useMemo(() => {
    const count = (key: 't' | 'u' | 'n', title: string): Column<Value> => ({
      key,
      title,
      numeric: true,
      value: (v) => v[key],
      text: (v) => format.count(v[key]),
    });
    const list: Column<Value>[] = [
      { key: 'name', title: t(`one.${dimension}`), fixed: true, value: (v) => v.name, text: (v) => v.name, cell: (v) => <Picked value={v} pick={pick} /> },
      count('t', t('metric.sessions')),
      {
        key: 'share',
        title: t('metric.share'),
        numeric: true,
        form: 'share',
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
    if (vs === undefined) return list;
    const change = (v: Value) => changeOf(v.now?.t ?? 0, v.before?.t ?? 0, format);
    return [
      ...list,
      { key: 'before', title: t('metric.sessionsBefore'), numeric: true, value: (v) => v.before?.t ?? 0, text: (v) => format.count(v.before?.t ?? 0) },
      {
        key: 'change',
        title: t('metric.change'),
        note: vs,
        numeric: true,
        form: 'share',
        value: (v) => change(v)?.share ?? 0,
        text: (v) => write(change(v)),
        cell: (v) => <ChangeMark change={change(v)} />,
      },
    ];
    // The functions of hooks that say things follow from t and format.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [t, format, dimension, vs, pick]);
}
