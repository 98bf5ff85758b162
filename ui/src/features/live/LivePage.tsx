import { Box, Button, Group, Text, TextInput, Title } from '@mantine/core';
import { useMemo, useReducer } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import { SampleChart } from '../../components/chart/SampleChart';
import type { SeriesSpec, Step } from '../../components/chart/spec';
import { Definition } from '../../components/Definition';
import { PauseIcon, PlayIcon, SearchIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { Coming, Loading, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { useFormat, useLocale } from '../../i18n';
import { useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { WaysOn } from '../../parts/empty/WaysOn';
import type { Minute, Tiles } from './api';
import { describer, textOf } from './describe';
import { empty, matching, next } from './feed';
import { FeedList } from './FeedList';
import { LiveStatus } from './LiveStatus';
import { LiveTiles } from './LiveTiles';
import { useAnnounced } from './useAnnounced';
import { useLive } from './useLive';

/** The height of the card of the course, in pixels. */
const chartHeight = 420;

/** What happens in an app right now: figures, and the requests as they are recorded. */
export function LivePage({ app }: { app: App }) {
  const { t } = useTranslation();
  const [feed, act] = useReducer(next, empty);
  const live = useLive(app, (part) => act({ do: 'add', part }));
  return (
    <Page title={t('nav.live')} lead={t('live.lead')} actions={<LiveStatus live={live} />}>
      <Box className="card" p="md" component="section" aria-label={t('live.title')}>
        <LiveTiles tiles={live.tiles} />
      </Box>
      {live.tiles === undefined ? <Coming height={chartHeight} /> : <Course app={app} tiles={live.tiles} />}
      <Box className="card" p="md" component="section" aria-label={t('live.feed')}>
        <FeedPart app={app} feed={feed} connecting={live.state.is === 'connecting'} toggle={() => act({ do: feed.paused ? 'resume' : 'pause' })} />
      </Box>
    </Page>
  );
}

interface MinuteStep extends Step {
  minute: Minute;
}

/** The minutes as a chart, with their table. */
function Course({ app, tiles }: { app: App; tiles: Tiles }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const [view, set] = useView();
  const steps = useMemo(() => {
    const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: app.timezone });
    const last = Math.floor(tiles.at / 60_000) * 60_000;
    return tiles.minutes.map((minute, i): MinuteStep => {
      const text = clock.format(last - (tiles.minutes.length - 1 - i) * 60_000);
      return { label: text, tick: text, minute };
    });
  }, [tiles, locale, app.timezone]);
  const figures = ['events', 'sessions', 'new_users'] as const satisfies (keyof Minute)[];
  const spec: SeriesSpec = {
    kind: 'series',
    steps,
    continuous: false,
    format: (n) => format.count(n),
    formatTick: (n) => format.short(n),
    series: figures.map((of) => ({ name: t(`live.figure.${of}`), values: steps.map((s) => s.minute[of]) })),
  };
  const columns: Column<MinuteStep>[] = [
    { key: 'minute', title: t('live.minute'), fixed: true, value: (s) => s.label, text: (s) => s.label, sortable: false },
    ...figures.map((of) => ({
      key: of,
      title: t(`live.figure.${of}`),
      numeric: true,
      value: (s: MinuteStep) => s.minute[of],
      text: (s: MinuteStep) => format.count(s.minute[of]),
    })),
  ];
  return (
    <ChartCard
      title={t('live.course')}
      about={t('live.title')}
      spec={spec}
      columns={columns}
      rows={steps}
      file={`${app.name} ${t('nav.live')}`}
      as={view.as}
      onAs={(as) => set({ as })}
      actions={
        <Definition
          what={t('live.course')}
          path="/o/live/now"
          params={{ app_id: app._id }}
          fields={[
            ...figures.map((of) => [t(`live.figure.${of}`), t(`live.def.${of}`)] as const),
            [t('live.minute'), t('live.def.minute', { zone: app.timezone })],
            [t('trends.def.exact'), t('live.def.exact')],
          ]}
        />
      }
    />
  );
}

function FeedPart({ app, feed, connecting, toggle }: { app: App; feed: ReturnType<typeof next>; connecting: boolean; toggle: () => void }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const describe = useMemo(() => describer(t, format, i18n.language), [t, format, i18n.language]);
  const all = useMemo(() => feed.shown.map((entry) => ({ entry, said: describe(entry) })), [feed.shown, describe]);
  const shown = useMemo(() => {
    const said = new Map(all.map((a) => [a.entry.id, a]));
    return matching(feed.shown, view.q, (e) => textOf(said.get(e.id)?.said ?? describe(e))).flatMap((e) => said.get(e.id) ?? []);
  }, [all, feed.shown, view.q, describe]);
  const news = useAnnounced(feed.seen);
  return (
    <>
      <Group justify="space-between" gap="sm" mb="sm">
        <div>
          <Title order={2} size="h4">
            {t('live.feed')}
          </Title>
          <Text size="sm" c="dimmed">
            {feed.paused
              ? t('live.held', { count: feed.waiting.length, number: format.count(feed.waiting.length) })
              : t('live.seen', { count: feed.seen, number: format.count(feed.seen) })}
            {feed.skipped > 0 && ` · ${t('live.skipped', { count: feed.skipped, number: format.count(feed.skipped) })}`}
          </Text>
        </div>
        <Group gap="xs" className="no-print">
          <TextInput
            type="search"
            aria-label={t('live.search')}
            placeholder={t('table.search')}
            leftSection={<SearchIcon size={16} />}
            value={view.q}
            onChange={(e) => set({ q: e.currentTarget.value })}
            w={{ base: '100%', xs: 220 }}
          />
          <Button variant="default" leftSection={feed.paused ? <PlayIcon size={16} /> : <PauseIcon size={16} />} onClick={toggle}>
            {feed.paused ? t('live.resume') : t('live.pause')}
          </Button>
        </Group>
      </Group>
      <div role="status" aria-live="polite" className="visually-hidden">
        {news > 0 && t('live.news', { count: news, number: format.count(news) })}
      </div>
      {feed.shown.length === 0 && connecting ? (
        <Loading />
      ) : feed.shown.length === 0 ? (
        <>
          <Notice title={t('live.none')} text={t('live.noneHint')} action={<WaysOn app={app} atFirst />} />
          <SampleChart
            label={t('live.course')}
            series={[
              { name: t('live.figure.events'), values: [18, 22, 19, 27, 31, 26, 34, 38, 33, 41, 37, 44] },
              { name: t('live.figure.sessions'), values: [4, 5, 4, 6, 7, 6, 8, 9, 7, 10, 9, 11] },
            ]}
          />
        </>
      ) : shown.length === 0 ? (
        <Text c="dimmed" ta="center" py="lg">
          {t('table.notFound', { q: view.q })}
        </Text>
      ) : (
        <FeedList app={app} entries={shown} />
      )}
    </>
  );
}
