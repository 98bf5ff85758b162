import { Anchor, Box, Group, SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ZoomBack } from '../../components/chart/ZoomBack';
import { ChangeMark, useAgainst, useChangeText } from '../../components/Change';
import { ChartCard } from '../../components/chart/ChartCard';
import type { SeriesSpec } from '../../components/chart/spec';
import { TimePage } from '../../components/Page';
import { Coming, Failed, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { GranularityChoice, useGranularity } from '../../components/time/GranularityChoice';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { changeOf } from '../../lib/change';
import { fileNamed } from '../../lib/csv';
import { useFiltered, useTime, useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { WaysOn } from '../../parts/empty/WaysOn';
import { eventList, eventSums, type EventList, type EventRow } from '../../parts/events/api';
import { eventTrends } from '../../parts/events/detail';
import { EventChoice } from '../../parts/events/EventChoice';
import { useEventNames } from '../../parts/events/useEventNames';
import { FilterBar } from '../../parts/filters/filtered';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import { usePinned } from '../../parts/notes/usePinned';
import { presentOf, steps, type Step } from '../../parts/figures/figures';
import './compare.css';
import { amountOf, chosenKeys, colorsOf, comparable, eventMeasures, formOf, largestFirst, mostEvents, parseEventMeasure, notSent, rowOf, stepValue, valueOf, write, writeShort, type Compare, type EventMeasure } from './events';

/** Up to twenty events of an app, side by side. */
export function EventsPage({ app: whole }: { app: App }): ReactNode {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const [view, set] = useView();
  const { period, against } = useTime(app);
  const names = useEventNames(app._id);
  const list = useQuery(eventList(app._id)).data;
  const sums = useQuery({ ...eventSums(app, period, against), placeholderData: keepPreviousData });
  const chosen = useMemo(() => chosenKeys(view.events), [view.events]);
  const keys = useMemo(() => (chosen.length > 0 ? chosen : largestFirst(sums.data)), [chosen, sums.data]);
  const options = useMemo(() => ({ ...names, options: comparable(names.options) }), [names]);
  const body = () => {
    if (sums.error !== null && sums.data === undefined) return <Failed error={sums.error} retry={() => void sums.refetch()} />;
    if (sums.data === undefined || list === undefined) return <Coming height={420} />;
    if ((list.list ?? []).length === 0) {
      return (
        <div className="card">
          <Notice title={t('events.none')} text={t('events.noneHint')} action={<WaysOn app={app} />} />
        </div>
      );
    }
    return (
      <>
        <section className="card pad no-print" aria-label={t('compare.question')}>
          <EventChoice label={t('compare.events')} events={[...chosen]} names={options} most={mostEvents} onChange={(next) => set({ events: next.length === 0 ? '' : JSON.stringify(next) })} />
          {chosen.length === 0 && (
            <Text size="sm" c="dimmed" mt="xs">
              {t('compare.eventsHint', { count: mostEvents })}
            </Text>
          )}
        </section>
        {keys.length === 0 ? (
          <div className="card">
            <Notice title={t('events.noneInPeriod')} text={t('compare.eventsNone')} action={<ZoomBack />} />
          </div>
        ) : (
          <Compared app={app} keys={keys} list={list} nameOf={names.nameOf} />
        )}
      </>
    );
  };
  return (
    <TimePage app={app} title={t('nav.compareEvents')} lead={t('compare.eventsLead')}>
      <FilterBar app={app} events={keys} />
      {body()}
    </TimePage>
  );
}

interface Props {
  app: App;
  keys: readonly string[];
  list: EventList;
  nameOf: (key: string) => string;
}

/** A line and a row for each event. */
function Compared({ app, keys, list, nameOf }: Props): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const says = useAgainst();
  const written = useChangeText();
  const [view, set] = useView();
  const { period, span, before, against } = useTime(app);
  const periodName = usePeriodText()(period);
  const step = useGranularity(span);
  const table = useTableState('');
  const sums = useQuery({ ...eventSums(app, period, against), placeholderData: keepPreviousData }).data;
  const now = useQuery({ ...eventTrends(app, keys, period, step), placeholderData: keepPreviousData });
  const measure = parseEventMeasure(view.figure);
  const name = t(`compare.measure.${measure}`);
  const courses = useMemo(() => keys.map((key) => now.data?.[key] ?? []), [keys, now.data]);
  const named = useMemo(() => steps(courses.find((c) => c.length > 0) ?? [], locale, span), [courses, locale, span]);
  const { marks, act, below } = usePinned(app, named);
  if (now.error !== null && now.data === undefined) return <Failed error={now.error} retry={() => void now.refetch()} />;
  if (now.data === undefined) return <Coming height={360} />;
  const present = presentOf(named.map((s) => s.row), app.timezone);
  const shares = courses.map((course) => amountOf(course));
  const value = (i: number, at: number) => stepValue(measure, courses[i]?.[at], shares[i]);
  const known = new Set(list.list ?? []);
  const rows = keys.map((key, i): Compare => rowOf(key, nameOf(key), courses[i] ?? [], sums));
  const spec: SeriesSpec = {
    kind: 'series',
    steps: named,
    continuous: measure !== 'c',
    seconds: measure === 'dur',
    present,
    marks,
    format: (n) => write(measure, n, format),
    formatTick: (n) => writeShort(measure, n, format),
    series: keys.map((key, i) => ({ name: nameOf(key), values: named.map((_, at) => value(i, at)), ...colorsOf(i) })),
  };
  const place = new Map(named.map((s, at) => [s, at]));
  type At = Step<EventRow>;
  const columns: Column<At>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row._id, text: (s) => s.label, sortable: false },
    ...keys.map((key, i): Column<At> => {
      const of = (s: At) => value(i, place.get(s) ?? -1);
      return { key: `e-${key}`, title: nameOf(key), numeric: true, ...formOf(measure), value: (s) => of(s) ?? '', text: (s) => write(measure, of(s), format) };
    }),
  ];
  const change = (r: Compare) => changeOf(r.now, r.was, format);
  const all: Column<Compare>[] = [
    {
      key: 'name',
      title: t('events.event'),
      fixed: true,
      value: (r) => r.name,
      text: (r) => r.name,
      cell: (r) => (
        <Group gap="sm" wrap="nowrap">
          {known.has(r.key) ? (
            <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/events/$key" params={{ appId: app._id, key: r.key }} search={carried(view)} />}>
              {r.name}
            </Anchor>
          ) : (
            r.name
          )}
        </Group>
      ),
    },
    ...eventMeasures.map((m): Column<Compare> => ({ key: m, title: t(`compare.measure.${m}`), numeric: true, ...formOf(m), value: (r) => valueOf(m, r) ?? '', text: (r) => (notSent(m, r) ? '–' : write(m, valueOf(m, r), format)) })).filter((c) => c.key !== 'course'),
    ...(before === undefined || sums === undefined
      ? []
      : [
          { key: 'was', title: t('events.before'), numeric: true, value: (r: Compare) => r.was, text: (r: Compare) => format.count(r.was) },
          {
            key: 'change',
            title: t('metric.change'),
            note: says(sums).text,
            numeric: true,
            form: 'share' as const,
            value: (r: Compare) => change(r)?.share ?? 0,
            text: (r: Compare) => written(change(r)),
            cell: (r: Compare) => <ChangeMark change={change(r)} />,
          },
        ]),
  ];
  return (
    <>
      <SegmentedControl
        className="no-print compare-measures"
        size="xs"
        aria-label={t('metric.measure')}
        value={measure}
        onChange={(figure) => set({ figure: figure === 'c' ? '' : figure })}
        data={drawableMeasures.map((m) => ({ value: m, label: t(`compare.measure.${m}`) }))}
      />
      <ChartCard
        title={t('compare.eventsChart', { metric: name })}
        about={`${keys.map(nameOf).join(', ')}, ${periodName}`}
        spec={spec}
        columns={columns}
        rows={present === undefined ? named : named.slice(0, present + 1)}
        file={fileNamed([app.name, t('nav.compareEvents'), name], span)}
        as={view.as}
        onAs={(as) => set({ as })}
        act={act}
        actions={
          <>
            <GranularityChoice span={span} what={name} />
            <AboutFigures app={app} what={name} terms={['count', 'sum', 'duration']} path="/o/analytics/events" params={{ events: [...keys] }} events={keys} at={now.dataUpdatedAt} />
          </>
        }
      >
        {measure === 'course' && (
          <Text size="sm" mt="xs">
            {t('compare.courseHint')}
          </Text>
        )}
        {below}
      </ChartCard>
      <Box className="card" p="md">
        <DataTable caption={`${t('nav.compareEvents')}, ${periodName}`} columns={all} rows={rows} file={fileNamed([app.name, t('nav.compareEvents')], span)} empty={t('app.nothingFound')} {...table} />
      </Box>
    </>
  );
}

/** The figures that a chart shows. */
const drawableMeasures: readonly EventMeasure[] = ['c', 's', 'average', 'dur', 'course'];
