import { Button, Stack, Switch, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import { ErrorNote } from '../../components/ErrorNote';
import { toasts } from '../../components/toasts';
import { useView } from '../../lib/useView';
import { me } from '../../access/me';
import { featureList, schema, serverValues, useSetConfigs, useSwitchFeature, useTestMail } from './api';
import { SettingsForm } from './SettingsForm';
import { fieldsOf } from './values';

const tabs = ['settings', 'features', 'mail'] as const;

/** What can be set and switched while the server runs. */
export function ServerSettingsPage() {
  const { t } = useTranslation();
  const [view, set] = useView();
  const tab = tabs.find((one) => one === view.tab) ?? 'settings';
  return (
    <Page title={t('nav.server')} lead={t('configs.lead')}>
      <Tabs value={tab} onChange={(next) => set({ tab: next === null || next === 'settings' ? '' : next })} keepMounted={false}>
        <Tabs.List mb="md" aria-label={t('nav.server')}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`configs.tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Stack maw={860}>
          <Tabs.Panel value="settings">
            <Settings />
          </Tabs.Panel>
          <Tabs.Panel value="features">
            <Features />
          </Tabs.Panel>
          <Tabs.Panel value="mail">
            <Mail />
          </Tabs.Panel>
        </Stack>
      </Tabs>
    </Page>
  );
}

/** The settings of the whole server. */
function Settings() {
  const { t } = useTranslation();
  const query = useQuery(schema);
  const save = useSetConfigs();
  return (
    <Answer query={query}>
      {(all) => (
        <SettingsForm
          groups={fieldsOf(all, serverValues(all), false)}
          pending={save.isPending}
          error={save.error}
          onSave={(change, done) =>
            save.mutate(change, {
              onSuccess: () => {
                toasts.show(t('app.saved'));
                done();
              },
            })
          }
        />
      )}
    </Answer>
  );
}

function Features() {
  const { t } = useTranslation();
  const query = useQuery(featureList);
  const change = useSwitchFeature();
  return (
    <Answer query={query}>
      {(list) => (
        <Section title={t('configs.tabs.features')} lead={t('configs.featuresHint')}>
          {change.isError && <ErrorNote error={change.error} />}
          {list.filter((f) => f.fixed !== true).map((f) => {
            const code = f.code as 'systemlogs';
            const title = t(`configs.features.${code}.title`, { defaultValue: f.title });
            return (
              <Switch
                key={f.code}
                label={title}
                description={t(`configs.features.${code}.text`, { defaultValue: f.description })}
                checked={f.enabled}
                disabled={change.isPending}
                onChange={(e) => {
                  const on = e.currentTarget.checked;
                  change.mutate({ [f.code]: on }, { onSuccess: () => toasts.show(t(on ? 'configs.on' : 'configs.off', { what: title })) });
                }}
              />
            );
          })}
        </Section>
      )}
    </Answer>
  );
}

function Mail() {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const test = useTestMail();
  return (
    <Section title={t('configs.tabs.mail')} lead={t('configs.mailHint')}>
      {test.isError && <ErrorNote error={t('configs.mailFailed')} />}
      {test.isSuccess && (
        <Text size="sm" role="status">
          {t('configs.mailSent', { email: member?.email ?? '' })}
        </Text>
      )}
      <div>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t('configs.mailTest', { email: member?.email ?? '' })}
        </Button>
      </div>
    </Section>
  );
}
