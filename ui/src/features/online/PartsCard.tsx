import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import type { Column } from '../../components/table/columns';
import { useFormat } from '../../i18n';
import { decoders } from '../../parts/metrics/definitions';
import { AboutOnline } from './AboutOnline';
import type { Shown } from './api';

const by = { cc: 'countries', lv: 'platforms', src: 'sources' } as const;
type Part = keyof typeof by;
const parts = ['cc', 'lv', 'src'] as const satisfies Part[];

/** How many values are drawn. */
const shown = 10;

/** The people who are online by country, platform or source. */
export function PartsCard({ apps, data }: Shown) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [part, setPart] = useState<Part>('cc');
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  if (data.now.o === 0 || !data.whole) return null;
  const decode = decoders(i18n.language)[by[part]];
  const rows = Object.entries(data.m[part])
    .map(([value, users]) => ({ name: decode(value), users }))
    .sort((a, b) => b.users - a.users || a.name.localeCompare(b.name));
  const title = t('online.parts');
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'name', title: t(`one.${by[part]}`), fixed: true, value: (r) => r.name, text: (r) => r.name },
    { key: 'users', title: t('online.online'), numeric: true, value: (r) => r.users, text: (r) => format.count(r.users) },
  ];
  return (
    <ChartCard
      title={title}
      about={t(`one.${by[part]}`)}
      spec={{ kind: 'bars', name: t('online.online'), rows: rows.slice(0, shown).map((r) => ({ name: r.name, value: r.users })), format: format.count, formatTick: format.short }}
      columns={columns}
      rows={rows}
      file={`${t('nav.online')} ${t(`one.${by[part]}`)}`}
      as={as}
      onAs={setAs}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label={t('online.partsBy')}
            value={part}
            onChange={(next) => setPart(parts.find((one) => one === next) ?? 'cc')}
            data={parts.map((value) => ({ value, label: t(`one.${by[value]}`) }))}
          />
          <AboutOnline apps={apps} window={data.window} what={t('online.parts')} />
        </>
      }
    />
  );
}
