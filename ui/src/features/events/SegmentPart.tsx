import { Box } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import type { BarsSpec } from '../../components/chart/spec';
import { withGroup } from '../../components/filter/groups';
import { PickButton } from '../../components/filter/PickButton';
import { Coming, Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { decodeVersion } from '../../lib/wire';
import type { App } from '../../access/apps';
import { useScopeFields } from '../../parts/filters/useScopeFields';
import { other } from '../../parts/metrics/definitions';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import type { EventRow } from '../../parts/events/api';
import { eventSegment } from '../../parts/events/detail';
import { formOf, sumOf, writeEvent, writeEventShort } from '../../parts/events/figures';
import { useEventFigure } from './useEventFigure';

const drawn = 10;
const none: EventRow[] = [];

interface Props {
  app: App;
  eventKey: string;
  segment: string;
  choice: ReactNode;
}

/** An event cut by a segment: the largest values as bars, all in a table. */
export function SegmentPart({ app, eventKey, segment, choice }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const { data, error, refetch, dataUpdatedAt } = useQuery({ ...eventSegment(app, eventKey, segment, period), placeholderData: keepPreviousData });
  const { have, figure } = useEventFigure(data ?? none);
  const table = useTableState(`-${figure}`);
  const fields = useScopeFields(app, useMemo(() => [eventKey], [eventKey]));
  const rows = useMemo(() => (data ?? []).map((r) => ({ ...r, _id: decodeVersion(r._id) })), [data]);
  const pickOf = useCallback(
    ({ _id }: Pick<EventRow, '_id'>) => {
      const filter = _id === other ? undefined : withGroup(view.filter, { [`sg.${segment}`]: _id }, fields);
      return filter === undefined ? undefined : () => set({ filter, page: 1 });
    },
    [view.filter, segment, fields, set],
  );
  const largest = useMemo(() => [...rows].sort((a, b) => b[figure] - a[figure]).slice(0, drawn), [rows, figure]);
  const spec = useMemo(
    (): BarsSpec => ({
      kind: 'bars',
      name: t(`events.${figure}`),
      seconds: figure === 'dur',
      format: (n) => writeEvent(figure, n, format),
      formatTick: (n) => writeEventShort(figure, n, format),
      rows: largest.map((r) => ({ name: r._id, value: r[figure] })),
      onPick: (row) => largest[row] && pickOf(largest[row])?.(),
    }),
    [largest, figure, format, t, pickOf],
  );
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Coming height={360} />;
  const all = sumOf(rows, figure);
  const columns: Column<EventRow>[] = [
    { key: 'value', title: segment, fixed: true, value: (r) => r._id, text: (r) => r._id, cell: (r) => <PickButton name={r._id} onPick={pickOf(r)} /> },
    ...have.map((f) => ({
      key: f,
      title: t(`events.${f}`),
      numeric: true,
      ...formOf(f),
      value: (r: EventRow) => r[f],
      text: (r: EventRow) => writeEvent(f, r[f], format),
    })),
    {
      key: 'share',
      title: t('metric.share'),
      numeric: true,
      form: 'share',
      value: (r) => (all === 0 ? 0 : r[figure] / all),
      text: (r) => format.share(all === 0 ? 0 : r[figure] / all),
    },
  ];
  const title = t('events.by', { figure: t(`events.${figure}`), segment });
  const file = fileNamed([app.name, eventKey, segment], span);
  return (
    <>
      <ChartCard
        title={title}
        about={eventKey}
        spec={spec}
        columns={columns}
        rows={largest}
        file={file}
        as={view.as}
        onAs={(as) => set({ as })}
        actions={
          <>
            {choice}
            <AboutFigures
              app={app}
              what={title}
              terms={['count', 'sum', 'duration']}
              path="/o/analytics/events"
              params={{ event: eventKey, segmentation: segment }}
              events={[eventKey]}
              at={dataUpdatedAt}
            />
          </>
        }
      />
      <Box className="card" p="md">
        <DataTable caption={t('events.allBy', { what: title })} columns={columns} rows={rows} file={file} empty={t('events.noneInPeriod')} {...table} />
      </Box>
    </>
  );
}
