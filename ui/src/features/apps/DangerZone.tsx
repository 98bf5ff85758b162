import { Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmTyped } from '../../components/ConfirmTyped';
import { Section } from '../../components/Section';
import { toasts } from '../../components/toasts';
import type { App } from '../../access/apps';
import { useDeleteApp, useResetApp } from './changes';

/** What cannot be undone. */
export function DangerZone({ app }: { app: App }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const reset = useResetApp(app._id);
  const remove = useDeleteApp(app._id);
  const [asking, setAsking] = useState<'reset' | 'delete'>();
  return (
    <Section title={t('danger.title')} danger>
      {(['reset', 'delete'] as const).map((what) => (
        <Group key={what} justify="space-between" gap="sm">
          <div className="grow">
            <Text fw={600} size="sm">
              {t(`danger.${what}`)}
            </Text>
            <Text size="sm" c="dimmed">
              {t(`danger.${what}Hint`)}
            </Text>
          </div>
          <Button color="red" variant="outline" onClick={() => setAsking(what)}>
            {t(`danger.${what}Button`)}
          </Button>
        </Group>
      ))}
      {asking === 'reset' && (
        <ConfirmTyped
          title={t('danger.reset')}
          text={t('danger.resetHint')}
          word={app.name}
          button={t('danger.resetButton')}
          pending={reset.isPending}
          error={reset.error}
          onClose={() => setAsking(undefined)}
          onConfirm={() =>
            reset.mutate(undefined, {
              onSuccess: () => {
                toasts.show(t('danger.resetDone', { app: app.name }));
                setAsking(undefined);
              },
            })
          }
        />
      )}
      {asking === 'delete' && (
        <ConfirmTyped
          title={t('danger.delete')}
          text={t('danger.deleteHint')}
          word={app.name}
          button={t('danger.deleteButton')}
          pending={remove.isPending}
          error={remove.error}
          onClose={() => setAsking(undefined)}
          onConfirm={() =>
            remove.mutate(undefined, {
              onSuccess: () => {
                toasts.show(t('danger.deleteDone', { app: app.name }));
                void navigate({ to: '/' });
              },
            })
          }
        />
      )}
    </Section>
  );
}
