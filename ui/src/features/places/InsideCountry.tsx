import { Box, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import type { BarsSpec } from '../../components/chart/spec';
import { DataTable } from '../../components/table/DataTable';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime } from '../../lib/useView';
import type { App } from '../../access/apps';
import { useColumns } from '../../parts/metrics/columns';
import { terms } from '../../parts/metrics/definitions';
import { useSize } from '../../parts/metrics/SizeChoice';
import { usePickValue, useValues } from '../../parts/metrics/useValues';
import type { Value } from '../../parts/metrics/rows';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import type { Cities } from './api';

const drawn = 10;

/** The regions and cities of a country that the page is narrowed to. */
export function InsideCountry({ app, country, known }: { app: App; country: string; known: Cities | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      {known?.known === false && (
        <Box className="card" p="md">
          <Text size="sm">{t('places.noCities')}</Text>
        </Box>
      )}
      <Part app={app} country={country} dimension="regions" names={known?.regions} />
      <Part app={app} country={country} dimension="cities" names={undefined} />
    </>
  );
}

interface Props {
  app: App;
  country: string;
  dimension: 'regions' | 'cities';
  /** What values are called that are codes. */
  names: Readonly<Record<string, string>> | undefined;
}

function Part({ app, country, dimension, names }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const [size, sizeName] = useSize();
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const { values, against, at } = useValues(app, dimension);
  const pick = usePickValue(dimension);
  const columns = useColumns(dimension, against, pick);
  const named = useMemo(() => values?.map((v): Value => ({ ...v, name: names?.[v._id] ?? v.name })), [values, names]);
  const largest = useMemo(() => [...(named ?? [])].sort((a, b) => b[size] - a[size]).slice(0, drawn), [named, size]);
  const spec = useMemo(
    (): BarsSpec => ({
      kind: 'bars',
      name: sizeName,
      format: (n) => format.count(n),
      formatTick: (n) => format.short(n),
      rows: largest.map((v) => ({ name: v.name, value: v[size] })),
      onPick: (row) => {
        const value = largest[row];
        if (value !== undefined) pick(value);
      },
    }),
    [largest, size, sizeName, format, pick],
  );
  if (named === undefined || named.length === 0) return null;
  const title = t('places.inside', { what: t(`dimension.${dimension}`), country });
  const file = fileNamed([app.name, title], span);
  return (
    <ChartCard title={title} about={periodName} spec={spec} columns={columns} rows={largest} file={file} as={as} onAs={setAs} actions={<AboutFigures app={app} what={title} terms={terms} path="/o/analytics/metric" params={{ metric: dimension }} at={at} />}>
      {named.length > drawn && <DataTable caption={`${title}, ${periodName}`} columns={columns} rows={named} file={file} />}
    </ChartCard>
  );
}
