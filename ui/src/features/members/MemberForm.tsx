import { PasswordInput, SimpleGrid, Switch, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Detail } from '../../components/Detail';
import { Form } from '../../components/form/Form';
import { useTexts } from '../../components/form/useTexts';
import { toasts } from '../../components/toasts';
import { myApps } from '../../access/apps';
import { features, useSaveMember, type Member } from './api';
import { nothing } from './permission';
import { PermissionEditor } from './PermissionEditor';

/** Makes a member or changes one. */
export function MemberForm({ member, onClose }: { member?: Member; onClose: () => void }) {
  const { t } = useTranslation();
  const save = useSaveMember();
  const apps = useQuery(myApps).data ?? [];
  const list = useQuery(features).data ?? [];
  const { texts, field } = useTexts({ full_name: member?.full_name ?? '', username: member?.username ?? '', email: member?.email ?? '', password: '' });
  const [admin, setAdmin] = useState(member?.global_admin ?? false);
  const [locked, setLocked] = useState(member?.locked ?? false);
  const [mustChange, setMustChange] = useState(member?.must_change_password);
  const [permission, setPermission] = useState(member?.permission ?? nothing);
  const self = member?.is_current_user === true;

  const submit = () => {
    const { password, ...rest } = texts;
    save.mutate(
      {
        ...rest,
        global_admin: admin,
        locked,
        permission,
        ...(mustChange === undefined ? {} : { must_change_password: mustChange }),
        ...(member === undefined ? {} : { id: member._id }),
        ...(password === '' ? {} : { password }),
      },
      {
        onSuccess: () => {
          toasts.show(t(member === undefined ? 'members.added' : 'app.saved'));
          onClose();
        },
      },
    );
  };
  return (
    <Detail title={member === undefined ? t('members.add') : member.full_name} onClose={onClose}>
      <Form pending={save.isPending} error={save.error} onSubmit={submit} onCancel={onClose}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t('members.fullName')} required data-autofocus {...field('full_name')} />
          <TextInput label={t('members.username')} required autoComplete="off" {...field('username')} />
          <TextInput label={t('members.email')} type="email" required {...field('email')} />
          <PasswordInput
            label={t(member === undefined ? 'members.password' : 'members.newPassword')}
            required={member === undefined}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('members.showPassword') }}
            {...field('password')}
          />
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          {t('members.passwordHint')}
          {member !== undefined && ` ${t('members.passwordKept')}`}
        </Text>
        <Switch label={t('members.globalAdmin')} description={t('members.globalAdminHint')} disabled={self} checked={admin} onChange={(e) => setAdmin(e.currentTarget.checked)} />
        <Switch label={t('members.locked')} description={t('members.lockedHint')} disabled={self} checked={locked} onChange={(e) => setLocked(e.currentTarget.checked)} />
        {!self && (
          <Switch label={t('members.mustChangeNext')} description={t('members.mustChangeHint')} checked={mustChange === true} onChange={(e) => setMustChange(e.currentTarget.checked)} />
        )}
        {!admin && (
          <div>
            <Title order={3} size="h5" mb="xs">
              {t('members.access')}
            </Title>
            <PermissionEditor apps={apps} features={list} value={permission} onChange={setPermission} />
          </div>
        )}
      </Form>
    </Detail>
  );
}
