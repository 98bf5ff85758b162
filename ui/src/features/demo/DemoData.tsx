import { Button, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import type { App } from '../apps/api';
import { demoRequests } from './generate';
import { send } from './send';

/** Fills an app with the visitors of a made-up shop, so that there is something to look at. */
export default function DemoData({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queries = useQueryClient();
  const [share, setShare] = useState(0);
  const fill = useMutation({
    mutationFn: () => send(app.key, demoRequests({ now: Date.now(), days: 90, people: 300, seed: Date.now() }), setShare),
    onSuccess: () => {
      toasts.show(t('demo.done'));
      return queries.invalidateQueries();
    },
    onError: (error) => toasts.show(t('state.failed', { message: error.message }), 'failed'),
  });
  if (fill.isPending) {
    return (
      <Stack gap={4} w={180}>
        <Progress value={share * 100} aria-label={t('demo.loading')} />
        <Text size="xs" c="dimmed" ta="end">
          {format.percent(share)}
        </Text>
      </Stack>
    );
  }
  return (
    <Button size="xs" variant="light" onClick={() => fill.mutate()}>
      {t('demo.button')}
    </Button>
  );
}
