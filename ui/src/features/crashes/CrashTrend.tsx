import { useMemo } from 'react';
import { Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ChangeNote } from '../../components/Change';
import { ChartCard } from '../../components/chart/ChartCard';
import type { SeriesSpec } from '../../components/chart/spec';
import { FigureValue } from '../../components/Figure';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { GranularityChoice, useGranularity } from '../../components/time/GranularityChoice';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { changeOf } from '../../lib/change';
import type { Format } from '../../lib/format';
import { useTime, useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import type { Row, Sums } from '../../parts/figures/api';
import { usePinned } from '../../parts/notes/usePinned';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import { presentOf, steps, type Step } from '../../parts/figures/figures';
import type { Plain } from '../../parts/trends/api';
import { crashKey } from './api';
import { courseOf, isShare, measures, parseMeasure, valueOf, type Measure } from './figures';
import { useCrashes } from './useCrashes';

const terms = ['crashFreeSessions', 'crashFreeUsers', 'crashes', 'errors', 'crashHit'] as const;

/** Writes a value of a measure; shares with two digits behind the point, as the last ones matter. */
export function writeMeasure(measure: Measure, value: number | undefined, format: Format): string {
  if (value === undefined) return '–';
  return isShare(measure) ? format.percent(value) : format.count(value);
}

/** The figures of the period; the chosen one is drawn over time. */
export function CrashTrend({ app }: { app: App }) {
  const { span } = useTime(app);
  const step = useGranularity(span);
  const { bucket, fatal, other, sessions, all, error } = useCrashes(app, step);
  if (fatal.data !== undefined && other.data !== undefined && sessions.data !== undefined && all.data !== undefined) {
    return <Trend app={app} bucket={bucket} fatal={fatal.data} other={other.data} rows={sessions.data} sums={all.data.total} at={fatal.dataUpdatedAt} />;
  }
  const retry = () => [fatal, other, sessions, all].forEach((q) => void q.refetch());
  return error === null ? <Coming height={460} /> : <Failed error={error} retry={retry} />;
}

interface Props {
  app: App;
  bucket: string;
  fatal: Plain;
  other: Plain;
  rows: readonly Row[];
  sums: Sums;
  at: number;
}

function Trend({ app, bucket, fatal, other, rows: sessions, sums, at }: Props) {
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const measure = parseMeasure(view.figure);
  const name = t(`crashes.${measure}`);
  const rows = useMemo(() => steps(sessions, locale, span), [sessions, locale, span]);
  const present = useMemo(() => presentOf(sessions, app.timezone), [sessions, app.timezone]);
  const values = useMemo(() => courseOf(measure, sessions, bucket, fatal, other), [measure, sessions, bucket, fatal, other]);
  const { marks, act, below } = usePinned(app, rows);
  const spec = useMemo(
    (): SeriesSpec => ({
      kind: 'series',
      steps: rows,
      continuous: isShare(measure),
      present,
      marks,
      format: (n) => writeMeasure(measure, n, format),
      formatTick: (n) => (isShare(measure) ? format.percent(n) : format.short(n)),
      series: [{ name, values }],
    }),
    [rows, measure, present, marks, format, name, values],
  );
  const byMeasure = useMemo(() => Object.fromEntries(measures.map((m) => [m, courseOf(m, sessions, bucket, fatal, other)])), [sessions, bucket, fatal, other]);
  const columns = useMemo(
    (): Column<Step>[] => [
      { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
      ...measures.map((m): Column<Step> => {
        const of = (s: Step) => byMeasure[m]?.[sessions.indexOf(s.row)];
        return { key: m, title: t(`crashes.${m}`), numeric: true, ...(isShare(m) ? { form: 'share' as const } : {}), value: (s) => of(s) ?? '', text: (s) => writeMeasure(m, of(s), format) };
      }),
    ],
    [t, byMeasure, sessions, format],
  );
  return (
    <>
      <CrashFigures app={app} fatal={fatal} other={other} sums={sums} chosen={measure} onChoose={(figure) => set({ figure: figure === measures[0] ? '' : figure })} />
      <ChartCard
        title={t('overview.trend', { metric: name })}
        about={`${app.name}, ${periodName}`}
        spec={spec}
        columns={columns}
        rows={present === undefined ? rows : rows.slice(0, present + 1)}
        file={fileNamed([app.name, t('nav.crashes')], span)}
        as={view.as}
        onAs={(as) => set({ as })}
        act={act}
        actions={
          <>
            <GranularityChoice span={span} what={name} />
            <AboutFigures app={app} what={name} terms={terms} path="/o" params={{ method: 'segmentation', event: crashKey, queryObject: { 'sg.nonfatal': 'false' }, measures: [{ fn: 'sessions' }] }} at={at} />
          </>
        }
      >
        {below}
      </ChartCard>
    </>
  );
}

interface FiguresProps {
  app: App;
  fatal: Plain;
  other: Plain;
  sums: Sums;
  chosen: Measure;
  onChoose: (measure: Measure) => void;
}

function CrashFigures({ app, fatal, other, sums, chosen, onChoose }: FiguresProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { before } = useTime(app);
  const [now, was] = [{ fatal: fatal.totals, other: other.totals }, { fatal: fatal.compare?.totals, other: other.compare?.totals }];
  return (
    <div className="figures" role="group" aria-label={t('overview.metrics')}>
      {measures.map((m) => (
        <UnstyledButton key={m} className="card figure" aria-pressed={m === chosen} onClick={() => onChoose(m)}>
          <Text size="sm" c="dimmed" component="span" display="block">
            {t(`crashes.${m}`)}
          </Text>
          <FigureValue text={writeMeasure(m, valueOf(m, now, sums), format)} />
          {before !== undefined && !isShare(m) && (
            <Text size="sm" component="span" display="block">
              <ChangeNote plain change={changeOf(valueOf(m, now, sums) ?? 0, valueOf(m, was, sums) ?? 0, format)} against={{ first: before.from, last: before.to, until: 24 }} />
            </Text>
          )}
        </UnstyledButton>
      ))}
    </div>
  );
}
