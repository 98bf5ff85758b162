import { Anchor, Box, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PickButton } from '../../components/filter/PickButton';
import { TimePage } from '../../components/Page';
import { useModules } from '../../access/useModules';
import { Failed, Loading } from '../../components/States';
import { pageOf } from '../../components/table/listing';
import { useFormat } from '../../i18n';
import { useFiltered, useTime, useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import { eventList, eventSums } from '../../parts/events/api';
import { nameOfEvent, sumOf } from '../../parts/events/figures';
import type { Dimension } from '../../parts/metrics/definitions';
import { LiveCard } from '../live/LiveCard';
import { usePickValue, useValues } from '../../parts/metrics/useValues';
import { viewList, viewTotals } from '../../parts/views/api';
import { nameOfView } from '../../parts/views/figures';
import type { Metric } from '../../parts/figures/figures';
import { TrendPart } from '../../parts/cards/TrendPart';

const shown: readonly [Metric, ...Metric[]] = ['sessions', 'users', 'newUsers', 'time', 'averageTime'];
const topLength = 5;

/** Sessions, users and time of an app, and where they come from. */
export function OverviewPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  return (
    <TimePage app={app} title={t('nav.overview')}>
      <FilterBar app={app} events={noEvents} />
      {app.filter === undefined && <LiveCard app={app} />}
      <TrendPart app={app} of={shown} />
      <Tops app={app} />
    </TimePage>
  );
}

const tops = {
  platforms: '/technology',
  app_versions: '/versions',
  countries: '/countries',
  sources: '/sources',
} as const satisfies Partial<Record<Dimension, string>>;
type Top = keyof typeof tops;

/** The values with most sessions, the most frequent events and the most visited views, each with the way to all of them. */
function Tops({ app }: { app: App }) {
  const member = useQuery(me).data;
  const modules = useModules();
  const views = member !== undefined && modules?.includes('views') === true && may(member, app._id, 'views', 'r');
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, xl: 3 }} spacing="md">
      {(Object.keys(tops) as Top[]).map((dimension) => (
        <TopValues key={dimension} app={app} dimension={dimension} />
      ))}
      <TopEvents app={app} />
      {views && <TopViews app={app} />}
    </SimpleGrid>
  );
}

function TopValues({ app, dimension }: { app: App; dimension: Top }) {
  const { t } = useTranslation();
  const { values, error, retry } = useValues(app, dimension);
  const title = t(`dimension.${dimension}`);
  const rows = values?.slice(0, topLength).map((v) => ({ id: v._id, name: v.name, value: v.t, share: v.share }));
  const pick = usePickValue(dimension);
  return <TopCard pick={(_id) => pick({ _id })} title={title} label={t('overview.bySessions', { what: title })} to={`/apps/${app._id}${tops[dimension]}`} rows={rows} error={error} retry={retry} />;
}

function TopEvents({ app }: { app: App }) {
  const { t } = useTranslation();
  const { period, against } = useTime(app);
  const list = useQuery(eventList(app._id)).data;
  const { data, error, refetch } = useQuery({ ...eventSums(app, period, against), placeholderData: keepPreviousData });
  const all = Object.values(data?.total ?? {});
  const sum = sumOf(all, 'c');
  const rows = all
    .sort((a, b) => b.c - a.c)
    .slice(0, topLength)
    .map((e) => ({ id: e._id, name: nameOfEvent(e._id, list), value: e.c, share: e.c / sum }));
  return (
    <TopCard title={t('nav.events')} label={t('overview.byCount', { what: t('nav.events') })} to={`/apps/${app._id}/events`} rows={data && rows} error={error} retry={() => void refetch()} />
  );
}

function TopViews({ app }: { app: App }) {
  const { t } = useTranslation();
  const { period } = useTime(app);
  const list = viewList(app, period, { segment: '', value: '' });
  const { data, error, refetch } = useQuery(pageOf(list, { search: '', sort: { key: 't', desc: true }, page: 1, size: topLength }));
  const total = useQuery({ ...viewTotals(app, period, { segment: '', value: '' }), placeholderData: keepPreviousData }).data;
  const rows = data?.aaData.map((v) => ({ id: v._id, name: nameOfView(v), value: v.t, share: total === undefined || total.t === 0 ? 0 : v.t / total.t }));
  return (
    <TopCard title={t('nav.views')} label={t('overview.byVisits', { what: t('nav.views') })} to={`/apps/${app._id}/views`} rows={total && rows} error={error} retry={() => void refetch()} />
  );
}

interface TopProps {
  title: string;
  /** What the list is ordered by. */
  label: string;
  to: string;
  rows: readonly { id: string; name: string; value: number; share: number }[] | undefined;
  error: unknown;
  retry: () => void;
  /** Filters the page by a row. */
  pick?: (id: string) => void;
}

function TopCard({ title, label, to, rows, error, retry, pick }: TopProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  if (error !== null && rows === undefined) return <Failed error={error} retry={retry} />;
  return (
    <Box className="card" p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to={to} search={carried(view)} aria-label={t('overview.all', { what: title })}>
              {t('overview.more')}
            </Link>
          )}
        />
      </Group>
      {rows === undefined ? (
        <div className="coming top-coming">
          <Loading />
        </div>
      ) : rows.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t('table.empty')}
        </Text>
      ) : (
        <ol className="top" aria-label={label}>
          {rows.map((v) => (
            <li key={v.id}>
              <span className="top-bar" style={{ inlineSize: `${v.share * 100}%` }} aria-hidden />
              <span className="top-name" title={v.name}>
                <PickButton name={v.name} onPick={pick && (() => pick(v.id))} />
              </span>
              <span className="numbers">{format.short(v.value)}</span>
              <span className="numbers top-share">{format.share(v.share)}</span>
            </li>
          ))}
        </ol>
      )}
    </Box>
  );
}
