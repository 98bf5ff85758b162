import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import type { SeriesSpec } from '../../components/chart/spec';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { GranularityChoice, useGranularity } from '../../components/time/GranularityChoice';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { ofViews } from '../../parts/filters/filtered';
import { usePinned } from '../../parts/notes/usePinned';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import { presentOf, steps, type Step } from '../../parts/figures/figures';
import { cutParams, type ViewName } from '../../parts/views/api';
import { viewCourses } from '../../parts/views/courses';
import { nameOfView, parseMeasure, pointsOf, stepsOf, viewMeasures, viewSteps, writeMeasure, type Point } from '../../parts/views/figures';
import { useCut } from './useCut';

const terms = ['visits', 'visitors', 'bounce'] as const;

/** One view or several over time; one alone also with the period compared. */
export function ViewTrend({ app, views }: { app: App; views: readonly ViewName[] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const [view, set] = useView();
  const cut = useCut();
  const { period, span, before } = useTime(app);
  const periodName = usePeriodText()(period);
  const step = useGranularity(span, viewSteps);
  const ids = useMemo(() => views.map((v) => v._id), [views]);
  const now = useQuery({ ...viewCourses(app, ids, period, step, cut), placeholderData: keepPreviousData });
  const alone = views.length === 1 && before !== undefined;
  const then = useQuery({ ...viewCourses(app, ids, before === undefined ? period : { kind: 'custom', ...before }, step, cut), enabled: alone });
  const was = alone ? then.data : undefined;
  const measure = parseMeasure(view.figure);
  const name = t(`views.${measure}`);
  const courses = useMemo(() => ids.map((id) => pointsOf(now.data?.[id], stepsOf(span, step), measure)), [ids, now.data, span, step, measure]);
  const rows = useMemo(() => steps(courses[0] ?? [], locale, span), [courses, locale, span]);
  const present = useMemo(() => presentOf(rows.map((r) => r.row), app.timezone), [rows, app.timezone]);
  const { marks, act, below } = usePinned(app, rows);
  const spec = useMemo((): SeriesSpec => {
    const beforeRows = was === undefined || before === undefined ? undefined : pointsOf(was[ids[0] ?? ''], stepsOf(before, step), measure);
    return {
      kind: 'series',
      steps: rows,
      continuous: measure === 'd-calc',
      seconds: measure === 'd-calc',
      present,
      marks,
      format: (n) => writeMeasure(measure, n, format),
      formatTick: (n) => (measure === 'd-calc' ? format.duration(n) : format.short(n)),
      series: [
        ...views.map((v, i) => ({ name: nameOfView(v), values: (courses[i] ?? []).map((p) => p.value) })),
        ...(beforeRows === undefined
          ? []
          : [
              {
                name: t(`period.${view.compare}`),
                quiet: true,
                labels: steps(beforeRows, locale, before).map((s) => s.label),
                values: beforeRows.map((p) => p.value),
              },
            ]),
      ],
    };
  }, [rows, courses, was, before, ids, views, step, measure, present, marks, format, t, view.compare, locale]);
  const columns = useMemo(
    (): Column<Step<Point>>[] => [
      { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
      ...views.map((v, i): Column<Step<Point>> => {
        const values = new Map((courses[i] ?? []).map((p) => [p._id, p.value]));
        const of = (s: Step<Point>) => values.get(s.row._id) ?? 0;
        return { key: `v-${v._id}`, title: nameOfView(v), numeric: true, ...(measure === 'd-calc' ? { form: 'seconds' as const } : {}), value: of, text: (s) => writeMeasure(measure, of(s), format) };
      }),
    ],
    [t, views, courses, measure, format],
  );
  if (now.error !== null && now.data === undefined) return <Failed error={now.error} retry={() => void now.refetch()} />;
  if (now.data === undefined) return <Coming height={360} />;
  const names = views.map(nameOfView);
  return (
    <ChartCard
      title={t('overview.trend', { metric: name })}
      about={`${names.join(', ')}, ${periodName}`}
      spec={spec}
      columns={columns}
      rows={present === undefined ? rows : rows.slice(0, present + 1)}
      file={fileNamed([app.name, ...names], span)}
      as={view.as}
      onAs={(as) => set({ as })}
      act={act}
      actions={
        <>
        <Select
          size="xs"
          aria-label={t('metric.measure')}
          allowDeselect={false}
          value={measure}
          onChange={(m) => set({ figure: m === null || m === 't' ? '' : m })}
          data={viewMeasures.map((value) => ({ value, label: t(`views.${value}`) }))}
        />
          <GranularityChoice span={span} of={viewSteps} what={name} />
          <AboutFigures
            app={app}
            what={name}
            terms={terms}
            path="/o"
            params={{ ...cutParams(cut), method: 'views', selectedViews: ids }}
            events={ofViews}
            at={now.dataUpdatedAt}
          />
        </>
      }
    >
      {below}
    </ChartCard>
  );
}
