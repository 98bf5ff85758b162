import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ChartCard } from '../../components/chart/ChartCard';
import type { ChartSpec } from '../../components/chart/spec';
import { Definition } from '../../components/Definition';
import { Section } from '../../components/Section';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useSaveFile } from '../../components/useSaveFile';
import { encode } from '../../api/client';
import { useFormat } from '../../i18n';
import { paramsOf, pictures, type Asked, type Picture, type Result } from './api';
import { drawable, isNumeric, mostNames, numberOf, textOf } from './result';

interface Props {
  app: App;
  asked: Asked;
  result: Result;
  picture: Picture;
  onPicture: (picture: Picture) => void;
}

type Row = Record<string, unknown>;

/** What a statement answered: as a table, lines or bars. */
export function ResultCard({ app, asked, result, picture, onPicture }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const saveFile = useSaveFile();
  const formatPeriodText = usePeriodText();
  const rows = useMemo((): Row[] => result.rows.map((row) => Object.fromEntries(row.map((value, i) => [String(i), value]))), [result]);
  const columns = result.columns.map((c, i): Column<Row> => {
    const key = String(i);
    if (!isNumeric(c.type)) return { key, title: c.name, fixed: i === 0, value: (r) => textOf(r[key]), text: (r) => textOf(r[key]) };
    return { key, title: c.name, fixed: i === 0, numeric: true, form: 'amount', value: (r) => numberOf(r[key]) ?? textOf(r[key]), text: (r) => (numberOf(r[key]) === undefined ? textOf(r[key]) : format.amount(numberOf(r[key]) ?? 0)) };
  });
  const parts = useMemo(() => drawable(result), [result]);
  const shown = parts === undefined ? 'table' : picture;
  const said = t('sql.said', { rows: format.count(result.rows.length), count: result.rows.length, read: format.count(result.read), took: format.count(result.took) });
  const file = `${app.name} SQL`;
  const choice = (
    <Group gap="xs" className="no-print">
      <SegmentedControl
        size="xs"
        aria-label={t('sql.picture')}
        value={shown}
        disabled={parts === undefined}
        onChange={onPicture}
        data={pictures.map((value) => ({ value, label: t(`sql.pictures.${value}`) }))}
      />
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => void saveFile('/o/export/request', { app_id: app._id, path: `/o/sql?${encode({ ...paramsOf(app, asked), form: 'objects' }).toString()}`, prop: 'rows', type: 'csv', filename: file })}
      >
        {t('sql.export')}
      </Button>
      <Definition
        what={t('sql.result')}
        path="/o/sql"
        params={paramsOf(app, asked)}
        fields={[
          [t('trends.def.means'), t('sql.def.meaning')],
          [t('trends.def.period'), `${formatPeriodText(asked.period)}, ${app.timezone}. ${t('sql.def.rows')}`],
          [t('trends.def.exact'), t('sql.def.exact')],
        ]}
      />
    </Group>
  );
  const notes = (
    <>
      <Text size="sm" c="dimmed" role="status">
        {said}
      </Text>
      {result.truncated && (
        <Text size="sm" mt={4}>
          {t('sql.truncated')}
        </Text>
      )}
    </>
  );
  if (shown === 'table' || parts === undefined) {
    return (
      <Section title={t('sql.result')} lead={notes}>
        <DataTable caption={t('sql.result')} columns={columns} rows={rows} file={file} pageSize={25} actions={choice} empty={t('sql.empty')} />
      </Section>
    );
  }
  const numbers = { format: (n: number) => format.amount(n), formatTick: (n: number) => format.short(n) };
  const steps = parts.names.map((name) => ({ label: name, tick: name }));
  const spec: ChartSpec =
    shown === 'bar' && parts.series.length === 1
      ? { kind: 'bars', name: parts.series[0]?.name ?? '', upright: parts.ordered, rows: parts.names.map((name, i) => ({ name, value: parts.series[0]?.values[i] ?? 0 })), ...numbers }
      : { kind: 'series', steps, series: parts.series, continuous: true, columns: shown === 'bar', ...numbers };
  return (
    <ChartCard title={t('sql.result')} about={parts.series.map((s) => s.name).join(', ')} spec={spec} columns={columns} rows={rows} file={file} as="chart" onAs={(as) => as === 'table' && onPicture('table')} actions={choice}>
      {notes}
      {result.rows.length > mostNames && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('sql.drawn', { count: mostNames })}
        </Text>
      )}
    </ChartCard>
  );
}
