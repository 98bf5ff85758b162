import { Anchor, Box, Checkbox, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { TimePage } from '../../components/Page';
import { Coming, Failed, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { formatPeriod } from '../../lib/period';
import { useTime, useView } from '../../lib/useView';
import { carried, parseList } from '../../lib/view';
import type { App } from '../apps/api';
import { WaysOn } from '../apps/WaysOn';
import { changeOf } from '../overview/figures';
import { eventList, eventTotals, type EventRow } from './api';
import { EventTrend } from './EventTrend';
import { nameOfEvent } from './figures';

const mostCompared = 6;

interface Row extends EventRow {
  name: string;
  before: number | undefined;
}

/** The events of an app, and several of them side by side. */
export function EventsPage({ app }: { app: App }) {
  const { t } = useTranslation();
  return (
    <TimePage app={app} title={t('nav.events')}>
      <Events app={app} />
    </TimePage>
  );
}

function Events({ app }: { app: App }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const { period, before } = useTime(app);
  const list = useQuery(eventList(app._id)).data;
  const now = useQuery({ ...eventTotals(app, period), placeholderData: keepPreviousData });
  const then = useQuery({ ...eventTotals(app, before === undefined ? period : { kind: 'custom', ...before }), enabled: before !== undefined });
  const was = before === undefined ? undefined : then.data;
  const rows = useMemo(() => {
    const totals = new Map(was?.map((r) => [r._id, r.c]));
    return now.data?.map((r): Row => ({ ...r, name: nameOfEvent(r._id, list), before: was && (totals.get(r._id) ?? 0) }));
  }, [now.data, was, list]);
  const chosen = parseList(view.events).filter((key) => list?.list?.includes(key) === true);
  const table = useTableState('-c');
  const periodName = usePeriodText()(period);
  const choose = (key: string, on: boolean) => {
    const next = on ? [...chosen, key].slice(-mostCompared) : chosen.filter((k) => k !== key);
    set({ events: next.length === 0 ? '' : JSON.stringify(next) });
  };
  const columns = useEventColumns(app, was !== undefined, chosen, choose);
  if (now.error !== null && rows === undefined) return <Failed error={now.error} retry={() => void now.refetch()} />;
  if (rows === undefined || list === undefined) return <Coming height={420} />;
  if ((list.list ?? []).length === 0) {
    return (
      <div className="card">
        <Notice
          title={t('events.none')}
          text={t('events.noneHint')}
          action={<WaysOn app={app} />}
        />
      </div>
    );
  }
  return (
    <>
      {chosen.length > 0 ? (
        <EventTrend app={app} keys={chosen} list={list} />
      ) : (
        <Text size="sm" c="dimmed" className="no-print">
          {t('events.compareHint')}
        </Text>
      )}
      <Box className="card" p="md">
        <DataTable
          caption={`${t('nav.events')}, ${periodName}`}
          columns={columns}
          rows={rows}
          file={`${app.name} ${t('nav.events')} ${formatPeriod(period)}`}
          empty={t('events.noneInPeriod')}
          {...table}
        />
      </Box>
    </>
  );
}

function useEventColumns(app: App, compared: boolean, chosen: string[], choose: (key: string, on: boolean) => void): Column<Row>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  const change = (r: Row) => changeOf(r.c, r.before ?? 0, format);
  const list: Column<Row>[] = [
    {
      key: 'name',
      title: t('events.event'),
      fixed: true,
      value: (r) => r.name,
      text: (r) => r.name,
      cell: (r) => (
        <Group gap="sm" wrap="nowrap">
          <Checkbox
            size="xs"
            aria-label={t('events.choose', { event: r.name })}
            checked={chosen.includes(r._id)}
            onChange={(e) => choose(r._id, e.currentTarget.checked)}
          />
          <Anchor
            size="sm"
            className="breakable"
            renderRoot={(props) => <Link {...props} to="/apps/$appId/events/$key" params={{ appId: app._id, key: r._id }} search={carried(view)} />}
          >
            {r.name}
          </Anchor>
        </Group>
      ),
    },
    { key: 'c', title: t('events.c'), numeric: true, value: (r) => r.c, text: (r) => format.count(r.c) },
    { key: 's', title: t('events.s'), numeric: true, value: (r) => r.s, text: (r) => (r.s === 0 ? '–' : format.amount(r.s)) },
    { key: 'average', title: t('events.average'), numeric: true, value: (r) => (r.c === 0 ? 0 : r.s / r.c), text: (r) => (r.s === 0 ? '–' : format.amount(r.s / r.c)) },
    { key: 'dur', title: t('events.dur'), numeric: true, value: (r) => r.dur, text: (r) => (r.dur === 0 ? '–' : format.duration(r.dur)) },
  ];
  if (!compared) return list;
  return [
    ...list,
    { key: 'before', title: t('events.before'), numeric: true, value: (r) => r.before ?? 0, text: (r) => format.count(r.before ?? 0) },
    {
      key: 'change',
      title: t('metric.change'),
      numeric: true,
      value: (r) => (r.before === undefined || r.before === 0 ? 0 : r.c / r.before - 1),
      text: (r) => change(r)?.text ?? '–',
      cell: (r) => (
        <span className="figure-change" data-trend={change(r)?.trend}>
          {change(r)?.text ?? '–'}
        </span>
      ),
    },
  ];
}
