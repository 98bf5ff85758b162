import { Anchor, Box, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TimePage } from '../../components/Page';
import { Failed, Loading } from '../../components/States';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import type { App } from '../apps/api';
import type { Dimension } from '../metrics/definitions';
import { LiveCard } from '../live/LiveCard';
import { useValues } from '../metrics/useValues';
import type { Metric } from './figures';
import { TrendPart } from './TrendPart';

const shown: readonly [Metric, ...Metric[]] = ['sessions', 'users', 'newUsers', 'time', 'averageTime'];
const topLength = 5;

/** Sessions, users and time of an app, and where they come from. */
export function OverviewPage({ app }: { app: App }) {
  const { t } = useTranslation();
  return (
    <TimePage app={app} title={t('nav.overview')}>
      <LiveCard app={app} />
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

/** The values with most sessions, each with the way to all of them. */
function Tops({ app }: { app: App }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, xl: 4 }} spacing="md">
      {(Object.keys(tops) as Top[]).map((dimension) => (
        <TopCard key={dimension} app={app} dimension={dimension} />
      ))}
    </SimpleGrid>
  );
}

function TopCard({ app, dimension }: { app: App; dimension: Top }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  const { values, error, retry } = useValues(app, dimension);
  const title = t(`dimension.${dimension}`);
  if (error !== null && values === undefined) return <Failed error={error} retry={retry} />;
  return (
    <Box className="card" p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to={`/apps/${app._id}${tops[dimension]}`} search={carried(view)} aria-label={t('overview.all', { what: title })}>
              {t('overview.more')}
            </Link>
          )}
        />
      </Group>
      {values === undefined ? (
        <div className="coming top-coming">
          <Loading />
        </div>
      ) : values.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t('table.empty')}
        </Text>
      ) : (
        <ol className="top" aria-label={t('overview.bySessions', { what: title })}>
          {values.slice(0, topLength).map((v) => (
            <li key={v._id}>
              <span className="top-bar" style={{ inlineSize: `${v.share * 100}%` }} aria-hidden />
              <span className="top-name" title={v.name}>
                <bdi>{v.name}</bdi>
              </span>
              <span className="numbers">{format.short(v.t)}</span>
              <span className="numbers top-share">{format.share(v.share)}</span>
            </li>
          ))}
        </ol>
      )}
    </Box>
  );
}
