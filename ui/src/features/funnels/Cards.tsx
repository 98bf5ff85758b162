import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ChartCard } from '../../components/chart/ChartCard';
import type { Column } from '../../components/table/columns';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime } from '../../lib/useView';
import { steps } from '../../parts/figures/figures';
import type { Spread, TrendRow } from './api';
import { courseOf, histogramOf } from './figures';

/** How many bars stand side by side with their names. */
const widest = 6;

/** How long those took who went all the way. */
export function TimesCard({ app, spread, name, actions }: { app: App; spread: Spread; name: string; actions: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { span } = useTime(app);
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const bars = histogramOf(spread);
  const label = ({ from, to }: { from: number; to: number | undefined }) =>
    to === undefined ? t('funnels.longer', { from: format.duration(from) }) : from === 0 ? t('funnels.upTo', { to: format.duration(to) }) : `${format.duration(from)} – ${format.duration(to)}`;
  const columns: Column<(typeof bars)[number]>[] = [
    { key: 'took', title: t('funnels.tookColumn'), fixed: true, value: (b) => b.from, text: label },
    { key: 'count', title: t('funnels.conversions'), numeric: true, value: (b) => b.count, text: (b) => format.count(b.count) },
  ];
  return (
    <ChartCard
      title={t('funnels.timesTitle')}
      about={t('funnels.timesAbout', { median: format.duration(spread.median), p90: format.duration(spread.p90) })}
      spec={{ kind: 'bars', name: t('funnels.conversions'), upright: bars.length <= widest, rows: bars.map((b) => ({ name: label(b), value: b.count })), format: format.count, formatTick: format.short }}
      columns={columns}
      rows={bars}
      file={fileNamed([t('nav.funnels'), name, t('funnels.timesTitle')], span)}
      as={as}
      onAs={setAs}
      actions={actions}
    />
  );
}

/** The conversion of those who began in one part of the period after another. */
export function CourseCard({ app, name, rows, before, actions }: { app: App; name: string; rows: readonly TrendRow[]; before: readonly TrendRow[] | undefined; actions: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const { span } = useTime(app);
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const title = t('funnels.courseTitle');
  const named = steps(rows, locale, span);
  // In parts in which nobody began there is nothing to be a share of.
  const rate = (row: TrendRow | undefined) => (row === undefined || row.users[0] === undefined || row.users[0] === 0 ? undefined : row.success_users / row.users[0]);
  const { over, open } = courseOf(rows);
  const series = [
    { name: t('funnels.conversion'), values: over.map(rate) },
    ...(open.every((row) => row === undefined) ? [] : [{ name: t('funnels.courseOpen'), values: open.map(rate), quiet: true, color: 1 }]),
    ...(before === undefined ? [] : [{ name: t('funnels.courseBefore'), values: rows.map((_, i) => rate(before[i])), quiet: true }]),
  ];
  const columns: Column<(typeof named)[number]>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    { key: 'rate', title: t('funnels.conversion'), numeric: true, form: 'share', value: ({ row }) => rate(row) ?? '', text: ({ row }) => { const share = rate(row); return share === undefined ? '–' : `${format.share(share)}${row.open === true ? '*' : ''}`; } },
    { key: 'entered', title: t('funnels.entered'), numeric: true, value: ({ row }) => row.users[0] ?? 0, text: ({ row }) => format.count(row.users[0] ?? 0) },
    { key: 'done', title: t('funnels.completed'), numeric: true, value: ({ row }) => row.success_users, text: ({ row }) => format.count(row.success_users) },
  ];
  return (
    <ChartCard
      title={title}
      about={t('funnels.courseAbout')}
      spec={{ kind: 'series', steps: named, continuous: true, series, format: format.percent, formatTick: format.percent }}
      columns={columns}
      rows={named}
      file={fileNamed([t('nav.funnels'), name, title], span)}
      as={as}
      onAs={setAs}
      actions={actions}
    >
      <Text size="sm" c="dimmed" mt="xs">
        {t('funnels.courseHint')}
        {rows.some((row) => row.open === true) && ` ${as === 'table' ? '* ' : ''}${t('funnels.courseOpenHint')}`}
      </Text>
    </ChartCard>
  );
}
