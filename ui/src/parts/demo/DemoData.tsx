import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n';
import { later } from '../../components/lazily';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import type { Task } from '../tasks/api';
import type { Template } from './api';
import { useLiveLoad, useStopLoad } from './load';

// The form comes when it is wanted.
const LoadDialog = later(async () => (await import('./LoadDialog')).LoadDialog);

interface Props {
  app: App;
  /** The template to begin with; what fits the app when not said. */
  template?: Template;
  variant?: 'light' | 'default' | 'filled' | 'subtle';
  size?: 'xs' | 'sm' | 'compact-sm';
  /** Whether there is a button at all, beside how far a load is. */
  offered?: boolean;
}

/** The button that fills an app with the visitors of a made-up one, and how far that is. */
export default function DemoData({ app, template, variant = 'light', size = 'xs', offered = true }: Props) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const live = useLiveLoad(app._id);
  const [open, setOpen] = useState(false);
  if (member === undefined || !may(member, app._id, 'populator', 'c')) return null;
  if (live !== undefined) return <LoadProgress app={app} task={live} />;
  if (!offered) return null;
  return (
    <>
      <Button size={size} variant={variant} onClick={() => setOpen(true)}>
        {t('demo.button')}
      </Button>
      {open && <LoadDialog app={app} template={template} onClose={() => setOpen(false)} />}
    </>
  );
}

/** How far a load is, and the way to stop it. */
export function LoadProgress({ app, task }: { app: App; task: Task }) {
  const { t } = useTranslation();
  const format = useFormat();
  const stop = useStopLoad(app._id);
  const { done, total } = task.progress ?? { done: 0, total: 0 };
  const share = total === 0 ? 0 : done / total;
  return (
    <Stack gap={4} w={240} maw="100%">
      <Progress value={share * 100} aria-label={t('demo.loading')} />
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {`${t('demo.loading')} · ${format.percent(Math.floor(share * 100) / 100)}`}
        </Text>
        <Button size="compact-xs" variant="subtle" loading={stop.isPending} onClick={() => stop.mutate(task._id)}>
          {t('demo.stop')}
        </Button>
      </Group>
    </Stack>
  );
}
