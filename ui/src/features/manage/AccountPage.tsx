import { Button, Group, PasswordInput, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyField } from '../../components/CopyBlock';
import { Page } from '../../components/Page';
import { LanguageChoice, ThemeChoice } from '../../components/shell/Account';
import { ErrorNote, Failed, Loading } from '../../components/States';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { me, useChangeAccount, type Me } from '../account/api';

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
    <Stack gap="md" maw={760}>
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
      {member.global_admin && <Password member={member} />}
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

function Password({ member }: { member: Me }) {
  const { t } = useTranslation();
  const change = useChangeAccount(member);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const differ = again !== '' && again !== password;
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    if (password === '' || again !== password) return;
    change.mutate(
      { password },
      {
        onSuccess: () => {
          toasts.show(t('account.passwordChanged'));
          setPassword('');
          setAgain('');
        },
      },
    );
  };
  const toggle = { 'aria-label': t('members.showPassword') };
  return (
    <Stack className="card" p="lg" gap="md" component="section" aria-label={t('account.password')}>
      <Title order={2} size="h4">
        {t('account.password')}
      </Title>
      <form onSubmit={submit}>
        <Stack gap="md">
          {change.isError && <ErrorNote error={change.error} />}
          <Text size="sm" c="dimmed">
            {t('members.passwordRule')}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <PasswordInput
              label={t('members.newPassword')}
              autoComplete="new-password"
              visibilityToggleButtonProps={toggle}
              value={password}
              onChange={(e) => setPassword(e.currentTarget.value)}
            />
            <PasswordInput
              label={t('account.again')}
              autoComplete="new-password"
              visibilityToggleButtonProps={toggle}
              value={again}
              error={differ ? t('account.differ') : undefined}
              onChange={(e) => setAgain(e.currentTarget.value)}
            />
          </SimpleGrid>
          <Group>
            <Button type="submit" disabled={password === '' || password !== again} loading={change.isPending}>
              {t('account.passwordChange')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
