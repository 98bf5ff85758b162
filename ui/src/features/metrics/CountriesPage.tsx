import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
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
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { NoFigures } from '../../parts/empty/NoFigures';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import { citiesOf, placeList } from '../places/api';
import { circleAt } from '../places/draft';
import { InsideCountry } from '../places/InsideCountry';
import { countryOf, pointsOf } from '../places/inside';
import { useColumns } from '../../parts/metrics/columns';
import { decoders, terms } from '../../parts/metrics/definitions';
import type { Size } from '../../parts/metrics/rows';
import { SizeChoice, useSize } from '../../parts/metrics/SizeChoice';
import { usePickValue, useValues } from '../../parts/metrics/useValues';

/** Countries on a map and in a table; one that the page is narrowed to with its regions and cities. */
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
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const [size, sizeName] = useSize();
  const { values, against, tooEarly, at, error, retry } = useValues(app, 'countries');
  const pick = usePickValue('countries');
  const columns = useColumns('countries', against, pick);
  const table = useTableState();
  const country = countryOf(view.filter);
  const { known, points } = useCities(app, country, size);
  const circles = useCircles(app);
  const spec = useMemo(
    (): MapSpec => ({
      kind: 'map',
      name: sizeName,
      format: (n) => format.count(n),
      formatTick: (n) => format.short(n),
      rows: (values ?? []).map((v) => ({ code: v._id, name: v.name, value: v[size] })),
      points,
      circles,
      focus: country,
      onPick: (row) => {
        const value = values?.[row];
        if (value !== undefined) pick(value);
      },
    }),
    [values, size, sizeName, format, pick, points, circles, country],
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
      {country !== undefined && <InsideCountry app={app} country={decoders(i18n.language).countries(country)} known={known} />}
    </>
  );
}

/** How many cities are drawn. */
const drawn = 200;

/** The largest cities of the country that the page is narrowed to, where they lie. */
function useCities(app: App, country: string | undefined, size: Size) {
  const { values } = useValues(app, 'cities', country !== undefined);
  const largest = useMemo(() => (country === undefined ? [] : [...(values ?? [])].sort((a, b) => b[size] - a[size]).slice(0, drawn)), [country, values, size]);
  const names = useMemo(() => largest.map((v) => v._id).sort(), [largest]);
  const known = useQuery({ ...citiesOf(app._id, country ?? '', names), enabled: country !== undefined && values !== undefined }).data;
  return { known, points: useMemo(() => pointsOf(largest.map((v) => ({ _id: v._id, name: v.name, value: v[size] })), known), [largest, known, size]) };
}

/** The places of the app, for those who may see them. */
function useCircles(app: App) {
  const member = useQuery(me).data;
  const on = member !== undefined && may(member, app._id, 'geo', 'r');
  const list = useQuery({ ...placeList(app._id), enabled: on, retry: false }).data;
  return useMemo(() => (list ?? []).map(circleAt), [list]);
}
