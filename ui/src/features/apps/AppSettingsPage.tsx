import { Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CopyBlock, CopyField } from '../../components/CopyBlock';
import { hasData, type App } from './api';
import { snippets } from './snippets';

/** The app's key, and code that sends data with it. */
export function AppSettingsPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const list = snippets(window.location.origin, app.key);
  return (
    <Stack gap="md" maw={820}>
      <div>
        <Title order={1} size="h2" className="breakable">
          {app.name}
        </Title>
        <Text c="dimmed">
          {t('settings.title')} · {app.timezone}
        </Text>
      </div>
      <Stack className="card" p="lg" gap="md" component="section" aria-label={t('settings.snippets')}>
        <Group justify="space-between" align="start" gap="sm">
          <div>
            <Title order={2} size="h4">
              {t('settings.snippets')}
            </Title>
            <Text c="dimmed" size="sm">
              {t('settings.snippetsLead')}
            </Text>
          </div>
          <Arrival app={app} />
        </Group>
        <Tabs defaultValue="web" keepMounted={false}>
          <Tabs.List mb="md">
            {list.map((s) => (
              <Tabs.Tab key={s.id} value={s.id}>
                {s.title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {list.map((s) => (
            <Tabs.Panel key={s.id} value={s.id}>
              <Stack gap="sm">
                {s.install !== undefined && <CopyBlock label={t('settings.install')} code={s.install} />}
                <CopyBlock label={`${t('settings.snippet')}: ${s.title}`} code={s.code} />
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
      <Stack className="card" p="lg" gap="lg" component="section" aria-label={t('settings.identity')}>
        <Title order={2} size="h4">
          {t('settings.identity')}
        </Title>
        <CopyField label={t('settings.appKey')} hint={t('settings.appKeyHint')} value={app.key} />
        <CopyField label={t('settings.appId')} hint={t('settings.appIdHint')} value={app._id} />
      </Stack>
    </Stack>
  );
}

/** Turns green as soon as the app receives something. Members without the right to know see nothing. */
function Arrival({ app }: { app: App }) {
  const { t } = useTranslation();
  const { data } = useQuery(hasData(app._id));
  if (data === undefined) return null;
  return (
    <Group gap="xs" role="status" wrap="nowrap">
      <span className="dot" data-on={data} aria-hidden />
      <Text size="sm" fw={500}>
        {data ? t('settings.arrived') : t('settings.waiting')}
      </Text>
    </Group>
  );
}
