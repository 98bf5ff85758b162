import { Alert, Button, Center, Loader, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client';
import { AlertIcon, CordsIcon } from './icons';

/** Shown while something loads for the first time. */
export function Loading() {
  const { t } = useTranslation();
  return (
    <Center mih={240} role="status">
      <Loader aria-hidden />
      <span className="visually-hidden">{t('state.loading')}</span>
    </Center>
  );
}

/** Keeps the room of a card until it is there, so that nothing jumps. Height in pixels. */
export function Coming({ height }: { height: number }) {
  return (
    <div className="card coming" style={{ minHeight: height }}>
      <Loading />
    </div>
  );
}

/** Shown in place of what could not be loaded. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useTranslation();
  const message = error instanceof ApiError ? t('state.failed', { message: error.message }) : String(error);
  return (
    <Notice
      alert
      icon={<AlertIcon />}
      color="red"
      title={t('state.error')}
      text={message}
      action={retry && <Button onClick={retry}>{t('state.retry')}</Button>}
    />
  );
}

interface NoticeProps {
  title: string;
  text: string;
  icon?: ReactNode;
  color?: string;
  action?: ReactNode;
  alert?: boolean;
  /** Level of the heading: 1 when the message is the whole page. */
  level?: 1 | 2;
}

/** A centred message: what is so, why, and what to do about it. */
export function Notice({ title, text, icon = <CordsIcon />, color = 'indigo', action, alert = false, level = 2 }: NoticeProps) {
  return (
    <Center mih={280} p="md" role={alert ? 'alert' : undefined}>
      <Stack align="center" gap="sm" miw={0} maw={420} ta="center">
        <ThemeIcon variant="light" size={56} radius="xl" color={color} aria-hidden>
          {icon}
        </ThemeIcon>
        <Title order={level} size="h3">
          {title}
        </Title>
        <Text c="dimmed" className="breakable">
          {text}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}

/** Says above a form why the server refused it. */
export function ErrorNote({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" title={t('state.error')}>
      {error instanceof ApiError ? error.message : String(error)}
    </Alert>
  );
}
