import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { serverWatch, useReach } from '../lib/reach';

// To the second, as tries are seconds apart; in the reader's own zone.
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The one banner: that the server is away and when it is asked again, else that it has another version. */
export function Banner() {
  const { t } = useTranslation();
  const { next, newer } = useReach();
  return (
    <div role="status" aria-live="polite" className="no-print">
      {(next !== undefined || newer) && (
        <Group className="card banner" gap="sm" p="sm" wrap="nowrap" justify="space-between">
          <Text size="sm">{next === undefined ? t('reach.newer') : t('reach.away', { time: clock.format(next) })}</Text>
          {next === undefined ? (
            <Button size="xs" variant="light" onClick={() => window.location.reload()}>
              {t('reach.reload')}
            </Button>
          ) : (
            <Button size="xs" variant="light" onClick={() => void serverWatch.retry()}>
              {t('reach.retry')}
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}
