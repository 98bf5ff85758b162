import { Badge, Box, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { ConfirmTyped } from '../../components/ConfirmTyped';
import { actionColumn } from '../../components/form/RowActions';
import { Page } from '../../components/Page';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useMaking } from '../../lib/useView';
import { members, useDeleteMember, useUnblock, type Member } from './api';
import { MemberForm } from './MemberForm';

/** Who may sign in, and what each may do. */
export function MembersPage() {
  const { t } = useTranslation();
  const table = useTableState('name');
  const format = useFormat();
  const remove = useDeleteMember();
  const unblock = useUnblock();
  const [open, setOpen] = useState<Member>();
  const [isMaking, make] = useMaking();
  const [leaving, setLeaving] = useState<Member>();
  const role = (m: Member) => (m.global_admin ? t('members.globalAdmin') : t('members.apps', { count: m.permission._.a.length + m.permission._.u.flat().length }));
  const time = (seconds: number) => (seconds === 0 ? t('members.never') : format.moment(seconds * 1000));
  const columns: Column<Member>[] = [
    {
      key: 'name',
      title: t('members.fullName'),
      fixed: true,
      value: (m) => m.full_name,
      text: (m) => m.full_name,
      cell: (m) => (
        <Group gap="xs">
          {m.full_name}
          {m.is_current_user === true && <Badge variant="default">{t('members.you')}</Badge>}
          {m.locked && <Badge color="red">{t('members.locked')}</Badge>}
          {m.blocked === true && <Badge color="red">{t('members.blocked')}</Badge>}
          {m.must_change_password === true && <Badge color="yellow">{t('members.mustChange')}</Badge>}
          {m.password_expired === true && <Badge color="yellow">{t('members.passwordExpired')}</Badge>}
        </Group>
      ),
    },
    { key: 'username', title: t('members.username'), clip: true, value: (m) => m.username, text: (m) => m.username },
    { key: 'email', title: t('members.email'), clip: true, value: (m) => m.email, text: (m) => m.email },
    { key: 'role', title: t('members.access'), short: true, value: role, text: role },
    { key: 'login', title: t('members.lastLogin'), short: true, value: (m) => m.last_login, text: (m) => time(m.last_login) },
    actionColumn((m) => [
      ...(m.blocked === true
        ? [
            {
              label: t('members.unblock'),
              name: t('members.unblockWhat', { what: m.full_name }),
              onClick: () => unblock.mutate(m.username, { onSuccess: () => toasts.show(t('members.unblocked')) }),
            },
          ]
        : []),
      { label: t('app.edit'), name: t('app.editWhat', { what: m.full_name }), onClick: () => setOpen(m) },
      ...(m.is_current_user === true
        ? []
        : [{ label: t('app.delete'), name: t('app.deleteWhat', { what: m.full_name }), danger: true, onClick: () => setLeaving(m) }]),
    ]),
  ];
  return (
    <Page title={t('nav.members')} lead={t('members.lead')} actions={<Button onClick={() => make(true)}>{t('members.add')}</Button>}>
      <Answer query={useQuery(members)}>
        {(rows) => (
          <Box className="card" p="md">
            <DataTable caption={t('nav.members')} columns={columns} rows={rows} file={t('nav.members')} {...table} />
          </Box>
        )}
      </Answer>
      {open !== undefined && <MemberForm member={open} onClose={() => setOpen(undefined)} />}
      {isMaking && <MemberForm onClose={() => make(false)} />}
      {leaving !== undefined && (
        <ConfirmTyped
          title={t('members.delete')}
          text={t('members.deleteHint', { name: leaving.full_name })}
          word={leaving.username}
          button={t('app.delete')}
          pending={remove.isPending}
          error={remove.error}
          onClose={() => setLeaving(undefined)}
          onConfirm={() =>
            remove.mutate(leaving._id, {
              onSuccess: () => {
                toasts.show(t('members.deleted', { name: leaving.full_name }));
                setLeaving(undefined);
              },
            })
          }
        />
      )}
    </Page>
  );
}
