import { Anchor, Group as Row, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Answer } from '../../components/Answer';
import { Detail } from '../../components/Detail';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { ServerTable } from '../../components/table/ServerTable';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { decoders } from '../../parts/metrics/definitions';
import { groups, trace, type Group, type Measure, type Trace } from './api';
import { dimensionsOf, isRated, writeIn, type Dimension } from './figures';

const shown = ['p50', 'p75', 'p90', 'p95', 'p99'] as const;

/** A measure by what traces are called, or by who sent them. */
export function GroupsTable({ app, measure }: { app: App; measure: Measure }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const [open, setOpen] = useState<string>();
  const all = dimensionsOf(measure).filter((d) => d !== 'name' || measure.name === undefined);
  const by: Dimension = all.find((d) => d === view.segment) ?? all[0] ?? 'app_version';
  const nameOf = useNames(by);
  const title = t('performance.by', { measure: t(`performance.measure.${measure.id as 'lcp'}`), dimension: t(`performance.dimension.${by}`) });
  const byShare = measure.unit === 'code' || measure.unit === 'frames';
  const columns: Column<Group>[] = [
    {
      key: 'value',
      title: t(`performance.dimension.${by}`),
      fixed: true,
      value: (g) => g.value ?? '',
      text: (g) => nameOf(g.value),
      ...(by !== 'name'
        ? {}
        : {
            cell: (g: Group) => (
              <Anchor component="button" size="sm" ta="start" className="breakable" onClick={() => setOpen(g.value ?? '')}>
                {nameOf(g.value)}
              </Anchor>
            ),
          }),
    },
    { key: 'n', title: t('performance.n'), numeric: true, value: (g) => g.n, text: (g) => format.count(g.n) },
    { key: 'u', title: t('metric.users'), numeric: true, value: (g) => g.u, text: (g) => format.count(g.u) },
    ...(byShare ? [] : shown.map((key): Column<Group> => ({ key, title: t(`performance.${key}`), numeric: true, value: (g) => g[key] ?? 0, text: (g) => writeIn(measure.unit, g[key], format) }))),
    ...(isRated(measure)
      ? ([
          { key: 'poor', title: t(measure.unit === 'code' ? 'performance.failed' : 'performance.poor'), numeric: true, value: (g) => g.poor, text: (g) => `${format.count(g.poor)} (${format.percent(g.n === 0 ? 0 : g.poor / g.n)})` },
          { key: 'poor_u', title: t('performance.poorUsers'), numeric: true, value: (g) => g.poor_u, text: (g) => format.count(g.poor_u) },
        ] satisfies Column<Group>[])
      : []),
  ];
  return (
    <>
      <SegmentedControl
        className="no-print"
        size="xs"
        aria-label={t('performance.cut')}
        value={by}
        onChange={(segment) => set({ segment: segment === all[0] ? '' : segment, page: 1, sort: '' })}
        data={all.map((value) => ({ value, label: t(`performance.dimension.${value}`) }))}
      />
      <ServerTable<Group>
        key={by}
        caption={`${title}, ${periodName}`}
        list={groups(app, period, measure.id, by)}
        columns={columns}
        order="-n"
        usuallyHidden="p90,p99"
        file={fileNamed([app.name, title], span)}
        empty={t('app.nothingFound')}
      />
      {open !== undefined && <TraceDetail app={app} kind={measure.group === 'network' ? 'network' : 'device'} name={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** The dimensions whose values have names beside those of the API. */
const metrics = { country: 'countries', app_version: 'app_versions', platform: 'platforms', device: 'devices', device_type: 'device_type', browser: 'browser' } as const;

/** What people call the values of a dimension. */
function useNames(by: Dimension): (value: string | null) => string {
  const { t, i18n } = useTranslation();
  return (value) => {
    if (value === null || value === '') return t('retention.absent');
    return by in metrics ? decoders(i18n.language)[metrics[by as keyof typeof metrics]](value) : value;
  };
}

/** All that traces of a name measure. */
function TraceDetail({ app, kind, name, onClose }: { app: App; kind: 'device' | 'network'; name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span } = useTime(app);
  type Metric = Trace['metrics'][number];
  const write = (value: number | null) => (value === null ? '–' : format.count(value));
  const columns: Column<Metric>[] = [
    { key: 'metric', title: t('performance.metric'), fixed: true, value: (m) => m.metric, text: (m) => m.metric },
    { key: 'n', title: t('performance.n'), numeric: true, value: (m) => m.n, text: (m) => format.count(m.n) },
    { key: 'avg', title: t('performance.avg'), numeric: true, value: (m) => m.avg ?? 0, text: (m) => write(m.avg) },
    ...(['p50', 'p75', 'p95'] as const).map((key): Column<Metric> => ({ key, title: t(`performance.${key}`), numeric: true, value: (m) => m[key] ?? 0, text: (m) => write(m[key]) })),
  ];
  return (
    <Detail title={name} onClose={onClose}>
      <Answer query={useQuery(trace(app, period, kind, name))}>
        {({ metrics, more }) => (
          <>
            <Text size="sm" c="dimmed">
              {t('performance.traceHint')}
            </Text>
            <DataTable caption={name} columns={columns} rows={metrics} file={fileNamed([app.name, name], span)} />
            {more > 0 && (
              <Row>
                <Text size="sm" c="dimmed">
                  {t('performance.more', { count: more, number: format.count(more) })}
                </Text>
              </Row>
            )}
          </>
        )}
      </Answer>
    </Detail>
  );
}
