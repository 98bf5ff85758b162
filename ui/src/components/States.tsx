import { Button, Center, Loader, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AnswerError, ApiError, messageOf, unanswered } from '../api/client';
import { PageTitle } from './PageTitle';
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

/** Shown in place of a part of the dashboard that could not be loaded: the server is away, or has another version by now. */
export function Unloaded({ level = 2 }: { level?: 1 | 2 }) {
  const { t } = useTranslation();
  return <Notice level={level} alert icon={<AlertIcon />} color="red" title={t('reach.unloaded')} text={t('reach.unloadedHint')} action={<Button onClick={() => window.location.reload()}>{t('reach.reload')}</Button>} />;
}

/** Shown in place of what could not be loaded. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useTranslation();
  const said = error instanceof ApiError && error.status !== unanswered && !(error instanceof AnswerError);
  const message = said ? t('state.failed', { message: messageOf(error) }) : messageOf(error);
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
        {level === 1 ? (
          <PageTitle size="h3">{title}</PageTitle>
        ) : (
          <Title order={level} size="h3">
            {title}
          </Title>
        )}
        <Text c="dimmed" className="breakable">
          {text}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}
