import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import type { SeriesSpec } from '../../components/chart/spec';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { GranularityChoice } from '../../components/time/GranularityChoice';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/named';
import { useTime, useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { NoFigures } from '../empty/NoFigures';
import { notes } from '../notes/api';
import { usePinned } from '../notes/usePinned';
import { AboutFigures } from './AboutFigures';
import type { Overview, Row } from '../figures/api';
import { Figures } from './Figures';
import { figures, formOf, isContinuous, parseMetric, presentOf, steps, valueOf, write, writeShort, type Metric, type Step } from '../figures/figures';
import { useTrend } from './useTrend';

/** The usual height of the card of a chart, in pixels. */
const chartHeight = 400;

interface Props {
  app: App;
  /** The figures of the page; the first is drawn unless another is chosen. */
  of: readonly [Metric, ...Metric[]];
}

/** Figures of a period, and one of them over time, with the period compared and the notes. */
export function TrendPart({ app, of }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { now, before, at, error, retry } = useTrend(app);
  useQuery(notes(app, useTime(app).period)); // along with the figures, for the chart below
  const metric = parseMetric(view.figure, of);
  const all = useMemo(() => now && figures(now.sums, of, format), [now, of, format]);
  if (error !== null && now === undefined) return <Failed error={error} retry={retry} />;
  if (now === undefined || all === undefined) {
    return (
      <>
        <div className="figures" aria-hidden>
          {of.map((m) => (
            <div key={m} className="card figure coming-figure" />
          ))}
        </div>
        <Coming height={chartHeight} />
      </>
    );
  }
  const empty = now.rows.every((r) => r.t === 0 && r.u === 0) && before === undefined;
  return (
    <>
      <Figures figures={all} against={now.sums} from={before !== undefined} chosen={metric} onChoose={(figure) => set({ figure: figure === of[0] ? '' : figure })} />
      {empty ? (
        <div className="card">
          <NoFigures app={app} title={t('overview.empty')} text={t('overview.emptyHint')} />
        </div>
      ) : (
        <Trend app={app} of={of} metric={metric} now={now} before={before} at={at} />
      )}
    </>
  );
}

interface TrendProps {
  app: App;
  of: readonly Metric[];
  metric: Metric;
  now: Overview;
  before: Row[] | undefined;
  at: number;
}

function Trend({ app, of, metric, now, before, at }: TrendProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span, before: beforeSpan } = useTime(app);
  const periodName = usePeriodText()(period);
  const named = useMemo(() => steps(now.rows, locale, span), [now.rows, locale, span]);
  const namedBefore = useMemo(() => before && steps(before, locale, beforeSpan), [before, locale, beforeSpan]);
  const present = useMemo(() => presentOf(now.rows, app.timezone), [now.rows, app.timezone]);
  const { marks, act, below } = usePinned(app, named);
  const spec = useMemo((): SeriesSpec => {
    const name = t(`metric.${metric}`);
    return {
      kind: 'series',
      steps: named,
      continuous: isContinuous(metric),
      seconds: isContinuous(metric),
      present,
      format: (n) => write(metric, n, format),
      formatTick: (n) => writeShort(metric, n, format),
      marks,
      series: [
        { name, values: now.rows.map((r) => valueOf(metric, r)) },
        ...(namedBefore === undefined
          ? []
          : [
              {
                name: t(`period.${view.compare}`),
                quiet: true,
                labels: namedBefore.map((s) => s.label),
                values: namedBefore.map((s) => valueOf(metric, s.row)),
              },
            ]),
      ],
    };
  }, [named, namedBefore, now.rows, metric, marks, present, format, view.compare, t]);
  const columns = useMemo((): Column<Step>[] => {
    const was = namedBefore && new Map(named.map((s, i) => [s, namedBefore[i]]));
    return [
      { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
      ...of.map((m) => ({
        key: m,
        title: t(`metric.${m}`),
        numeric: true,
        ...formOf(m),
        value: (s: Step) => valueOf(m, s.row),
        text: (s: Step) => write(m, valueOf(m, s.row), format),
      })),
      ...(was === undefined
        ? []
        : [
            {
              key: 'before',
              title: `${t(`metric.${metric}`)}, ${t(`period.${view.compare}`)}`,
              numeric: true,
              ...formOf(metric),
              value: (s: Step) => (was.get(s) === undefined ? 0 : valueOf(metric, was.get(s)?.row ?? s.row)),
              text: (s: Step) => {
                const other = was.get(s);
                return other === undefined ? '–' : write(metric, valueOf(metric, other.row), format);
              },
            },
          ]),
    ];
  }, [t, format, of, metric, named, namedBefore, view.compare]);

  return (
    <ChartCard
      title={t('overview.trend', { metric: t(`metric.${metric}`) })}
      about={periodName}
      spec={spec}
      columns={columns}
      rows={present === undefined ? named : named.slice(0, present + 1)}
      file={fileNamed([app.name, t(`metric.${metric}`)], span)}
      as={view.as}
      onAs={(as) => set({ as })}
      act={act}
      actions={
        <>
          <GranularityChoice span={span} what={t(`metric.${metric}`)} />
          <AboutFigures app={app} what={t(`metric.${metric}`)} terms={of} path="/o/analytics/compare" against at={at} />
        </>
      }
    >
      {below}
    </ChartCard>
  );
}
