import { Box, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import { SampleChart } from '../../components/chart/SampleChart';
import type { SeriesSpec } from '../../components/chart/spec';
import { Answer } from '../../components/Answer';
import { Definition } from '../../components/Definition';
import { TimePage } from '../../components/Page';
import { FigureList } from '../../components/Section';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { timed } from '../../parts/figures/api';
import { steps, type Step } from '../../parts/figures/figures';
import { outcomes, type Outcomes } from './api';
import { accepted, clamped, daysOf, received, rowsOf, type OutcomeRow } from './rows';
import { reasonText } from './words';

const items = ['request', 'session', 'event'] as const;
type Item = (typeof items)[number];

/** What became of everything that an app received. */
export function IngestionPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const { period } = useTime(app);
  return (
    <TimePage app={app} title={t('nav.ingestion')} lead={t('ingestion.lead')}>
      <Answer query={useQuery(outcomes(app, period))}>
        {(data) =>
          Object.keys(data.totals).length === 0 ? (
            <div className="card">
              <Notice title={t('ingestion.none')} text={t('ingestion.noneHint')} />
              <SampleChart
                label={t('nav.ingestion')}
                series={[
                  { name: t('ingestion.accepted'), values: [820, 860, 910, 880, 940, 990, 1010, 970, 1050, 1100, 1080, 1150] },
                  { name: t('ingestion.dropped'), values: [12, 9, 14, 10, 60, 18, 11, 9, 13, 10, 12, 9] },
                ]}
              />
            </div>
          ) : (
            <Content app={app} data={data} />
          )
        }
      </Answer>
    </TimePage>
  );
}

function useItemName(): (item: string) => string {
  const { t } = useTranslation();
  return (item) => {
    const known = [...items, 'crash' as const, 'trace' as const, 'picture' as const].find((i) => i === item);
    return known === undefined ? item : t(`ingestion.${known}`);
  };
}

type Day = ReturnType<typeof daysOf>[number];

function Content({ app, data }: { app: App; data: Outcomes }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const itemName = useItemName();
  const outcomeName = (outcome: string) => {
    if (outcome === clamped) return t('ingestion.clamped');
    return outcome === 'accepted' ? t('ingestion.accepted') : t('ingestion.droppedFor', { reason: reasonText(t, outcome) });
  };
  const table = useTableState();
  const item: Item = items.find((i) => i === view.figure) ?? 'request';
  const days = useMemo(() => steps(daysOf(data, span, item), locale), [data, span, item, locale]);
  const spec = useMemo(
    (): SeriesSpec => ({
      kind: 'series',
      stacked: true,
      steps: days,
      continuous: false,
      format: (n) => format.count(n),
      formatTick: (n) => format.short(n),
      series: [
        { name: t('ingestion.accepted'), values: days.map((d) => d.row.accepted) },
        { name: t('ingestion.dropped'), color: 3, values: days.map((d) => d.row.dropped) },
      ],
    }),
    [days, format, t],
  );
  const dayColumns: Column<Step<Day>>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (d) => d.row._id, text: (d) => d.label, sortable: false },
    { key: 'accepted', title: t('ingestion.accepted'), numeric: true, value: (d) => d.row.accepted, text: (d) => format.count(d.row.accepted) },
    { key: 'dropped', title: t('ingestion.dropped'), numeric: true, value: (d) => d.row.dropped, text: (d) => format.count(d.row.dropped) },
  ];
  const columns: Column<OutcomeRow>[] = [
    { key: 'item', title: t('ingestion.item'), fixed: true, value: (r) => itemName(r.item), text: (r) => itemName(r.item) },
    {
      key: 'outcome',
      title: t('ingestion.outcome'),
      fixed: true,
      value: (r) => r.outcome,
      text: (r) => outcomeName(r.outcome),
    },
    { key: 'count', title: t('ingestion.count'), numeric: true, value: (r) => r.count, text: (r) => format.count(r.count) },
    { key: 'share', title: t('metric.share'), numeric: true, form: 'share', value: (r) => r.share, text: (r) => format.share(r.share) },
  ];
  return (
    <>
      <FigureList
        figures={items.map((i) => {
          const came = received(data.totals, i);
          const note = came === 0 ? '–' : t('ingestion.taken', { share: format.percent(accepted(data.totals, i) / came) });
          return { name: itemName(i), value: format.short(came), note };
        })}
      />
      <ChartCard
        title={t('ingestion.overTime', { item: itemName(item) })}
        about={periodName}
        spec={spec}
        columns={dayColumns}
        rows={days}
        file={fileNamed([app.name, t('nav.ingestion')], span)}
        as={view.as}
        onAs={(as) => set({ as })}
        actions={
          <>
            <SegmentedControl
              size="xs"
              aria-label={t('ingestion.item')}
              value={item}
              onChange={(i) => set({ figure: i === 'request' ? '' : i })}
              data={items.map((value) => ({ value, label: itemName(value) }))}
            />
            <Definition
              what={t('nav.ingestion')}
              path="/o/ingest/outcomes"
              params={timed(app, period).params}
              fields={[
                [t('ingestion.accepted'), t('ingestion.def.accepted')],
                [t('ingestion.dropped'), t('ingestion.def.dropped')],
                [t('ingestion.clamped'), t('ingestion.def.clamped')],
                [t('trends.def.period'), `${periodName} (${format.days(span.from, span.to)}), ${app.timezone}`],
                [t('trends.def.exact'), t('ingestion.def.exact')],
              ]}
            />
          </>
        }
      />
      <Box className="card" p="md">
        <DataTable caption={`${t('ingestion.outcomes')}, ${periodName}`} columns={columns} rows={rowsOf(data.totals, data.clamped)} file={fileNamed([app.name, t('ingestion.outcomes')], span)} {...table} />
      </Box>
    </>
  );
}
