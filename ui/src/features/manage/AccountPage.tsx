import { Button, Group, PasswordInput, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../components/CopyBlock';
import { Page } from '../../components/Page';
import { LanguageChoice, ThemeChoice } from '../../components/shell/Account';
import { Section } from '../../components/Section';
import { ErrorNote, Failed, Loading } from '../../components/States';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { me, useChangeAccount, useChangePassword, type Me } from '../account/api';
import { Sessions } from './Sessions';

/** One's own account. */
export function AccountPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(me);
  return (
    <Page title={t('nav.account')}>
      {error !== null && data === undefined ? <Failed error={error} retry={() => void refetch()} /> : data === undefined ? <Loading /> : <Content member={data} />}
    </Page>
  );
}

function Content({ member }: { member: Me }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [shown, setShown] = useState(false);
  return (
    <Stack gap="md" maw={860}>
      <Stack className="card" p="lg" gap="md" component="section" aria-label={t('account.person')}>
        <Title order={2} size="h4">
          {t('account.person')}
        </Title>
        {member.global_admin ? (
          <Person member={member} />
        ) : (
          <>
            <dl className="fields">
              {([['members.fullName', member.full_name], ['members.username', member.username], ['members.email', member.email]] as const).map(([name, value]) => (
                <div key={name}>
                  <dt>{t(name)}</dt>
                  <dd className="breakable">{value}</dd>
                </div>
              ))}
            </dl>
            <Text size="sm" c="dimmed">
              {t('account.ask')}
            </Text>
          </>
        )}
        <Text size="sm" c="dimmed">
          {t('account.since', { created: format.moment(member.created_at * 1000), login: format.moment(member.last_login * 1000) })}
        </Text>
      </Stack>
      <Password />
      <Sessions />
      <Stack className="card" p="lg" gap="md" component="section" aria-label={t('account.looks')}>
        <Title order={2} size="h4">
          {t('account.looks')}
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <ThemeChoice />
          <LanguageChoice />
        </SimpleGrid>
      </Stack>
      {member.api_key !== undefined && (
        <Stack className="card" p="lg" gap="md" component="section" aria-label={t('account.key')}>
          <Title order={2} size="h4">
            {t('account.key')}
          </Title>
          {shown ? (
            <CopyField label={t('account.key')} hint={t('account.keyHint')} value={member.api_key} />
          ) : (
            <Group justify="space-between">
              <Text size="sm" c="dimmed" className="grow">
                {t('account.keyHint')}
              </Text>
              <Button variant="default" onClick={() => setShown(true)}>
                {t('account.keyShow')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Stack>
  );
}

function Person({ member }: { member: Me }) {
  const { t } = useTranslation();
  const change = useChangeAccount(member);
  const [text, setText] = useState({ full_name: member.full_name, username: member.username, email: member.email });
  const field = (key: keyof typeof text) => ({
    required: true,
    value: text[key],
    onChange: (e: { currentTarget: { value: string } }) => setText({ ...text, [key]: e.currentTarget.value }),
  });
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    change.mutate(text, { onSuccess: () => toasts.show(t('app.saved')) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {change.isError && <ErrorNote error={change.error} />}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t('members.fullName')} autoComplete="name" {...field('full_name')} />
          <TextInput label={t('members.username')} autoComplete="username" {...field('username')} />
          <TextInput label={t('members.email')} type="email" autoComplete="email" {...field('email')} />
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={change.isPending}>
            {t('app.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Password() {
  const { t } = useTranslation();
  const change = useChangePassword();
  const [present, setPresent] = useState('');
  const [wanted, setWanted] = useState('');
  const [again, setAgain] = useState('');
  const differ = again !== '' && again !== wanted;
  const ready = present !== '' && wanted !== '' && wanted === again;
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    if (!ready) return;
    change.mutate(
      { present, wanted },
      {
        onSuccess: () => {
          toasts.show(t('account.passwordChanged'));
          setPresent('');
          setWanted('');
          setAgain('');
        },
      },
    );
  };
  const field = (value: string, set: (text: string) => void, autoComplete: string) => ({
    autoComplete,
    visibilityToggleButtonProps: { 'aria-label': t('members.showPassword') },
    value,
    onChange: (e: { currentTarget: { value: string } }) => set(e.currentTarget.value),
  });
  return (
    <Section title={t('account.password')} lead={t('members.passwordRule')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {change.isError && <ErrorNote error={change.error} />}
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <PasswordInput label={t('sessions.present')} {...field(present, setPresent, 'current-password')} />
            <PasswordInput label={t('members.newPassword')} {...field(wanted, setWanted, 'new-password')} />
            <PasswordInput label={t('account.again')} error={differ ? t('account.differ') : undefined} {...field(again, setAgain, 'new-password')} />
          </SimpleGrid>
          <Group>
            <Button type="submit" disabled={!ready} loading={change.isPending}>
              {t('account.passwordChange')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
