import { Anchor, Box, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TimePage } from '../../components/Page';
import { useFormat } from '../../i18n';
import { useTime, useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import type { App } from '../apps/api';
import { decoders } from '../metrics/definitions';
import { topMetrics, tops, type TopMetric, type TopRow } from './api';
import type { Metric } from './figures';
import { TrendPart } from './TrendPart';

const shown: readonly [Metric, ...Metric[]] = ['sessions', 'users', 'newUsers', 'time', 'averageTime'];
const topLength = 5;

/** Sessions, users and time of an app, and where they come from. */
export function OverviewPage({ app }: { app: App }) {
  const { t } = useTranslation();
  return (
    <TimePage app={app} title={t('nav.overview')}>
      <TrendPart app={app} of={shown} />
      <Tops app={app} />
    </TimePage>
  );
}

const target: Record<TopMetric, { to: string; tab: string }> = {
  platforms: { to: '/technology', tab: '' },
  app_versions: { to: '/versions', tab: '' },
  countries: { to: '/countries', tab: '' },
  sources: { to: '/sources', tab: '' },
};

function Tops({ app }: { app: App }) {
  const { period } = useTime(app);
  const { data } = useQuery({ ...tops(app, period), placeholderData: keepPreviousData });
  if (data === undefined) return null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      {topMetrics.map((metric) => (
        <TopCard key={metric} app={app} metric={metric} rows={data[metric]} />
      ))}
    </SimpleGrid>
  );
}

function TopCard({ app, metric, rows }: { app: App; metric: TopMetric; rows: TopRow[] }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  const title = t(`dimension.${metric}`);
  const decode = decoders(i18n.language)[metric];
  return (
    <Box className="card" p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to={`/apps/${app._id}${target[metric].to}`} search={carried(view)} aria-label={t('overview.all', { what: title })}>
              {t('overview.more')}
            </Link>
          )}
        />
      </Group>
      {rows.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t('table.empty')}
        </Text>
      ) : (
        <ol className="top" aria-label={t('overview.bySessions', { what: title })}>
          {rows.slice(0, topLength).map((row) => (
            <li key={row.name}>
              <span className="top-bar" style={{ inlineSize: `${row.percent}%` }} aria-hidden />
              <span className="top-name">{decode(row.name)}</span>
              <span className="numbers">{format.short(row.value)}</span>
              <span className="numbers top-share">{format.percent(row.percent / 100)}</span>
            </li>
          ))}
        </ol>
      )}
    </Box>
  );
}
