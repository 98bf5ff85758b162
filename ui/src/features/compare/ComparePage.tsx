import { Anchor, Box, Checkbox, Group, SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { myApps, type App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { ChangeMark, useAgainst, useChangeText } from '../../components/Change';
import { ChartCard } from '../../components/chart/ChartCard';
import { SampleChart } from '../../components/chart/SampleChart';
import type { SeriesSpec } from '../../components/chart/spec';
import { Definition } from '../../components/Definition';
import { TimePage } from '../../components/Page';
import { Coming, Failed, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { GranularityChoice, useGranularity } from '../../components/time/GranularityChoice';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { changeIn } from '../../lib/change';
import { fileNamed } from '../../lib/csv';
import { stepParam } from '../../lib/granularity';
import { useOnly, useTime, useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { course, sums, timed, type Row as StepRow } from '../../parts/figures/api';
import { formOf, isContinuous, parseMetric, presentOf, steps, valueOf, write, writeShort, type Metric, type Step } from '../../parts/figures/figures';
import { appSums } from './api';
import { chosenOf, mostApps, mostDrawn, usuallyDrawn, type AppRow } from './rows';
import { Together } from './Together';

const shown: readonly [Metric, ...Metric[]] = ['sessions', 'users', 'newUsers', 'time', 'averageTime'];

/** What the page may look like, for those with one app. */
const sample = [
  [120, 132, 128, 151, 149, 170, 166, 190, 204, 199, 222, 240],
  [210, 204, 215, 208, 199, 206, 212, 220, 214, 222, 228, 225],
];

/** All apps that the reader may see, side by side. */
export function ComparePage({ app }: { app: App }) {
  const { t } = useTranslation();
  return (
    <TimePage app={app} title={t('nav.compare')} lead={t('compare.lead')}>
      <Apps app={app} />
    </TimePage>
  );
}

function Apps({ app }: { app: App }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const apps = useQuery(myApps);
  const mine = useMemo(
    () => (member === undefined ? undefined : apps.data?.filter((a) => may(member, a._id, 'compare', 'r') && may(member, a._id, 'core', 'r'))),
    [apps.data, member],
  );
  if (apps.error !== null && mine === undefined) return <Failed error={apps.error} retry={() => void apps.refetch()} />;
  if (mine === undefined) return <Coming height={420} />;
  if (mine.length < 2) {
    return (
      <div className="card">
        <Notice title={t('compare.few')} text={t('compare.fewHint')} />
        <SampleChart label={t('nav.compare')} series={[app.name, t('compare.sample')].map((name, i) => ({ name, values: sample[i] ?? [] }))} />
      </div>
    );
  }
  return <Figures app={app} apps={mine.slice(0, mostApps)} more={mine.length > mostApps} />;
}

/** The figures of the apps: a line for each that is drawn, a row for all. */
function Figures({ app, apps, more }: { app: App; apps: readonly App[]; more: boolean }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const { period, span, against } = useTime(app);
  const [only, choose] = useOnly();
  const metric = parseMetric(view.figure, shown);
  const read = useQueries({ queries: apps.map((a) => ({ ...sums(a, period, against), placeholderData: keepPreviousData })) });
  const rows = apps.flatMap((a, i): AppRow[] => {
    const got = read[i]?.data;
    return got === undefined ? [] : [{ app: a, sums: got }];
  });
  const summed = useQuery({ ...appSums(app, period, apps), placeholderData: keepPreviousData }).data?.apps;
  const sumOf = (r: AppRow) => summed?.find((s) => s.id === r.app._id);
  const freeOf = (r: AppRow) => {
    const of = sumOf(r);
    return of === undefined || of.crash_free === null || of.users === 0 ? undefined : of.crash_free / of.users;
  };
  const failed = read.filter((r) => r.error !== null && r.data === undefined);
  const chosen = chosenOf(only.apps ?? '', apps);
  const largest = [...rows].sort((a, b) => b.sums.total.t - a.sums.total.t || a.app.name.localeCompare(b.app.name)).slice(0, usuallyDrawn);
  const drawn = chosen.length > 0 ? chosen : largest.map((r) => r.app);
  const periodName = usePeriodText()(period);
  const table = useTableState('-sessions');
  const format = useFormat();
  const written = useChangeText();
  const says = useAgainst();
  const change = (r: AppRow) => changeIn(r.sums, (part) => valueOf(metric, part), format);
  const compared = rows.find((r) => r.app._id === app._id)?.sums;
  const draw = (a: App, on: boolean) => {
    const next = on ? [...chosen, a].slice(-mostDrawn) : chosen.filter((c) => c !== a);
    choose('apps', next.map((c) => c._id).join(','));
  };
  if (rows.length === 0 && failed[0] !== undefined) return <Failed error={failed[0].error} retry={() => void failed[0]?.refetch()} />;
  if (read.some((r) => r.isPending)) return <Coming height={420} />;
  const columns: Column<AppRow>[] = [
    {
      key: 'app',
      title: t('compare.app'),
      fixed: true,
      value: (r) => r.app.name,
      text: (r) => r.app.name,
      cell: (r) => (
        <Group gap="sm" wrap="nowrap">
          <Checkbox
            size="xs"
            aria-label={t('compare.choose', { app: r.app.name })}
            checked={chosen.includes(r.app)}
            onChange={(e) => draw(r.app, e.currentTarget.checked)}
          />
          <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId" params={{ appId: r.app._id }} search={carried(view)} />}>
            {r.app.name}
          </Anchor>
        </Group>
      ),
    },
    ...shown.map((m): Column<AppRow> => {
      const value = (r: AppRow) => valueOf(m, r.sums.total);
      return { key: m, title: t(`metric.${m}`), numeric: true, ...formOf(m), value, text: (r) => write(m, value(r), format) };
    }),
    { key: 'events', title: t('nav.events'), numeric: true, value: (r) => sumOf(r)?.events ?? 0, text: (r) => (sumOf(r) === undefined ? '–' : format.count(sumOf(r)?.events ?? 0)) },
    { key: 'crashFree', title: t('compare.crashFree'), numeric: true, form: 'share', value: (r) => freeOf(r) ?? Number.POSITIVE_INFINITY, text: (r) => (freeOf(r) === undefined ? '–' : format.share(freeOf(r) ?? 0)) },
    {
      key: 'change',
      title: `${t('metric.change')}, ${t(`metric.${metric}`)}`,
      ...(compared === undefined ? {} : { note: says(compared).text }),
      numeric: true,
      form: 'share',
      value: (r) => change(r)?.share ?? 0,
      text: (r) => written(change(r)),
      cell: (r) => <ChangeMark change={change(r)} />,
    },
  ];
  return (
    <>
      <Together app={app} apps={apps} />
      <SegmentedControl
        className="no-print"
        size="xs"
        aria-label={t('metric.measure')}
        value={metric}
        onChange={(figure) => set({ figure: figure === shown[0] ? '' : figure })}
        data={shown.map((value) => ({ value, label: t(`metric.${value}`) }))}
      />
      <Trend app={app} drawn={drawn} metric={metric} />
      {chosen.length === 0 && (
        <Text size="sm" c="dimmed" className="no-print">
          {t('compare.hint')}
        </Text>
      )}
      <Box className="card" p="md">
        <DataTable
          caption={`${t('nav.compare')}, ${periodName}`}
          columns={columns}
          rows={rows}
          file={fileNamed([t('nav.compare')], span)}
          empty={t('app.nothingFound')}
          {...table}
        />
        {failed.length > 0 && (
          <Text size="sm" mt="xs" role="alert">
            {t('compare.missing', { count: failed.length })}
          </Text>
        )}
        {more && (
          <Text size="sm" c="dimmed" mt="xs">
            {t('compare.most', { count: mostApps })}
          </Text>
        )}
      </Box>
    </>
  );
}

/** A figure of several apps over time. The steps are those of the page's app; each app counts by its own clock. */
function Trend({ app, drawn, metric }: { app: App; drawn: readonly App[]; metric: Metric }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const step = useGranularity(span);
  const read = useQueries({ queries: drawn.map((a) => ({ ...course(a, period, step), placeholderData: keepPreviousData })) });
  const courses = read.map((r) => r.data ?? []);
  const failed = read.find((r) => r.error !== null && r.data === undefined);
  const first = courses[0] ?? [];
  const named = steps(first, locale, span);
  const present = presentOf(first, drawn[0]?.timezone ?? app.timezone);
  const name = t(`metric.${metric}`);
  const spec: SeriesSpec = {
    kind: 'series',
    steps: named,
    continuous: isContinuous(metric),
    seconds: isContinuous(metric),
    present,
    format: (n) => write(metric, n, format),
    formatTick: (n) => writeShort(metric, n, format),
    series: drawn.map((a, i) => ({ name: a.name, values: (courses[i] ?? []).map((r) => valueOf(metric, r)) })),
  };
  const columns: Column<Step>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    ...drawn.map((a, i): Column<Step> => {
      const values = new Map((courses[i] ?? []).map((r: StepRow) => [r._id, valueOf(metric, r)]));
      const of = (s: Step) => values.get(s.row._id) ?? 0;
      return { key: a._id, title: a.name, numeric: true, ...formOf(metric), value: of, text: (s) => write(metric, of(s), format) };
    }),
  ];
  if (failed !== undefined) return <Failed error={failed.error} retry={() => void failed.refetch()} />;
  if (read.some((r) => r.isPending)) return <Coming height={360} />;
  return (
    <ChartCard
      title={t('compare.chart', { metric: name })}
      about={`${drawn.map((a) => a.name).join(', ')}, ${periodName}`}
      spec={spec}
      columns={columns}
      rows={present === undefined ? named : named.slice(0, present + 1)}
      file={fileNamed([t('nav.compare'), name], span)}
      as={view.as}
      onAs={(as) => set({ as })}
      actions={
        <>
          <GranularityChoice span={span} what={name} />
          <Definition
            what={t('compare.chart', { metric: name })}
            path="/o/analytics/sessions"
            params={{ ...timed(drawn[0] ?? app, period).params, step: stepParam(step) }}
            fields={[
              [name, t(`about.${metric}`)],
              [t('nav.apps'), drawn.map((a) => `${a.name} (${a.timezone})`).join(', ')],
              [t('about.period'), `${periodName} (${format.days(span.from, span.to)})`],
              [t('about.excluded'), t('about.excludedText')],
              [t('about.exact'), t('about.exactText')],
              [t('compare.def.query'), t('compare.def.queryText')],
            ]}
          />
        </>
      }
    />
  );
}
