import { Anchor, Box, Group, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { LiveStatus } from './LiveStatus';
import { LiveTiles } from './LiveTiles';
import { useLive } from './useLive';

/** What happens in an app right now, with the way to more of it. */
export function LiveCard({ app }: { app: App }) {
  const { t } = useTranslation();
  const live = useLive(app);
  const member = useQuery(me).data;
  return (
    <Box className="card no-print" p="md" component="section" aria-label={t('live.title')}>
      <Group justify="space-between" mb="xs" gap="sm">
        <Group gap="md">
          <Title order={2} size="h5">
            {t('live.title')}
          </Title>
          <LiveStatus live={live} />
        </Group>
        {member !== undefined && may(member, app._id, 'events', 'r') && (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link {...props} to="/apps/$appId/live" params={{ appId: app._id }}>
                {t('live.toFeed')}
              </Link>
            )}
          />
        )}
      </Group>
      <LiveTiles tiles={live.tiles} />
    </Box>
  );
}
