import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Live } from './useLive';
import { messageOf } from '../../api/client';

/** Says whether what is shown is of now. */
export function LiveStatus({ live: { state, retry } }: { live: Live }) {
  const { t } = useTranslation();
  const text = { connecting: t('live.connecting'), open: t('live.open'), waiting: t('live.waiting'), over: t('live.over') }[state.is];
  return (
    <Group gap="xs" wrap="nowrap">
      <Group gap={6} wrap="nowrap" role="status" title={state.is === 'over' ? messageOf(state.error) : undefined}>
        <span className="dot" data-on={state.is === 'open'} data-over={state.is === 'over'} aria-hidden />
        <Text size="sm" fw={500}>
          {text}
        </Text>
      </Group>
      {state.is === 'over' && (
        <Button size="compact-xs" variant="default" onClick={retry}>
          {t('state.retry')}
        </Button>
      )}
    </Group>
  );
}
