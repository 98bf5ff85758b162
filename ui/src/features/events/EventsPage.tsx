import { Anchor, Box, Checkbox, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangeMark, useAgainst, useChangeText } from '../../components/Change';
import { TimePage } from '../../components/Page';
import { Coming, Failed, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { changeOf, type Against } from '../../lib/change';
import { useFiltered, useTime, useView } from '../../lib/useView';
import { carried, parseList } from '../../lib/view';
import type { App } from '../../access/apps';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import { WaysOn } from '../../parts/empty/WaysOn';
import { eventList, eventSums, type EventSum } from '../../parts/events/api';
import { EventTrend } from './EventTrend';
import { nameOfEvent } from '../../parts/events/figures';

const mostCompared = 6;

/** How many events are drawn until others are chosen. */
const usuallyDrawn = 3;

interface Row extends EventSum {
  name: string;
  /** In the parts that can be compared. */
  now: number;
  before: number;
}

/** The events of an app, and several of them side by side. */
export function EventsPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const known = useQuery(eventList(app._id)).data?.list;
  return (
    <TimePage app={app} title={t('nav.events')}>
      <FilterBar app={app} events={known ?? noEvents} />
      <Events app={app} />
    </TimePage>
  );
}

function Events({ app }: { app: App }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const { period, span, before, against } = useTime(app);
  const list = useQuery(eventList(app._id)).data;
  const now = useQuery({ ...eventSums(app, period, against), placeholderData: keepPreviousData });
  const sums = now.data;
  const rows = useMemo(
    () =>
      sums &&
      Object.values(sums.total).map((r): Row => ({ ...r, name: nameOfEvent(r._id, list), now: sums.now[r._id]?.c ?? 0, before: sums.before[r._id]?.c ?? 0 })),
    [sums, list],
  );
  const chosen = parseList(view.events).filter((key) => list?.list?.includes(key) === true);
  const drawn = useMemo(() => {
    const largest = [...(rows ?? [])].sort((a, b) => b.c - a.c || a.name.localeCompare(b.name));
    return largest.slice(0, usuallyDrawn).map((r) => r._id);
  }, [rows]);
  const table = useTableState('-c');
  const periodName = usePeriodText()(period);
  const choose = (key: string, on: boolean) => {
    const next = on ? [...chosen, key].slice(-mostCompared) : chosen.filter((k) => k !== key);
    set({ events: next.length === 0 ? '' : JSON.stringify(next) });
  };
  const columns = useEventColumns(app, before === undefined ? undefined : sums, chosen, choose);
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
      {(chosen.length > 0 || drawn.length > 0) && <EventTrend app={app} keys={chosen.length > 0 ? chosen : drawn} list={list} />}
      {chosen.length === 0 && (
        <Text size="sm" c="dimmed" className="no-print">
          {t('events.compareHint')}
        </Text>
      )}
      <Box className="card" p="md">
        <DataTable
          caption={`${t('nav.events')}, ${periodName}`}
          columns={columns}
          rows={rows}
          file={fileNamed([app.name, t('nav.events')], span)}
          empty={t('events.noneInPeriod')}
          {...table}
        />
      </Box>
    </>
  );
}

function useEventColumns(app: App, against: Against | undefined, chosen: string[], choose: (key: string, on: boolean) => void): Column<Row>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  const says = useAgainst();
  const write = useChangeText();
  const change = (r: Row) => changeOf(r.now, r.before, format);
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
    { key: 'u', title: t('metric.users'), numeric: true, value: (r) => r.u ?? 0, text: (r) => format.count(r.u ?? 0) },
    { key: 's', title: t('events.s'), numeric: true, form: 'amount', value: (r) => r.s, text: (r) => (r.s === 0 ? '–' : format.amount(r.s)) },
    { key: 'average', title: t('events.average'), numeric: true, form: 'amount', value: (r) => (r.c === 0 ? 0 : r.s / r.c), text: (r) => (r.s === 0 ? '–' : format.amount(r.s / r.c)) },
    { key: 'dur', title: t('events.dur'), numeric: true, form: 'seconds', value: (r) => r.dur, text: (r) => (r.dur === 0 ? '–' : format.duration(r.dur)) },
  ];
  if (against === undefined) return list;
  return [
    ...list,
    { key: 'before', title: t('events.before'), numeric: true, value: (r) => r.before, text: (r) => format.count(r.before) },
    {
      key: 'change',
      title: t('metric.change'),
      note: says(against).text,
      numeric: true,
      form: 'share',
      value: (r) => change(r)?.share ?? 0,
      text: (r) => write(change(r)),
      cell: (r) => <ChangeMark change={change(r)} />,
    },
  ];
}
