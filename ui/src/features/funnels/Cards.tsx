import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ChartCard } from '../../components/chart/ChartCard';
import type { Column } from '../../components/table/columns';
import { Coming, Failed } from '../../components/States';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { addDays, today } from '../../lib/period';
import { useTime } from '../../lib/useView';
import { steps } from '../overview/figures';
import { days, type Day, type Single, type Spread } from './api';
import { conversionOf, histogramOf } from './figures';

/** How many bars stand side by side with their names. */
const widest = 6;

/** How long those took who went all the way. */
export function TimesCard({ app, spread, name }: { app: App; spread: Spread; name: string }) {
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
    />
  );
}

/** The last thirty days, each by itself. */
export function CourseCard({ app, funnel }: { app: App; funnel: Single }) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const { data, error, refetch } = useQuery(days(app._id, funnel._id));
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Coming height={360} />;
  const last = today(app.timezone, new Date());
  const found = new Map(data.map((d) => [d._id, d]));
  const all = Array.from({ length: 30 }, (_, i): Day => {
    const day = addDays(last, i - 29);
    return { ...(found.get(day) ?? { users_in_first_step: 0, success_users: 0 }), _id: day };
  });
  const named = steps(all.map((d) => ({ ...d, _id: d._id.replaceAll(/-0?/g, '-') })), locale);
  // On days on which nobody began there is nothing to be a share of.
  const rate = ({ row }: (typeof named)[number]) => (row.users_in_first_step === 0 ? undefined : conversionOf(row));
  const columns: Column<(typeof named)[number]>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    { key: 'rate', title: t('funnels.conversion'), numeric: true, form: 'share', value: (s) => rate(s) ?? 0, text: (s) => { const share = rate(s); return share === undefined ? '–' : format.share(share); } },
    { key: 'entered', title: t('funnels.entered'), numeric: true, value: (s) => s.row.users_in_first_step, text: (s) => format.count(s.row.users_in_first_step) },
    { key: 'done', title: t('funnels.completed'), numeric: true, value: (s) => s.row.success_users, text: (s) => format.count(s.row.success_users) },
  ];
  return (
    <ChartCard
      title={t('funnels.courseTitle')}
      about={t('funnels.courseAbout')}
      spec={{
        kind: 'series',
        steps: named,
        continuous: true,
        present: named.length - 1,
        series: [{ name: t('funnels.conversion'), values: named.map((s) => rate(s)) }],
        format: format.percent,
        formatTick: format.percent,
      }}
      columns={columns}
      rows={named}
      file={fileNamed([t('nav.funnels'), funnel.name, t('funnels.courseTitle')], { from: addDays(last, -29), to: last })}
      as={as}
      onAs={setAs}
    />
  );
}
