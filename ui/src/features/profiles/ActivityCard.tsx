import { SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import { Definition } from '../../components/Definition';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { useFormat, useLocale } from '../../i18n';
import type { App } from '../../access/apps';
import { steps } from '../../parts/figures/figures';
import { courseOf, courseParams, stretches, type Stretch } from './person';

/** Sessions and events of a person by day, week or month. */
export function ActivityCard({ app, uid }: { app: App; uid: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const [stretch, setStretch] = useState<Stretch>('month');
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const { data, error, refetch } = useQuery({ ...courseOf(app._id, uid, stretch), placeholderData: keepPreviousData });
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Coming height={320} />;
  const rows = steps(data.rows, locale);
  const series = [
    { key: 's', name: t('metric.sessions') },
    { key: 'e', name: t('nav.events') },
  ] as const;
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    ...series.map(({ key, name }): Column<(typeof rows)[number]> => ({ key, title: name, numeric: true, value: (s) => s.row[key], text: (s) => format.count(s.row[key]) })),
    { key: 'tsd', title: t('metric.time'), numeric: true, value: (s) => s.row.tsd, text: (s) => format.duration(s.row.tsd) },
  ];
  const { totals } = data;
  return (
    <ChartCard
      title={t('profiles.course')}
      about={t(`profiles.stretch.${stretch}`)}
      file={t('profiles.course')}
      as={as}
      onAs={setAs}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label={t('profiles.stretches')}
            value={stretch}
            onChange={(next) => setStretch(next)}
            data={(Object.keys(stretches) as Stretch[]).map((value) => ({ value, label: t(`profiles.stretch.${value}`) }))}
          />
          <Definition
            what={t('profiles.course')}
            path="/o"
            params={courseParams(app._id, uid, stretch)}
            fields={[
              [t('metric.sessions'), t('about.sessions')],
              [t('nav.events'), t('profiles.def.events')],
              [t('metric.time'), t('about.time')],
              [t('retention.def.period'), `${t(`profiles.stretch.${stretch}`)}, ${app.timezone}`],
              [t('retention.def.exact'), t('profiles.def.exact')],
            ]}
          />
        </>
      }
      spec={{ kind: 'series', steps: rows, continuous: false, series: series.map(({ key, name }) => ({ name, values: rows.map((s) => s.row[key]) })), format: format.count, formatTick: format.short }}
      columns={columns}
      rows={rows}
    >
      <Text size="sm" mt="xs">
        {t('profiles.courseSaid', { count: totals.d, days: format.count(totals.d), sessions: format.count(totals.s), events: format.count(totals.e), time: format.duration(totals.tsd) })}
      </Text>
    </ChartCard>
  );
}
