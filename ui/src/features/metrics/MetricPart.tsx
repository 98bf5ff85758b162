import { Box } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DayNote } from '../../components/Change';
import { ChartCard } from '../../components/chart/ChartCard';
import type { BarsSpec } from '../../components/chart/spec';
import { Coming, Failed } from '../../components/States';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { inside, useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { NoFigures } from '../../parts/empty/NoFigures';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import { useColumns } from '../../parts/metrics/columns';
import { terms, type Dimension } from '../../parts/metrics/definitions';
import { SizeChoice, useSize } from '../../parts/metrics/SizeChoice';
import { usePickValue, useValues } from '../../parts/metrics/useValues';

const drawn = 10;

/** The values of one dimension: the largest as bars, all in a table. */
export function MetricPart({ app, dimension }: { app: App; dimension: Dimension }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const [size, sizeName] = useSize();
  const { values, against, tooEarly, at, error, retry } = useValues(app, dimension);
  const pick = usePickValue(dimension);
  const columns = useColumns(dimension, against, pick);
  const table = useTableState();
  const largest = useMemo(() => [...(values ?? [])].sort((a, b) => b[size] - a[size]).slice(0, drawn), [values, size]);
  const spec = useMemo(
    (): BarsSpec => ({
      kind: 'bars',
      name: sizeName,
      format: (n) => format.count(n),
      formatTick: (n) => format.short(n),
      rows: largest.map((v) => ({ name: v.name, value: (v.now ?? v)[size], before: v.before?.[size] })),
      onPick: (row) => {
        const value = largest[row];
        if (value !== undefined) pick(value);
      },
      ...(against === undefined ? {} : { names: [sizeName, t(`period.${view.compare}`)] as const }),
    }),
    [largest, size, sizeName, against, format, view.compare, t, pick],
  );
  if (error !== null && values === undefined) return <Failed error={error} retry={retry} />;
  if (values === undefined) return <Coming height={420} />;
  const title = t(`dimension.${dimension}`);
  if (values.length === 0) {
    return (
      <div className="card">
        <NoFigures app={app} title={t('overview.empty')} text={t('metric.emptyHint', { what: title })} atFirst />
      </div>
    );
  }
  const file = fileNamed([app.name, title], span);
  return (
    <>
      <ChartCard
        title={t('metric.top', { what: inside(t(`one.${dimension}`), i18n.language), metric: sizeName })}
        about={periodName}
        spec={spec}
        columns={columns}
        rows={largest}
        file={file}
        as={view.as}
        onAs={(as) => set({ as })}
        actions={
          <>
            <SizeChoice />
            <AboutFigures app={app} what={title} terms={terms} path="/o/analytics/metric" params={{ metric: dimension }} at={at} />
          </>
        }
      >
        <DayNote against={against} tooEarly={tooEarly} />
      </ChartCard>
      <Box className="card" p="md">
        <DataTable caption={`${title}, ${periodName}`} columns={columns} rows={values} file={file} {...table} />
      </Box>
    </>
  );
}
