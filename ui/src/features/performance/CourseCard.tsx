import { Button, Group, Select, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { ChartCard } from '../../components/chart/ChartCard';
import type { SeriesSpec } from '../../components/chart/spec';
import { Definition } from '../../components/Definition';
import { readFilter } from '../../components/filter/filter';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { GranularityChoice, useGranularity } from '../../components/time/GranularityChoice';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { steps as named, presentOf, type Step } from '../../parts/figures/figures';
import { People } from '../../parts/trends/People';
import type { Question } from '../../parts/trends/api';
import { course, courseParams, type Measure } from './api';
import { isRated, points, rowsOf, writeIn, type Point } from './figures';

const lines = ['p50', 'p75', 'p95'] as const;
const percentiles = ['p50', 'p75', 'p90', 'p95', 'p99'] as const;

/** One measure over time: its percentiles, or the share of what is poor where numbers are counts and codes. */
export function CourseCard({ app, measure, sent }: { app: App; measure: Measure; sent: readonly Measure[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const step = useGranularity(span);
  const { data, error, refetch } = useQuery({ ...course(app, period, measure.id, step), placeholderData: keepPreviousData });
  const name = t(`performance.measure.${measure.id as 'lcp'}`);
  const byShare = measure.unit === 'code' || measure.unit === 'frames';
  const rows = useMemo(() => named(points(data?.buckets ?? [], span, step), locale, span), [data, span, step, locale]);
  const present = useMemo(() => presentOf(rows.map((r) => r.row), app.timezone), [rows, app.timezone]);
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Coming height={360} />;
  const write = (n: number) => (byShare ? format.percent(n) : writeIn(measure.unit, n, format));
  const share = (p: Point) => (p.spread === undefined || p.spread.n === 0 ? undefined : p.spread.poor / p.spread.n);
  const spec: SeriesSpec = {
    kind: 'series',
    steps: rows,
    continuous: true,
    present,
    format: write,
    formatTick: write,
    series: byShare
      ? [{ name: t(`performance.of.${measure.unit as 'code' | 'frames'}`), values: rows.map((s) => share(s.row)) }]
      : lines.map((key) => ({ name: t(`performance.${key}`), values: rows.map((s) => s.row.spread?.[key] ?? undefined) })),
  };
  const columns: Column<Step<Point>>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    { key: 'n', title: t('performance.n'), numeric: true, value: (s) => s.row.spread?.n ?? 0, text: (s) => format.count(s.row.spread?.n ?? 0) },
    { key: 'u', title: t('metric.users'), numeric: true, value: (s) => s.row.spread?.u ?? 0, text: (s) => format.count(s.row.spread?.u ?? 0) },
    ...(byShare
      ? []
      : percentiles.map(
          (key): Column<Step<Point>> => ({ key, title: t(`performance.${key}`), numeric: true, value: (s) => s.row.spread?.[key] ?? 0, text: (s) => writeIn(measure.unit, s.row.spread?.[key] ?? null, format) }),
        )),
    ...(isRated(measure)
      ? [{ key: 'poor', title: t('performance.poorShare'), numeric: true, form: 'share' as const, value: (s: Step<Point>) => share(s.row) ?? 0, text: (s: Step<Point>) => (share(s.row) === undefined ? '–' : format.share(share(s.row) ?? 0)) }]
      : []),
  ];
  const limits = measure.group === 'vitals' ? measure.limits : undefined;
  const fields: (readonly [string, string])[] = [
    [name, t(`performance.def.${measure.id as 'lcp'}`)],
    [t('performance.def.metric'), `${measure.event}, ${measure.metric}${measure.name === undefined ? '' : `, ${measure.name}`}`],
    ...(limits === undefined
      ? []
      : ([[t('performance.def.limits'), t('performance.def.limitsText', { good: writeIn(measure.unit, limits[0] ?? 0, format), poor: writeIn(measure.unit, limits[1] ?? 0, format) })]] as const)),
    [t('performance.def.percentiles'), t('performance.def.percentilesText')],
    [t('retention.def.period'), `${periodName} (${format.days(span.from, span.to)}), ${app.timezone}`],
    [t('retention.def.exact'), data.source === 'cells' ? t('performance.def.cells', { error: format.percent(data.error) }) : t('performance.def.rows')],
  ];
  return (
    <ChartCard
      title={t('overview.trend', { metric: name })}
      about={`${name}, ${periodName}`}
      spec={spec}
      columns={columns}
      rows={present === undefined ? rows : rows.slice(0, present + 1)}
      file={fileNamed([app.name, t('nav.performance'), name], span)}
      as={view.as}
      onAs={(as) => set({ as })}
      actions={
        <>
          <Select
            size="xs"
            aria-label={t('metric.measure')}
            allowDeselect={false}
            value={measure.id}
            onChange={(id) => set({ figure: id ?? '', page: 1 })}
            data={sent.map((m) => ({ value: m.id, label: t(`performance.measure.${m.id as 'lcp'}`) }))}
          />
          <GranularityChoice span={span} what={name} />
          <Definition what={name} path="/o/performance/course" params={courseParams(app, period, measure.id, step)} fields={fields} />
        </>
      }
    >
      <Behind app={app} measure={measure} name={name} />
    </ChartCard>
  );
}

/** What is said below the chart, and the people behind it. */
function Behind({ app, measure, name }: { app: App; measure: Measure; name: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period } = useTime(app);
  const member = useQuery(me).data;
  const [open, setOpen] = useState<'all' | 'poor'>();
  const withPeople = member !== undefined && may(member, app._id, 'users', 'r') && may(member, app._id, 'drill', 'r');
  const filter = readFilter(app.filter ?? '') ?? {};
  const question = (poor: boolean): Question => ({
    event: measure.event,
    measure: 'u',
    filter: { $and: [rowsOf(measure, poor), filter] },
    by: [],
    period,
    bucket: 'daily',
    before: undefined,
  });
  return (
    <Group gap="sm" mt="xs" className="no-print">
      <Text size="sm">
        {t('performance.said', { count: measure.u, number: format.count(measure.u), samples: format.count(measure.n) })}
        {isRated(measure) && measure.poor_u > 0 && ` ${t('performance.saidPoor', { count: measure.poor_u, number: format.count(measure.poor_u) })}`}
      </Text>
      {withPeople && (
        <>
          <Button size="compact-sm" variant="light" onClick={() => setOpen('all')}>
            {t('performance.people')}
          </Button>
          {isRated(measure) && measure.poor_u > 0 && (
            <Button size="compact-sm" variant="light" onClick={() => setOpen('poor')}>
              {t(measure.unit === 'code' ? 'performance.peopleFailed' : measure.unit === 'frames' ? 'performance.peopleFrames' : 'performance.peoplePoor')}
            </Button>
          )}
          {open !== undefined && <People app={app} question={question(open === 'poor')} name={name} onClose={() => setOpen(undefined)} />}
        </>
      )}
    </Group>
  );
}
