import { ActionIcon, Box, Group, SegmentedControl, Stack, Text, Title, Tooltip, UnstyledButton } from '@mantine/core';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { csv, dated, download, save } from '../../lib/csv';
import { DownloadIcon, ImageIcon } from '../icons';
import { Loading } from '../States';
import { fileRows, type Column } from '../table/columns';
import type { DataTable as DataTableOf } from '../table/DataTable';
import { toasts } from '../toasts';
import { LineChart } from './LineChart';
import type { Drawing } from './picture';
import { columnsIn } from './reading';
import { heightOf, type ChartSpec } from './spec';
import { later, lazily } from '../lazily';

// Lines are drawn here. ECharts, which draws all else, is heavy and comes with the first chart that needs it.
const EChart = lazily(async () => (await import('./EChart')).default, { meanwhile: Loading });
const WorldMap = lazily(async () => (await import('./WorldMap')).default, { meanwhile: Loading });
const DataTable = later(async () => (await import('../table/DataTable')).DataTable, { meanwhile: Loading }) as unknown as typeof DataTableOf;

interface Props<Row extends object> {
  title: string;
  /** What the figures are of and in which unit, for the name of the chart. */
  about: string;
  spec: ChartSpec;
  /** The same figures as a table. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Name of the files, without ending. */
  file: string;
  as: 'chart' | 'table';
  onAs: (as: 'chart' | 'table') => void;
  /** More controls. */
  actions?: ReactNode;
  /** Below the chart. */
  children?: ReactNode;
}

/** The one chart of the dashboard: with its table, its legend and its downloads. */
export function ChartCard<Row extends object>({ title, about, spec, columns, rows, file, as, onAs, actions, children }: Props<Row>) {
  const { t } = useTranslation();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const drawing = useRef<Drawing>(null);
  const label = `${title}, ${about}`;

  const saveRows = () => download(`${dated(file, new Date())}.csv`, csv(fileRows(columns, rows, (title) => t('table.exact', { title }))));
  const savePicture = async () => {
    try {
      const blob = await drawing.current?.picture(label);
      if (blob !== undefined) save(`${dated(file, new Date())}.png`, blob);
    } catch (error) {
      toasts.show(String(error), 'failed');
    }
  };
  return (
    <Box className="card" p="md" component="section" aria-label={title}>
      <div className="chart-head">
        <Title order={2} size="h4" className="breakable">
          {title}
        </Title>
        <Group gap="xs" className="no-print chart-choices">
          {actions}
          <SegmentedControl
            size="xs"
            aria-label={t('chart.showAs', { what: title })}
            value={as}
            onChange={onAs}
            data={[
              { value: 'chart', label: t('chart.chart') },
              { value: 'table', label: t('chart.table') },
            ]}
          />
        </Group>
        <Group gap="xs" wrap="nowrap" className="no-print">
          {as === 'chart' && (
            <Tooltip label={t('chart.picture')} withArrow>
              <ActionIcon variant="default" size={30} aria-label={`${t('chart.picture')}: ${title}`} onClick={() => void savePicture()}>
                <ImageIcon size={18} />
              </ActionIcon>
            </Tooltip>
          )}
          {as === 'chart' && (
            <Tooltip label={t('chart.csv')} withArrow>
              <ActionIcon variant="default" size={30} aria-label={`${t('chart.csv')}: ${title}`} onClick={saveRows}>
                <DownloadIcon size={18} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </div>
      {as === 'chart' ? (
        <Stack gap="xs">
          {spec.kind === 'series' && spec.series.length > 1 && <Legend spec={spec} hidden={hidden} onChange={setHidden} />}
          {spec.kind === 'bars' && spec.names !== undefined && <Keys names={spec.names} />}
          <div className={`chart-${spec.kind}`} style={{ height: heightOf(spec) }}>
            {spec.kind === 'series' && !columnsIn(spec) ? (
              <LineChart label={label} spec={spec} hidden={hidden} drawing={drawing} />
            ) : spec.kind === 'map' ? (
              <WorldMap label={label} spec={spec} drawing={drawing} />
            ) : (
              <EChart label={label} spec={spec} hidden={hidden} drawing={drawing} />
            )}
          </div>
        </Stack>
      ) : (
        <DataTable caption={label} columns={columns} rows={rows} file={file} />
      )}
      {children}
    </Box>
  );
}

/** Names the series and switches them on and off. */
function Legend({ spec, hidden, onChange }: { spec: Extract<ChartSpec, { kind: 'series' }>; hidden: ReadonlySet<string>; onChange: (hidden: Set<string>) => void }) {
  const { t } = useTranslation();
  const loud = useMemo(() => {
    let n = 0;
    return spec.series.map((s) => s.color ?? (s.quiet === true ? 0 : ++n));
  }, [spec.series]);
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    if (next.size < spec.series.length) onChange(next); // the last one stays
  };
  return (
    <Group gap={4} className="legends" role="group" aria-label={t('chart.legend')}>
      {spec.series.map((s, i) => (
        <UnstyledButton key={s.name} className="legend" aria-pressed={!hidden.has(s.name)} onClick={() => toggle(s.name)}>
          <span className="legend-key" data-series={loud[i] === 0 ? 'quiet' : (((loud[i] ?? 1) - 1) % 6) + 1} data-dashed={s.quiet === true || undefined} data-dash={s.dash} aria-hidden />
          <Text span size="sm" className="breakable">
            {s.name}
          </Text>
        </UnstyledButton>
      ))}
    </Group>
  );
}

function Keys({ names }: { names: readonly [string, string] }) {
  return (
    <Group gap="md">
      {names.map((name, i) => (
        <Group key={name} gap={6}>
          <span className="legend-key" data-series={i === 0 ? 1 : 'before'} aria-hidden />
          <Text size="sm">{name}</Text>
        </Group>
      ))}
    </Group>
  );
}
