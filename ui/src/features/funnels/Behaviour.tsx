import { Button, Select, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ChartCard } from '../../components/chart/ChartCard';
import { Definition } from '../../components/Definition';
import type { Field } from '../../components/filter/field';
import { GoesOn } from '../../components/GoesOn';
import { Coming, Failed, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { viewKey } from '../../lib/segments';
import { useOnly, useTime, useView } from '../../lib/useView';
import { useEventNames } from '../../parts/events/useEventNames';
import { drivers, instead, paramsOf, type Asked, type Driver, type Instead, type Single } from './api';
import { chance, level, pathsToTest, pointsOf, worst, type StepRow } from './figures';
import { Spans, type SpanRow } from './Spans';

interface Props {
  app: App;
  funnel: Single;
  asked: Asked;
  rows: readonly StepRow[];
  /** What the steps are called. */
  names: readonly string[];
  fields: readonly Field[];
}

/** What is known by that name: a view, a group of crashes, or an event. */
function useHappened(app: App): (event: string, name: string | undefined) => string {
  const { t } = useTranslation();
  const { nameOf } = useEventNames(app._id);
  return (event, name) => {
    if (name === undefined) return nameOf(event);
    return event === viewKey ? t('funnels.view', { name }) : t('funnels.crash', { name });
  };
}

/** What those did next who dropped off before a step. */
export function InsteadCard({ app, funnel, asked, rows, names }: Props): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { span } = useTime(app);
  const [only, choose] = useOnly();
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const [task, setTask] = useState<string>();
  const called = useHappened(app);
  const lossy = rows.filter((r) => r.from !== undefined && r.dropped > 0);
  const row = lossy.find((r) => String(r.no) === only.lost) ?? worst(lossy);
  const from = row?.from ?? 1;
  const query = useQuery({ ...instead(app, funnel._id, asked, from - 1, (row?.no ?? 2) - 1, setTask), enabled: row !== undefined, placeholderData: keepPreviousData });
  const { data, error, refetch } = query;
  if (row === undefined) return null;
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return task === undefined ? <Coming height={320} /> : <GoesOn task={task} />;
  type Next = Instead['events'][number];
  const name = (e: Next) => called(e.event, e.name);
  const shown = data.events.filter((e) => e.next > 0).slice(0, 8);
  const bars = [...shown.map((e) => ({ name: name(e), value: e.next })), ...(data.nothing > 0 ? [{ name: t('funnels.nothingMore'), value: data.nothing }] : [])];
  const columns: Column<Next>[] = [
    { key: 'event', title: t('funnels.event'), fixed: true, value: name, text: name },
    { key: 'next', title: t('funnels.next'), numeric: true, value: (e) => e.next, text: (e) => format.count(e.next) },
    { key: 'users', title: t('funnels.anyTime'), numeric: true, value: (e) => e.users, text: (e) => format.count(e.users) },
  ];
  const title = t('funnels.insteadTitle');
  return (
    <ChartCard
      told
      title={title}
      about={t('funnels.insteadAbout', { from: names[from - 1], to: names[row.no - 1] })}
      spec={{ kind: 'bars', name: t('metric.users'), rows: bars, format: format.count, formatTick: format.short }}
      columns={columns}
      rows={data.events}
      file={fileNamed([t('nav.funnels'), funnel.name, title], span)}
      as={as}
      onAs={setAs}
      actions={
        <>
          {lossy.length > 1 && (
            <Select
              size="xs"
              aria-label={t('funnels.lostWhere')}
              allowDeselect={false}
              value={String(row.no)}
              data={lossy.map((r) => ({ value: String(r.no), label: t('funnels.lostBetween', { from: names[(r.from ?? 1) - 1], to: names[r.no - 1] }) }))}
              onChange={(no) => choose('lost', no ?? '')}
            />
          )}
          <Definition
            what={title}
            path="/o"
            params={{ ...paramsOf(app, funnel._id, { period: asked.period, filter: asked.filter, by: '', at: '' }), instead: `${from - 1}|${row.no - 1}` }}
            fields={[
              [t('funnels.def.counts'), t('funnels.def.insteadText')],
              [t('funnels.def.exact'), t('funnels.def.exactText')],
            ]}
          />
        </>
      }
    >
      <Text size="sm" mt="xs">
        {t('funnels.insteadSummary', { count: data.users, number: format.count(data.users), nothing: format.count(data.nothing), from: names[from - 1], to: names[row.no - 1] })}
      </Text>
    </ChartCard>
  );
}

/** What separates those who convert from those who do not; it is looked for when asked for. */
export function DriversCard({ app, funnel, asked, names, fields }: Props): ReactNode {
  const { t } = useTranslation();
  const [view, set] = useView();
  const title = t('funnels.driversTitle');
  const open = view.open === 'drivers';
  return (
    <section className="card pad" aria-label={title}>
      <div className="chart-head">
        <Title order={2} size="h4">
          {title}
        </Title>
      </div>
      {open ? (
        <Found app={app} funnel={funnel} asked={asked} names={names} fields={fields} />
      ) : (
        <>
          <Text size="sm" mb="sm">
            {t('funnels.driversLead')}
          </Text>
          <Button variant="default" onClick={() => set({ open: 'drivers' })}>
            {t('funnels.driversFind')}
          </Button>
        </>
      )}
    </section>
  );
}

function Found({ app, funnel, asked, names, fields }: Omit<Props, 'rows'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const called = useHappened(app);
  const [task, setTask] = useState<string>();
  const paths = pathsToTest(fields.filter((f) => f.hidden !== true).map((f) => f.path));
  const { data, error, refetch } = useQuery({ ...drivers(app, funnel._id, asked, paths, setTask), placeholderData: keepPreviousData });
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return task === undefined ? <Coming height={240} /> : <GoesOn task={task} />;
  const nameOf = (d: Driver) => {
    if (d.kind === 'event') return t('funnels.didBefore', { event: called(d.event ?? '', d.name) });
    const field = fields.find((f) => f.path === d.path);
    const value = d.value === undefined || d.value === null ? t('funnels.absent') : typeof d.value === 'string' ? (field?.decode(d.value) ?? d.value) : JSON.stringify(d.value);
    return `${field?.name ?? d.path ?? ''}: ${value}`;
  };
  const points = (n: number) => pointsOf(n, locale);
  const odds = (n: number) => new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }).format(n);
  const spans = data.drivers.map((d): SpanRow => ({
    key: `${d.kind} ${d.path ?? ''} ${d.event ?? ''} ${d.name ?? ''} ${JSON.stringify(d.value)}`,
    name: nameOf(d),
    under: t('funnels.driverUnder', { count: d.users, number: format.count(d.users), share: format.percent(d.percent / 100), others: format.percent(d.otherPercent / 100) }),
    value: d.difference,
    low: d.differenceLow,
    high: d.differenceHigh,
    text: t('funnels.driverText', { points: points(d.difference), low: points(d.differenceLow), high: points(d.differenceHigh) }),
    note: t('funnels.driverNote', { odds: odds(d.odds), low: odds(d.oddsLow), high: odds(d.oddsHigh), p: chance(d.adjusted, locale) }),
    tone: d.adjusted >= level ? 'none' : d.difference > 0 ? 'up' : 'down',
  }));
  if (spans.length === 0) return <Notice title={t('funnels.driversNone')} text={t('funnels.driversNoneHint')} />;
  const far = Math.max(...spans.flatMap((s) => [Math.abs(s.low), Math.abs(s.high)]));
  const sure = data.drivers.filter((d) => d.adjusted < level).length;
  return (
    <>
      <Text size="sm" mb="sm">
        {t('funnels.driversSummary', { count: sure, number: format.count(sure), tested: format.count(data.tested), from: names[0], to: names.at(-1) })}
        {data.sample !== undefined && ` ${t('funnels.driversSample', { count: data.sample })}`}
      </Text>
      <Spans label={title(t('funnels.driversTitle'), funnel.name)} rows={spans} from={-far} to={far} mark={0} />
      <Text size="xs" c="dimmed">
        {t('funnels.driversHint', { back: format.duration(data.back) })}
      </Text>
    </>
  );
}

const title = (what: string, of: string) => `${what}, ${of}`;
