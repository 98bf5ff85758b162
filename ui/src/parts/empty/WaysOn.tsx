import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { administers } from '../../access/rights';
import type { App } from '../../access/apps';
import { ZoomBack } from '../../components/chart/ZoomBack';
import { lazily } from '../../components/lazily';
import { hasData } from '../apps/api';

const DemoData = lazily(async () => (await import('../demo/DemoData')).default);

interface Props {
  app: App;
  /** Whether to say nothing where the app had data at some time. */
  atFirst?: boolean;
}

/** What to do about an app without figures: go back to the period that was zoomed in from, connect the app, or, if it never had figures, look at those of a made-up one. */
export function WaysOn({ app, atFirst = false }: Props) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const asks = member !== undefined && administers(member, app._id);
  const filled = useQuery({ ...hasData(app._id), enabled: asks }).data;
  if (atFirst && filled !== false) return <ZoomBack />;
  return (
    <Group gap="sm" justify="center">
      <ZoomBack />
      <Button component={Link} to={`/apps/${app._id}/settings`} variant="light" size="sm">
        {t('overview.connect')}
      </Button>
      {filled === false && <DemoData app={app} variant="default" size="sm" />}
    </Group>
  );
}
