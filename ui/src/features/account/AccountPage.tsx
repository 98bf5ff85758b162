import { Button, Checkbox, Group, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { CopyField } from '../../components/CopyBlock';
import { Form } from '../../components/form/Form';
import { FormDialog } from '../../components/form/FormDialog';
import { useTexts } from '../../components/form/useTexts';
import { Page } from '../../components/Page';
import { FieldList, Section } from '../../components/Section';
import { LanguageChoice, ThemeChoice } from '../../components/Choices';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { me, type Me } from '../../access/me';
import { useChangeAccount, useChangePassword, useRotateKey } from './api';
import { Sessions } from './Sessions';

/** One's own account. */
export function AccountPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.account')} share={false}>
      <Answer query={useQuery(me)}>{(member) => <Content member={member} />}</Answer>
    </Page>
  );
}

function Content({ member }: { member: Me }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Stack gap="md" maw={860}>
      <Section
        title={t('account.person')}
        lead={t('account.since', { created: format.moment(member.created_at * 1000), login: format.moment(member.last_login * 1000) })}
      >
        {member.global_admin ? (
          <Person member={member} />
        ) : (
          <>
            <FieldList
              fields={[
                [t('members.fullName'), member.full_name],
                [t('members.username'), member.username],
                [t('members.email'), member.email],
              ]}
            />
            <Text size="sm" c="dimmed">
              {t('account.ask')}
            </Text>
          </>
        )}
      </Section>
      <Password />
      <Sessions />
      <Section title={t('account.looks')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <ThemeChoice />
          <LanguageChoice />
        </SimpleGrid>
      </Section>
      {member.api_key !== undefined && <Key member={member} value={member.api_key} />}
    </Stack>
  );
}

/** The key that stands for all of one's rights, shown when asked for. */
function Key({ member, value }: { member: Me; value: string }) {
  const { t } = useTranslation();
  const rotate = useRotateKey(member);
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  const done = () => {
    toasts.show(t('account.keyRotated'));
    setAsking(false);
    setShown(true);
  };
  const actions = (
    <Group gap="xs">
      {!shown && (
        <Button variant="default" onClick={() => setShown(true)}>
          {t('account.keyShow')}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('account.keyRotate')}
      </Button>
    </Group>
  );
  return (
    <Section title={t('account.key')} lead={t('account.keyHint')} actions={actions}>
      {shown && <CopyField label={t('account.key')} value={value} />}
      {asking && (
        <FormDialog
          title={t('account.keyRotate')}
          button={t('account.keyRotate')}
          danger
          pending={rotate.isPending}
          error={rotate.error}
          onSubmit={() => rotate.mutate(undefined, { onSuccess: done })}
          onClose={() => setAsking(false)}
        >
          <Text>{t('account.keyRotateHint')}</Text>
        </FormDialog>
      )}
    </Section>
  );
}

function Person({ member }: { member: Me }) {
  const { t } = useTranslation();
  const change = useChangeAccount(member);
  const { texts, field } = useTexts({ full_name: member.full_name, username: member.username, email: member.email });
  return (
    <Form pending={change.isPending} error={change.error} onSubmit={() => change.mutate(texts, { onSuccess: () => toasts.show(t('app.saved')) })}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput label={t('members.fullName')} autoComplete="name" required {...field('full_name')} />
        <TextInput label={t('members.username')} autoComplete="username" required {...field('username')} />
        <TextInput label={t('members.email')} type="email" autoComplete="email" required {...field('email')} />
      </SimpleGrid>
    </Form>
  );
}

/** Where /password leads a member who is signed in: the page opens at the form. */
const passwordHash = '#password';

function Password() {
  const { t } = useTranslation();
  const change = useChangePassword();
  const { texts, field, reset } = useTexts({ present: '', wanted: '', again: '' });
  const { present, wanted, again } = texts;
  const [rotate, setRotate] = useState(false);
  const done = () => {
    toasts.show(t('account.passwordChanged'));
    setRotate(false);
    reset();
  };
  const toggle = { visibilityToggleButtonProps: { 'aria-label': t('members.showPassword') } };
  return (
    <Section title={t('account.password')} lead={t('members.passwordRule')}>
      <Form
        button={t('account.passwordChange')}
        ready={present !== '' && wanted !== '' && wanted === again}
        pending={change.isPending}
        error={change.error}
        onSubmit={() => change.mutate({ present, wanted, rotate }, { onSuccess: done })}
      >
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <PasswordInput
            label={t('sessions.present')}
            autoComplete="current-password"
            autoFocus={window.location.hash === passwordHash}
            {...toggle}
            {...field('present')}
          />
          <PasswordInput label={t('members.newPassword')} autoComplete="new-password" {...toggle} {...field('wanted')} />
          <PasswordInput
            label={t('account.again')}
            autoComplete="new-password"
            error={again !== '' && again !== wanted ? t('account.differ') : undefined}
            {...toggle}
            {...field('again')}
          />
        </SimpleGrid>
        <Checkbox label={t('account.passwordRotate')} checked={rotate} onChange={(e) => setRotate(e.currentTarget.checked)} />
      </Form>
    </Section>
  );
}
