import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { CopyBlock, CopyField } from '../../components/CopyBlock';
import { ErrorNote } from '../../components/ErrorNote';
import { Form } from '../../components/form/Form';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import { Status } from '../../components/Status';
import { toasts } from '../../components/toasts';
import { jira, useLogIn, useLogOut, useSaveJira, type Jira } from './api';

/** The login of the server at Jira, by OAuth 1.0a. */
export function JiraPage(): ReactNode {
  const { t } = useTranslation();
  const kept = useQuery(jira);
  return (
    <Page title={t('trackers.jira.title')} lead={t('trackers.jira.lead')}>
      <Answer query={kept}>{(now) => <Steps key={now.address + now.consumer_key} kept={now} />}</Answer>
    </Page>
  );
}

function Steps({ kept }: { kept: Jira }) {
  const { t } = useTranslation();
  const [address, setAddress] = useState(kept.address);
  const [consumer, setConsumer] = useState(kept.consumer_key === '' ? 'quipu' : kept.consumer_key);
  const save = useSaveJira();
  const logIn = useLogIn();
  const logOut = useLogOut();
  const failed = logIn.error ?? logOut.error;
  return (
    <Stack gap="md" maw={760}>
      <Section title={t('trackers.jira.site')}>
        <Form
          pending={save.isPending}
          error={save.error}
          ready={address.trim() !== '' && consumer.trim() !== ''}
          onSubmit={() => save.mutate({ address, consumer_key: consumer }, { onSuccess: () => toasts.show(t('trackers.saved')) })}
        >
          <TextInput label={t('trackers.address')} type="url" required value={address} onChange={(e) => setAddress(e.currentTarget.value)} />
          <TextInput label={t('trackers.jira.consumer')} description={t('trackers.jira.consumerHint')} required value={consumer} onChange={(e) => setConsumer(e.currentTarget.value)} />
        </Form>
      </Section>
      {kept.public_key !== '' && (
        <Section title={t('trackers.jira.link')} lead={t('trackers.jira.linkLead')}>
          <CopyField label={t('trackers.jira.consumer')} value={kept.consumer_key} />
          <CopyBlock label={t('trackers.jira.publicKey')} code={kept.public_key.trim()} />
        </Section>
      )}
      {kept.public_key !== '' && (
        <Section title={t('trackers.jira.login')} lead={t('trackers.jira.loginLead')}>
          {failed !== null && <ErrorNote error={failed} />}
          <Group justify="space-between">
            <Status kind={kept.logged_in ? 'good' : 'idle'}>{t(kept.logged_in ? 'trackers.jira.loggedIn' : 'trackers.jira.loggedOut')}</Status>
            <Group gap="xs">
              {kept.logged_in && (
                <Button variant="default" loading={logOut.isPending} onClick={() => logOut.mutate()}>
                  {t('trackers.jira.logOut')}
                </Button>
              )}
              <Button variant={kept.logged_in ? 'default' : 'filled'} loading={logIn.isPending} onClick={() => logIn.mutate()}>
                {t('trackers.jira.logIn')}
              </Button>
            </Group>
          </Group>
          <Text size="sm" c="dimmed">
            {t('trackers.jira.loginHint')}
          </Text>
        </Section>
      )}
    </Stack>
  );
}
