import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import type { HeatSpec } from '../../components/chart/spec';
import type { Column } from '../../components/table/columns';
import { useFormat, useLocale } from '../../i18n';
import { useView } from '../../lib/useView';
import { weekOf } from './week';

interface Props {
  title: string;
  /** What the counts are of, for the name of the chart. */
  about: string;
  /** What is counted. */
  name: string;
  /** Counts by weekday, Sunday first, and hour. */
  counts: readonly (readonly number[])[];
  /** Name of the files, without ending. */
  file: string;
  actions?: ReactNode;
}

interface Hour {
  day: string;
  hour: number;
  count: number;
}

/** Counts by weekday and hour, as a chart with its table. */
export function WeekCard({ title, about, name, counts, file, actions }: Props) {
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const [view, set] = useView();
  const week = useMemo(() => weekOf(counts, locale), [counts, locale]);
  const spec = useMemo(
    (): HeatSpec => ({
      kind: 'heat',
      name,
      xs: week.hours,
      ys: week.days,
      values: week.values,
      format: (n) => format.count(n),
      formatTick: (n) => format.short(n),
    }),
    [week, name, format],
  );
  const rows = week.values.flatMap((row, y) => row.map((count, hour): Hour => ({ day: week.days[y] ?? '', hour, count })));
  const columns: Column<Hour>[] = [
    { key: 'day', title: t('times.day'), fixed: true, value: (h) => h.day, text: (h) => h.day, sortable: false },
    { key: 'hour', title: t('times.hour'), fixed: true, value: (h) => h.hour, text: (h) => week.hours[h.hour]?.label ?? '' },
    { key: 'count', title: name, numeric: true, value: (h) => h.count, text: (h) => format.count(h.count) },
  ];
  return <ChartCard title={title} about={about} spec={spec} columns={columns} rows={rows} file={file} as={view.as} onAs={(as) => set({ as })} actions={actions} />;
}
