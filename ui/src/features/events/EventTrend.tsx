import { SegmentedControl } from '@mantine/core';
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
import { usePinned } from '../../parts/notes/usePinned';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import { presentOf, steps, type Step } from '../../parts/figures/figures';
import type { EventList, EventRow } from '../../parts/events/api';
import { eventTrends } from '../../parts/events/detail';
import { formOf, nameOfEvent, writeEvent, writeEventShort } from '../../parts/events/figures';
import { useEventFigure } from './useEventFigure';

const terms = ['count', 'sum', 'duration'] as const;

/** One event or several over time; one alone also with the period compared. */
export function EventTrend({ app, keys, list }: { app: App; keys: readonly string[]; list: EventList }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span, before } = useTime(app);
  const periodName = usePeriodText()(period);
  const step = useGranularity(span);
  const now = useQuery({ ...eventTrends(app, keys, period, step), placeholderData: keepPreviousData });
  const alone = keys.length === 1 && before !== undefined;
  const then = useQuery({
    ...eventTrends(app, keys, before === undefined ? period : { kind: 'custom', ...before }, step),
    enabled: alone,
  });
  const was = alone ? then.data : undefined;
  const all = useMemo(() => Object.values(now.data ?? {}).flat(), [now.data]);
  const { have, figure } = useEventFigure(all);
  const figureName = t(`events.${figure}`);
  const rows = useMemo(() => steps(now.data?.[keys[0] ?? ''] ?? [], locale, span), [now.data, keys, locale, span]);
  const present = useMemo(() => presentOf(rows.map((r) => r.row), app.timezone), [rows, app.timezone]);
  const { marks, act, below } = usePinned(app, rows);
  const spec = useMemo((): SeriesSpec => {
    const beforeRows = was?.[keys[0] ?? ''];
    return {
      kind: 'series',
      steps: rows,
      continuous: figure !== 'c',
      seconds: figure === 'dur',
      present,
      marks,
      format: (n) => writeEvent(figure, n, format),
      formatTick: (n) => writeEventShort(figure, n, format),
      series: [
        ...keys.map((key) => ({ name: nameOfEvent(key, list), values: (now.data?.[key] ?? []).map((r) => r[figure]) })),
        ...(beforeRows === undefined
          ? []
          : [
              {
                name: t(`period.${view.compare}`),
                quiet: true,
                labels: steps(beforeRows, locale, before).map((s) => s.label),
                values: beforeRows.map((r) => r[figure]),
              },
            ]),
      ],
    };
  }, [rows, now.data, was, keys, list, figure, present, marks, format, t, view.compare, locale, before]);
  const columns = useMemo(
    (): Column<Step<EventRow>>[] => [
      { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
      ...keys.map((key): Column<Step<EventRow>> => {
        const values = new Map((now.data?.[key] ?? []).map((r) => [r._id, r[figure]]));
        const of = (s: Step<EventRow>) => values.get(s.row._id) ?? 0;
        return { key: `e-${key}`, title: keys.length === 1 ? figureName : nameOfEvent(key, list), numeric: true, ...formOf(figure), value: of, text: (s) => writeEvent(figure, of(s), format) };
      }),
    ],
    [t, keys, now.data, figure, figureName, list, format],
  );
  if (now.error !== null && now.data === undefined) return <Failed error={now.error} retry={() => void now.refetch()} />;
  if (now.data === undefined) return <Coming height={360} />;
  return (
    <ChartCard
      title={t('overview.trend', { metric: figureName })}
      about={`${keys.map((k) => nameOfEvent(k, list)).join(', ')}, ${periodName}`}
      spec={spec}
      columns={columns}
      rows={present === undefined ? rows : rows.slice(0, present + 1)}
      file={fileNamed([app.name, ...keys.map((k) => nameOfEvent(k, list))], span)}
      as={view.as}
      onAs={(as) => set({ as })}
      act={act}
      actions={
        <>
          {have.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={t('metric.measure')}
            value={figure}
            onChange={(f) => set({ figure: f === 'c' ? '' : f })}
            data={have.map((value) => ({ value, label: t(`events.${value}`) }))}
          />
          )}
          <GranularityChoice span={span} what={figureName} />
          <AboutFigures app={app} what={figureName} terms={terms} path="/o/analytics/events" params={{ events: keys }} events={keys} at={now.dataUpdatedAt} />
        </>
      }
    >
      {below}
    </ChartCard>
  );
}
