import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import { Definition } from '../../components/Definition';
import type { Column } from '../../components/table/columns';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime } from '../../lib/useView';
import { steps } from '../../parts/figures/figures';
import type { Shared } from './ActiveUsersPage';
import { paramsOf, type Report } from './api';
import { useDefinition } from './useDefinition';

/** Which share of the people of 30 days came on each day. */
export function StickinessCard(props: Shared & { data: Report }) {
  const { app, question, data } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const definition = useDefinition(props, data);
  const rows = steps(data.days, locale, span);
  const title = t('active.stickiness');
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    { key: 'dm', title, numeric: true, form: 'percent', value: (s) => s.row.dm, text: (s) => format.share(s.row.dm / 100) },
  ];
  return (
    <ChartCard
      told
      title={title}
      about={`${t('active.about.stickiness')}, ${periodName}`}
      spec={{
        kind: 'series',
        steps: rows,
        continuous: true,
        filled: true,
        present: data.today === '' ? undefined : rows.length - 1,
        series: [{ name: title, values: rows.map((s) => s.row.dm / 100) }],
        format: format.percent,
        formatTick: format.percent,
      }}
      columns={columns}
      rows={rows}
      file={fileNamed([t('nav.active'), title], span)}
      as={as}
      onAs={setAs}
      actions={<Definition what={title} path="/o/active_users/report" params={paramsOf(app, question)} fields={definition} />}
    >
      <Text size="sm" mt="xs">
        {t('active.stickinessSaid', { share: format.percent(data.mean.dm / 100), days: format.count(Math.max(1, Math.round((data.mean.dm * 30) / 100))), week: format.percent(data.mean.dw / 100) })}
      </Text>
    </ChartCard>
  );
}
