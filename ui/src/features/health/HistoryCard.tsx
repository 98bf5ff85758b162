import { Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import { SampleChart } from '../../components/chart/SampleChart';
import type { SeriesSpec } from '../../components/chart/spec';
import { Definition } from '../../components/Definition';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { stepsOf, type History, type Sample } from './api';

const figures = ['load', 'serverMemory', 'waitingRecords'] as const;
const spans = ['hourLong', 'dayLong'] as const;
const minute = 60_000;
/** The width of a step in ms and how many there are. */
const widths = { hourLong: { width: minute, count: 60 }, dayLong: { width: 15 * minute, count: 96 } };

interface Row {
  ts: number;
  /** Undefined where the server was not up. */
  sample: Sample | undefined;
  label: string;
  tick: string;
}

/** How busy the machine and the server were in the last hour or day. */
export function HistoryCard({ history, file }: { history: History; file: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const figure = figures.find((f) => f === view.figure) ?? 'load';
  const span = spans.find((s) => s === view.tab) ?? 'hourLong';
  const rows = useMemo(
    () =>
      stepsOf(span === 'hourLong' ? history.minutes : history.quarters, widths[span].width, widths[span].count).map(
        ({ ts, sample }): Row => ({ ts, sample, label: format.moment(ts), tick: format.clock(ts) }),
      ),
    [history, span, format],
  );
  const spec = useMemo((): SeriesSpec => {
    const line = (name: string, of: (r: Sample) => number, more = {}) => ({ name, values: rows.map((r) => r.sample && of(r.sample)), ...more });
    const percent = (n: number) => format.percent(n / 100);
    const shared = { kind: 'series' as const, steps: rows, continuous: true };
    switch (figure) {
      case 'load':
        return {
          ...shared,
          format: percent,
          formatTick: percent,
          series: [line(t('health.cpu'), (r) => r.cpu), line(t('health.memory'), (r) => r.memory), line(t('health.disk'), (r) => r.disk)],
        };
      case 'serverMemory':
        return {
          ...shared,
          format: format.bytes,
          formatTick: format.bytes,
          series: [line(t('health.serverMemory'), (r) => r.resident), { name: t('health.limit'), values: rows.map(() => history.memory.limit), quiet: true }],
        };
      case 'waitingRecords':
        return { ...shared, continuous: false, format: format.count, formatTick: format.short, series: [line(t('health.waitingRecords'), (r) => r.waiting)] };
    }
  }, [rows, figure, history.memory.limit, format, t]);
  const columns: Column<Row>[] = [
    { key: 'time', title: t('health.time'), fixed: true, short: true, value: (r) => new Date(r.ts).toISOString(), text: (r) => r.label },
    ...(['cpu', 'memory', 'disk'] as const).map(
      (key): Column<Row> => ({ key, title: t(`health.${key}`), numeric: true, form: 'percent', value: (r) => r.sample?.[key] ?? 0, text: (r) => format.percent((r.sample?.[key] ?? 0) / 100) }),
    ),
    { key: 'resident', title: t('health.serverMemory'), numeric: true, value: (r) => r.sample?.resident ?? 0, text: (r) => format.bytes(r.sample?.resident ?? 0) },
    { key: 'waiting', title: t('health.waitingRecords'), numeric: true, value: (r) => r.sample?.waiting ?? 0, text: (r) => format.count(r.sample?.waiting ?? 0) },
  ];
  if (rows.every((r) => r.sample === undefined)) {
    return (
      <section className="card" aria-label={t('health.history')}>
        <Notice title={t('health.noHistory')} text={t('health.noHistoryHint')} />
        <SampleChart
          label={t('health.history')}
          series={[
            { name: t('health.cpu'), values: [12, 18, 15, 22, 35, 28, 19, 24, 30, 21, 17, 20] },
            { name: t('health.memory'), values: [40, 41, 41, 42, 44, 44, 43, 44, 45, 45, 44, 45] },
          ]}
        />
      </section>
    );
  }
  return (
    <ChartCard
      title={t('health.history')}
      about={`${t(`health.${figure}`)}, ${t(`health.${span}`)}`}
      spec={spec}
      columns={columns}
      rows={rows.filter((r) => r.sample !== undefined)}
      file={file}
      as={view.as}
      onAs={(as) => set({ as })}
      actions={
        <Group gap="xs">
          <Select
            size="xs"
            aria-label={t('metric.measure')}
            allowDeselect={false}
            value={figure}
            onChange={(next) => set({ figure: next === null || next === 'load' ? '' : next })}
            data={figures.map((value) => ({ value, label: t(`health.${value}`) }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('health.time')}
            value={span}
            onChange={(next) => set({ tab: next === 'hourLong' ? '' : next })}
            data={spans.map((value) => ({ value, label: t(`health.${value}`) }))}
          />
          <Definition
            what={t('health.history')}
            path="/o/system/history"
            params={{}}
            fields={[
              [t('health.load'), t('health.def.load')],
              [t('health.serverMemory'), t('health.def.memory')],
              [t('health.waitingRecords'), t('health.def.waiting')],
              [t('health.time'), t('health.def.time')],
            ]}
          />
        </Group>
      }
    >
      <Text size="sm" c="dimmed" mt="xs">
        {t('health.historyHint')}
      </Text>
    </ChartCard>
  );
}
