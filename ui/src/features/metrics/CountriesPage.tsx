import { Box } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DayNote } from '../../components/Change';
import { ChartCard } from '../../components/chart/ChartCard';
import type { MapSpec } from '../../components/chart/spec';
import { TimePage } from '../../components/Page';
import { Coming, Failed } from '../../components/States';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useFiltered, useTime, useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { NoFigures } from '../apps/NoFigures';
import { FilterBar, noEvents } from '../explore/filtered';
import { AboutFigures } from '../overview/AboutFigures';
import { useColumns } from './columns';
import { terms } from './definitions';
import { SizeChoice, useSize } from './SizeChoice';
import { usePickValue, useValues } from './useValues';

/** Countries on a map and in a table. */
export function CountriesPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  return (
    <TimePage app={app} title={t('nav.countries')}>
      <FilterBar app={app} events={noEvents} />
      <Countries app={app} />
    </TimePage>
  );
}

function Countries({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const [size, sizeName] = useSize();
  const { values, against, tooEarly, at, error, retry } = useValues(app, 'countries');
  const pick = usePickValue('countries');
  const columns = useColumns('countries', against, pick);
  const table = useTableState();
  const spec = useMemo(
    (): MapSpec => ({
      kind: 'map',
      name: sizeName,
      format: (n) => format.count(n),
      formatTick: (n) => format.short(n),
      rows: (values ?? []).map((v) => ({ code: v._id, name: v.name, value: v[size] })),
      onPick: (row) => {
        const value = values?.[row];
        if (value !== undefined) pick(value);
      },
    }),
    [values, size, sizeName, format, pick],
  );
  if (error !== null && values === undefined) return <Failed error={error} retry={retry} />;
  if (values === undefined) return <Coming height={460} />;
  if (values.length === 0) {
    return (
      <div className="card">
        <NoFigures app={app} title={t('overview.empty')} text={t('metric.emptyHint', { what: t('dimension.countries') })} atFirst />
      </div>
    );
  }
  const file = fileNamed([app.name, t('dimension.countries')], span);
  return (
    <>
      <ChartCard
        title={t('metric.map', { metric: sizeName })}
        about={periodName}
        spec={spec}
        columns={columns}
        rows={values}
        file={file}
        as={view.as}
        onAs={(as) => set({ as })}
        actions={
          <>
            <SizeChoice />
            <AboutFigures app={app} what={t('dimension.countries')} terms={terms} path="/o/analytics/metric" params={{ metric: 'countries' }} at={at} />
          </>
        }
      >
        <DayNote against={against} tooEarly={tooEarly} />
      </ChartCard>
      <Box className="card" p="md">
        <DataTable caption={`${t('dimension.countries')}, ${periodName}`} columns={columns} rows={values} file={file} {...table} />
      </Box>
    </>
  );
}
