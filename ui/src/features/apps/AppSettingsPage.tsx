import { Button, Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyBlock, CopyField } from '../../components/CopyBlock';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import { toasts } from '../../components/toasts';
import { me } from '../../access/me';
import { administers, may } from '../../access/rights';
import { serverAddress } from '../../lib/base';
import { useLive } from '../live/useLive';
import type { App } from '../../access/apps';
import { hasData } from '../../parts/apps/api';
import { useChangeApp } from './changes';
import { AppForm } from './AppForm';
import { DangerZone } from './DangerZone';
import { snippets, type Snippet } from './snippets';
import { lazily } from '../../components/lazily';

const AppConfigs = lazily(async () => (await import('../settings/AppConfigs')).AppConfigs);
const DemoData = lazily(async () => (await import('../../parts/demo/DemoData')).default);

/** The app's key and code that sends data with it; for its administrators, everything that can be changed. */
export function AppSettingsPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const admin = member !== undefined && administers(member, app._id);
  return (
    <Page title={app.name} lead={t('settings.title')}>
      <Stack gap="md" maw={860}>
        <Connect app={app} admin={admin} />
        <Section title={t('settings.identity')}>
          <CopyField label={t('settings.appKey')} hint={t('settings.appKeyHint')} value={app.key} />
          <CopyField label={t('settings.appId')} hint={t('settings.appIdHint')} value={app._id} />
        </Section>
        {admin && <Edit app={app} />}
        {member !== undefined && may(member, app._id, 'populator', 'r') && <Demo app={app} />}
        {admin && <AppConfigs app={app} />}
        {member?.global_admin === true && <DangerZone app={app} />}
      </Stack>
    </Page>
  );
}

function Connect({ app, admin }: { app: App; admin: boolean }) {
  const { t } = useTranslation();
  const list = snippets(serverAddress(), app.key);
  const titles = [...new Set(list.map((s) => s.title))];
  const first = app.type === 'mobile' ? 'Android' : 'Web';
  return (
    <Section title={t('settings.snippets')} lead={t('settings.snippetsLead')} actions={admin && <Arrival app={app} />}>
      <Tabs defaultValue={first} keepMounted={false}>
        <Tabs.List mb="md" aria-label={t('settings.snippets')}>
          {titles.map((title) => (
            <Tabs.Tab key={title} value={title}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {titles.map((title) => (
          <Tabs.Panel key={title} value={title}>
            <Ways list={list.filter((s) => s.title === title)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}

/** The code for a platform; where there is more than one way, with a choice. */
function Ways({ list }: { list: readonly Snippet[] }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(list[0]?.id);
  const s = list.find(({ id }) => id === chosen) ?? list[0];
  if (s === undefined) return null;
  return (
    <Stack gap="sm">
      {list.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={t('settings.way')}
          value={s.id}
          onChange={setChosen}
          data={list.map(({ id, way }) => ({ value: id, label: t(`settings.${way ?? 'package'}`) }))}
          style={{ alignSelf: 'start' }}
        />
      )}
      {s.install !== undefined && <CopyBlock label={`${t('settings.install')}: ${s.title}`} title={s.install.where} code={s.install.code} />}
      <CopyBlock label={`${t('settings.snippet')}: ${s.title}`} title={s.use.where} code={s.use.code} />
    </Stack>
  );
}

/** Turns green as soon as the app receives something; until then, demo data may be loaded. */
function Arrival({ app }: { app: App }) {
  const { t } = useTranslation();
  const { data } = useQuery(hasData(app._id));
  if (data === undefined) return null;
  return (
    <Stack gap={6} align="flex-end">
      {!data && <Listen app={app} />}
      <Group gap="xs" role="status" wrap="nowrap">
        <span className="dot" data-on={data} aria-hidden />
        <Text size="sm" fw={500}>
          {data ? t('settings.arrived') : t('settings.waiting')}
        </Text>
      </Group>
      {data && (
        <Button component={Link} to={`/apps/${app._id}`} size="xs">
          {t('settings.toOverview')}
        </Button>
      )}
      <DemoData app={app} offered={!data} />
    </Stack>
  );
}

/** Refetches at once when the server reports a request. */
function Listen({ app }: { app: App }) {
  const queries = useQueryClient();
  useLive(app, () => void queries.invalidateQueries(hasData(app._id)));
  return null;
}

/** The way to demo data, once there is no empty page that offers it. */
function Demo({ app }: { app: App }) {
  const { t } = useTranslation();
  return (
    <Section
      title={t('nav.demo')}
      lead={t('demo.pageLead')}
      actions={
        <Button component={Link} to={`/apps/${app._id}/demo`} size="xs" variant="light">
          {t('demo.toPage')}
        </Button>
      }
    />
  );
}

function Edit({ app }: { app: App }) {
  const { t } = useTranslation();
  const change = useChangeApp(app._id);
  const [saved, setSaved] = useState(0);
  return (
    <Section title={t('settings.edit')}>
      <AppForm
        key={saved}
        app={app}
        pending={change.isPending}
        error={change.error}
        button={t('app.save')}
        onSubmit={(fields) =>
          change.mutate(fields, {
            onSuccess: () => {
              toasts.show(t('app.saved'));
              setSaved((n) => n + 1);
            },
          })
        }
      />
    </Section>
  );
}
