import { ActionIcon, Box, Group, SegmentedControl, Stack, Text, Title, Tooltip, UnstyledButton } from '@mantine/core';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { patiently } from '../../lib/patiently';
import { PickButton } from '../filter/PickButton';
import { DownloadIcon, ImageIcon } from '../icons';
import { Loading } from '../States';
import type { Column } from '../table/columns';
import type { DataTable as DataTableOf } from '../table/DataTable';
import { toasts } from '../toasts';
import { LineChart } from './LineChart';
import type { Drawing } from './picture';
import { columnsIn } from './reading';
import { heightOf, type ChartSpec, type PointAction } from './spec';
import { later, lazily } from '../lazily';
import { Nothing } from '../Nothing';
import { ZoomBack } from './ZoomBack';
import { formatPeriod } from '../../lib/period';
import { useView } from '../../lib/useView';

// Lines are drawn here. ECharts, which draws all else, is heavy and comes with the first chart that needs it.
const EChart = lazily(async () => (await import('./EChart')).default, { meanwhile: Loading });
const WorldMap = lazily(async () => (await import('./WorldMap')).default, { meanwhile: Loading });
const Summary = later(async () => (await import('./Summary')).default, { instead: Nothing });
const Points = later(async () => (await import('./Points')).default, { instead: Nothing });
// eslint-disable-next-line quipu/uncast -- a component that is loaded later forgets that it is generic
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
  /** What can be done with a step of the chart, beside narrowing the period to it. */
  act?: ((step: number) => readonly PointAction[]) | undefined;
  /** Whether what stands below says in words what the chart shows. */
  told?: boolean;
  /** More controls. */
  actions?: ReactNode;
  /** Below the chart. */
  children?: ReactNode;
}

/** The one chart of the dashboard: with its table, its legend and its downloads. */
export function ChartCard<Row extends object>({ title, about, spec, columns, rows, file, as, onAs, act, told = false, actions, children }: Props<Row>) {
  const { t } = useTranslation();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const drawing = useRef<Drawing>(null);
  const plot = useRef<HTMLDivElement>(null);
  const zoom = useZoom(spec);
  const [reached, reach] = useState<'pointer' | 'keys'>();
  const label = `${title}, ${about}`;
  const acts = useActs(spec, hidden, act);

  // What writes files comes when it is needed.
  const saving = async (what: (files: typeof import('./saving')) => void | Promise<void>) => {
    try {
      await what(await patiently(() => import('./saving')));
    } catch (error) {
      toasts.show(String(error), 'failed');
    }
  };
  const saveRows = () => saving((files) => files.saveRows(file, columns, rows, (title) => t('table.exact', { title })));
  const savePicture = () =>
    saving(async (files) => {
      const blob = await drawing.current?.picture(label);
      if (blob !== undefined) files.savePicture(file, blob);
    });
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
              <ActionIcon variant="default" size={30} aria-label={`${t('chart.csv')}: ${title}`} onClick={() => void saveRows()}>
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
          {zoom.back}
          <div ref={plot} className={`chart-${spec.kind} chart-plot`} style={{ height: heightOf(spec) }} onPointerEnter={() => reach((was) => was ?? 'pointer')}>
            {spec.kind === 'series' && !columnsIn(spec) ? (
              <LineChart label={label} spec={spec} hidden={hidden} drawing={drawing} />
            ) : spec.kind === 'map' ? (
              <WorldMap label={label} spec={spec} drawing={drawing} />
            ) : (
              <EChart label={label} spec={spec} hidden={hidden} drawing={drawing} />
            )}
            {spec.kind === 'series' &&
              (zoom.to !== undefined || acts !== undefined) &&
              (reached === undefined ? (
                <div role="slider" tabIndex={0} className="chart-cursor" aria-label={title} aria-valuenow={0} onFocus={() => reach('keys')} />
              ) : (
                <Points title={title} spec={spec} hidden={hidden} drawing={drawing} plot={plot} onZoom={zoom.to} act={acts} focused={reached === 'keys'} />
              ))}
          </div>
          {!told && <Summary spec={spec} hidden={hidden} />}
        </Stack>
      ) : (
        <DataTable caption={label} columns={columns} rows={rows} file={file} />
      )}
      {children}
    </Box>
  );
}

/** What can be done with a step: what the page has for it, and filtering the page by a series that has something there. */
function useActs(spec: ChartSpec, hidden: ReadonlySet<string>, act: ((step: number) => readonly PointAction[]) | undefined): ((step: number) => readonly PointAction[]) | undefined {
  const { t } = useTranslation();
  const picks = spec.kind !== 'series' ? [] : spec.series.filter(({ name, onPick }) => onPick !== undefined && !hidden.has(name));
  if (picks.length === 0) return act;
  return (step) => [
    ...(act?.(step) ?? []),
    ...picks.flatMap(({ name, values, onPick: run }): PointAction[] => (run === undefined || (values[step] ?? 0) === 0 ? [] : [{ label: t('metric.pick', { value: name }), run }])),
  ];
}

/** Narrows the period of the page to steps of a chart, where they have days; and the way back, where that was done. */
function useZoom(spec: ChartSpec): { to?: (first: number, last: number) => void; back: ReactNode } {
  const [view, set] = useView();
  const steps = spec.kind === 'series' ? spec.steps : [];
  const [from, to] = [steps[0]?.days?.from, steps.at(-1)?.days?.to];
  if (from === undefined || to === undefined) return { back: null };
  return {
    ...(from === to ? {} : { to: (first: number, last: number) => {
      const part = { from: steps[first]?.days?.from ?? from, to: steps[last]?.days?.to ?? to };
      if (part.from !== from || part.to !== to) set({ period: formatPeriod({ kind: 'custom', ...part }), zoom: view.zoom === '' ? view.period : view.zoom, page: 1 });
    } }),
    back: <ZoomBack className="chart-back" size="compact-sm" />,
  };
}

/** Names the series and switches them on and off; the name of one that the page can be filtered by does that. */
function Legend({ spec, hidden, onChange }: { spec: Extract<ChartSpec, { kind: 'series' }>; hidden: ReadonlySet<string>; onChange: (hidden: Set<string>) => void }) {
  const { t } = useTranslation();
  const loud = useMemo(() => {
    const counted = spec.series.filter((s) => s.color === undefined && s.quiet !== true);
    return spec.series.map((s) => s.color ?? counted.indexOf(s) + 1);
  }, [spec.series]);
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    if (next.size < spec.series.length) onChange(next); // the last one stays
  };
  return (
    <Group gap={4} className="legends" role="group" aria-label={t('chart.legend')}>
      {spec.series.map((s, i) => {
        const key = <span className="legend-key" data-series={loud[i] === 0 ? 'quiet' : (((loud[i] ?? 1) - 1) % 6) + 1} data-dashed={s.quiet === true || undefined} data-dash={s.dash} aria-hidden />;
        if (s.onPick === undefined) {
          return (
            <UnstyledButton key={s.name} className="legend" aria-pressed={!hidden.has(s.name)} onClick={() => toggle(s.name)}>
              {key}
              <Text span size="sm" className="breakable">
                {s.name}
              </Text>
            </UnstyledButton>
          );
        }
        const shown = t('chart.shown', { name: s.name });
        return (
          <span key={s.name} className="legend-pair" data-off={hidden.has(s.name) || undefined}>
            <UnstyledButton className="legend legend-switch" aria-pressed={!hidden.has(s.name)} aria-label={shown} title={shown} onClick={() => toggle(s.name)}>
              {key}
            </UnstyledButton>
            <PickButton name={s.name} onPick={s.onPick} />
          </span>
        );
      })}
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
