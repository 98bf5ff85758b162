import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import { Definition } from '../../components/Definition';
import { useUnits } from '../../components/filter/useUnits';
import { GoesOn } from '../../components/GoesOn';
import { HistoryIcon } from '../../components/icons';
import { FigureList } from '../../components/Section';
import { Coming, Failed, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime } from '../../lib/useView';
import { WaysOn } from '../../parts/empty/WaysOn';
import { presentOf, steps } from '../../parts/figures/figures';
import { activity, activityParams, type Activity, type Count } from './api';
import type { Shared } from './Controls';
import { averageUnits, filled, stepId } from './figures';
import { useActivityDefinition } from './useDefinition';

/** How regularly people are active: who comes and goes, on how many days, how far apart. */
export function ActivityPart(shared: Shared) {
  const { app, question } = shared;
  const { t } = useTranslation();
  const { before } = useTime(app);
  const { units } = useUnits(question.count);
  const [task, setTask] = useState<string>();
  const { data, error, isFetching, refetch } = useQuery({ ...activity(app, question, setTask), placeholderData: keepPreviousData });
  const earlier = useQuery({
    ...activity(app, { ...question, period: before === undefined ? question.period : { kind: 'custom', ...before } }),
    enabled: before !== undefined,
    placeholderData: keepPreviousData,
  }).data;
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return task === undefined ? <Coming height={420} /> : <GoesOn task={task} />;
  return (
    <>
      {task !== undefined && isFetching && <GoesOn task={task} />}
      {error !== null && <Failed error={error} retry={() => void refetch()} />}
      {data.users === 0 ? (
        <div className="card">
          <Notice icon={<HistoryIcon />} title={t('retention.inactive', { units: units(2) })} text={t('retention.inactiveHint')} action={<WaysOn app={app} atFirst />} />
        </div>
      ) : (
        <>
          <Figures data={data} before={before === undefined ? undefined : earlier} count={question.count} />
          <LifecycleCard {...shared} data={data} />
          <CountsCard {...shared} data={data} counts={data.stickiness} of="stickiness" />
          {data.interval.users > 0 && <CountsCard {...shared} data={data} counts={data.interval.histogram} of="interval" />}
        </>
      )}
    </>
  );
}

function Figures({ data, before, count }: { data: Activity; before: Activity | undefined; count: string | undefined }) {
  const { t } = useTranslation();
  const { units } = useUnits(count);
  const format = useFormat();
  const was = (text: string) => t('overview.from', { before: text });
  const length = (n: number) => t(`retention.length.${data.unit}`, { count: n, number: format.count(n) });
  const average = (a: Activity) => length(averageUnits(a) ?? 0);
  const gap = ({ interval }: Activity) => (interval.users === 0 ? '–' : length(interval.median));
  const figures = [
    { name: t('retention.activePeople', { units: units(2) }), value: format.count(data.users), note: before && was(format.count(before.users)) },
    { name: t('retention.averageActive'), value: average(data), note: before === undefined ? t('retention.ofUnits', { units: length(data.lifecycle.length) }) : was(average(before)) },
    {
      name: t('retention.medianInterval'),
      value: gap(data),
      note: before !== undefined ? was(gap(before)) : data.interval.users === 0 ? undefined : t('retention.p80', { units: length(data.interval.p80) }),
    },
  ];
  return <FigureList figures={figures} />;
}

const phases = ['returning', 'new', 'resurrected'] as const;

/** Who is active in each unit, and who no longer is. */
function LifecycleCard({ app, question, names, fields, data }: Shared & { data: Activity }) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const definition = useActivityDefinition(app, question, names, fields);
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const rows = steps(data.lifecycle.map((row) => ({ ...row, _id: stepId(row._id, data.unit) })), locale);
  const present = presentOf(rows.map((r) => r.row), app.timezone);
  const over = present === undefined ? rows : rows.slice(0, present);
  const last = over.at(-1);
  const { name: counted } = useUnits(question.count);
  const title = t('retention.lifecycle');
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    ...([...phases, 'dormant'] as const).map((phase): Column<(typeof rows)[number]> => ({
      key: phase,
      title: t(`retention.phases.${phase}`),
      numeric: true,
      value: (s) => s.row[phase],
      text: (s) => format.count(s.row[phase]),
    })),
  ];
  return (
    <ChartCard
      told
      title={title}
      about={`${counted}, ${periodName}`}
      spec={{
        kind: 'series',
        steps: rows,
        continuous: false,
        stacked: true,
        series: [
          ...phases.map((phase, i) => ({ name: t(`retention.phases.${phase}`), values: rows.map((s) => s.row[phase]), color: i + 1 })),
          // Below the line: they are not there.
          { name: t('retention.phases.dormant'), values: rows.map((s) => (present === undefined || rows.indexOf(s) < present ? -s.row.dormant : undefined)), color: 4 },
        ],
        format: (n) => format.count(Math.abs(n)),
        formatTick: (n) => format.short(Math.abs(n)),
      }}
      columns={columns}
      rows={rows}
      file={fileNamed([t('nav.retention'), title], span)}
      as={as}
      onAs={setAs}
      actions={<Definition what={title} path="/o/retention/activity" params={activityParams(app, question)} fields={definition} />}
    >
      {last !== undefined && (
        <Text size="sm" mt="xs">
          {t('retention.lifecycleSaid', {
            when: last.label,
            new: format.count(last.row.new),
            returning: format.count(last.row.returning),
            resurrected: format.count(last.row.resurrected),
            dormant: format.count(last.row.dormant),
          })}
        </Text>
      )}
      {present !== undefined && (
        <Text size="xs" c="dimmed" mt="xs">
          {t(`retention.goesOn.${data.unit}`)}
        </Text>
      )}
    </ChartCard>
  );
}

interface CountsProps extends Shared {
  data: Activity;
  counts: readonly Count[];
  of: 'stickiness' | 'interval';
}

/** How many by a number of units: in how many they are active, or how many lie between. */
function CountsCard({ app, question, names, fields, data, counts, of }: CountsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const length = (n: number) => t(`retention.length.${data.unit}`, { count: n, number: format.count(n) });
  const rows = filled(counts).map((row) => ({ ...row, label: length(row.units), tick: String(row.units) }));
  const { name: counted, units } = useUnits(question.count);
  const definition = useActivityDefinition(app, question, names, fields);
  const title = t(`retention.${of}`);
  const all = counts.reduce((sum, c) => sum + c.users, 0);
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'units', title: t(`retention.${of}Column`), fixed: true, value: (r) => r.units, text: (r) => r.label },
    { key: 'users', title: counted, numeric: true, value: (r) => r.users, text: (r) => format.count(r.users) },
    { key: 'share', title: t('retention.share'), numeric: true, form: 'share', value: (r) => r.users / all, text: (r) => format.share(r.users / all) },
  ];
  const often = counts.reduce((best, c) => (c.users > best.users ? c : best), { units: 0, users: 0 });
  return (
    <ChartCard
      told
      title={title}
      about={`${t(`retention.${of}About`, { units: counted })}, ${periodName}`}
      spec={{
        kind: 'series',
        steps: rows,
        continuous: false,
        columns: true,
        series: [{ name: counted, values: rows.map((r) => r.users) }],
        format: format.count,
        formatTick: format.short,
      }}
      columns={columns}
      rows={rows}
      file={fileNamed([t('nav.retention'), title], span)}
      as={as}
      onAs={setAs}
      actions={<Definition what={title} path="/o/retention/activity" params={activityParams(app, question)} fields={definition} />}
    >
      <Text size="sm" mt="xs">
        {t(`retention.${of}Said`, { units: length(often.units), share: format.percent(often.users / all), users: format.count(often.users), of: format.count(all), counted: units(all) })}
      </Text>
    </ChartCard>
  );
}
