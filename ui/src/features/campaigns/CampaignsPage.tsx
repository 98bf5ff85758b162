import { Select, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ChartCard } from '../../components/chart/ChartCard';
import { SampleChart } from '../../components/chart/SampleChart';
import { Definition } from '../../components/Definition';
import { LinkIcon } from '../../components/icons';
import { TimePage } from '../../components/Page';
import { FigureList, Section } from '../../components/Section';
import { Coming, Failed, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useOwnTableState } from '../../components/table/useTableState';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { today } from '../../lib/period';
import { useTime, useView } from '../../lib/useView';
import { usePinned } from '../../parts/notes/usePinned';
import { timed } from '../../parts/figures/api';
import { steps } from '../../parts/figures/figures';
import { channels, dimensions, visits, type Dimension, type Report, type Visits } from './api';
import { CampaignsCard } from './CampaignsCard';
import { CreditCard } from './CreditCard';
import { useValueName } from './useValueName';

/** Where people come from, which campaigns there are, and what conversions are credited to. */
export function CampaignsPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const [view] = useView();
  const { period } = useTime(app);
  const by = dimensions.find((d) => d === view.by) ?? 'channel';
  const { data, error, refetch } = useQuery({ ...visits(app, period, by), placeholderData: keepPreviousData });
  return (
    <TimePage app={app} title={t('nav.campaigns')} lead={t('campaigns.lead')}>
      <Stack gap="md">
        {error !== null && <Failed error={error} retry={() => void refetch()} />}
        {data === undefined && error === null && <Coming height={320} />}
        {data !== undefined &&
          (data.totals.t === 0 ? (
            <section className="card" aria-label={t('campaigns.none')}>
              <Notice icon={<LinkIcon />} title={t('campaigns.none')} text={t('campaigns.noneHint')} />
              <SampleChart label={t('campaigns.visits')} series={(['search', 'social', 'mail'] as const).map((key) => ({ name: t(`campaigns.channel.${key}`), values: sample[key] }))} />
            </section>
          ) : (
            <>
              <Course app={app} data={data} />
              <Origins app={app} data={data} by={by} />
              <CreditCard app={app} by={by} />
            </>
          ))}
        <CampaignsCard app={app} />
      </Stack>
    </TimePage>
  );
}

/** What the page may look like, for an app that has nothing to show. */
const sample = {
  search: [84, 88, 91, 90, 97, 102, 99, 108, 112, 110, 118, 124],
  social: [41, 39, 46, 52, 49, 58, 74, 69, 63, 66, 71, 78],
  mail: [12, 60, 28, 17, 14, 13, 12, 66, 31, 19, 15, 14],
};

function Course({ app, data }: { app: App; data: Report }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const rows = useMemo(() => steps(data.days.map((_id, i) => ({ _id, of: (channel: string) => data.channels[channel]?.[i] ?? 0 })), locale, span), [data, locale, span]);
  const { marks, act, below } = usePinned(app, rows);
  const shown = channels.filter((c) => data.channels[c] !== undefined);
  const title = t('campaigns.visits');
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    ...shown.map((c): Column<(typeof rows)[number]> => ({ key: c, title: t(`campaigns.channel.${c}`), numeric: true, value: (s) => s.row.of(c), text: (s) => format.count(s.row.of(c)) })),
  ];
  const now = today(app.timezone);
  const present = span.to >= now && span.from <= now ? rows.length - 1 : undefined;
  return (
    <>
      <FigureList
        figures={[
          { name: t('campaigns.visitCount'), value: format.count(data.totals.t) },
          { name: t('metric.users'), value: format.count(data.totals.u) },
          { name: t('campaigns.newUsers'), value: format.count(data.totals.n) },
        ]}
      />
      <ChartCard
        title={title}
        about={t('campaigns.visitCount')}
        file={fileNamed([t('nav.campaigns'), title], span)}
        as={view.as}
        onAs={(as) => set({ as })}
        act={act}
        actions={<Definition what={title} path="/o/attribution/visits" params={{ ...timed(app, period).params, by: 'channel' }} fields={[[t('campaigns.about.counts'), t('campaigns.about.visits')], [t('retention.def.period'), `${periodName} (${format.days(span.from, span.to)}), ${app.timezone}`], [t('retention.def.exact'), t('campaigns.about.exact')]]} />}
        spec={{
          kind: 'series',
          steps: rows,
          continuous: false,
          stacked: true,
          present,
          marks,
          series: shown.map((c) => ({ name: t(`campaigns.channel.${c}`), values: rows.map((s) => s.row.of(c)) })),
          format: format.count,
          formatTick: format.short,
        }}
        columns={columns}
        rows={rows}
      >
        {below}
      </ChartCard>
    </>
  );
}

function Origins({ app, data, by }: { app: App; data: Report; by: Dimension }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [, set] = useView();
  const { span } = useTime(app);
  const name = useValueName();
  const table = useOwnTableState('-visits');
  const columns: Column<Visits>[] = [
    { key: 'name', title: t(`campaigns.dimension.${by}`), fixed: true, value: (r) => name(by, r._id).toLocaleLowerCase(), text: (r) => name(by, r._id) },
    { key: 'visits', title: t('campaigns.visitCount'), numeric: true, value: (r) => r.t, text: (r) => format.count(r.t) },
    { key: 'share', title: t('metric.share'), numeric: true, form: 'percent', value: (r) => (100 * r.t) / Math.max(1, data.totals.t), text: (r) => format.percent(r.t / Math.max(1, data.totals.t)) },
    { key: 'users', title: t('metric.users'), numeric: true, value: (r) => r.u, text: (r) => format.count(r.u) },
    { key: 'new', title: t('campaigns.newUsers'), numeric: true, value: (r) => r.n, text: (r) => format.count(r.n) },
  ];
  return (
    <Section title={t('campaigns.origins')} actions={<ByChoice by={by} onChange={(next) => set({ by: next === 'channel' ? '' : next })} />}>
      <DataTable caption={t('campaigns.origins')} columns={columns} rows={data.rows} file={fileNamed([t('nav.campaigns'), t('campaigns.origins')], span)} empty={t('campaigns.noOrigin')} {...table} />
    </Section>
  );
}

function ByChoice({ by, onChange }: { by: Dimension; onChange: (by: Dimension) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Select
      size="xs"
      aria-label={t('campaigns.by')}
      allowDeselect={false}
      value={by}
      onChange={(next) => onChange(dimensions.find((d) => d === next) ?? 'channel')}
      data={dimensions.map((value) => ({ value, label: t(`campaigns.dimension.${value}`) }))}
    />
  );
}
