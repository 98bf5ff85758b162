import { Anchor, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { FormDialog } from '../../components/form/FormDialog';
import { actionColumn } from '../../components/form/RowActions';
import { Section } from '../../components/Section';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useRemove, useSave, type Saved, type Sent } from './api';

/** Names a statement, and says who sees it. */
export function SaveDialog({ app, sent, onSaved, onClose }: { app: App; sent: Sent; onSaved: (id: string) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const save = useSave(app._id);
  const [name, setName] = useState(sent.name);
  const [shared, setShared] = useState(sent.shared);
  const shares = member !== undefined && may(member, app._id, 'sql', 'u');
  return (
    <FormDialog
      title={t('sql.save')}
      pending={save.isPending}
      error={save.error}
      ready={name.trim() !== ''}
      onClose={onClose}
      onSubmit={() =>
        save.mutate(
          { ...sent, name: name.trim(), shared },
          {
            onSuccess: (id) => {
              toasts.show(t('sql.saved'));
              onSaved(id);
            },
          },
        )
      }
    >
      <TextInput label={t('sql.name')} value={name} onChange={(e) => setName(e.currentTarget.value)} maxLength={200} data-autofocus required />
      <Radio.Group label={t('sql.seenBy')} value={shared ? 'all' : 'me'} onChange={(who) => setShared(who === 'all')}>
        <Stack gap="xs" mt={6}>
          <Radio value="me" label={t('sql.onlyMe')} />
          <Radio value="all" label={t('sql.everyone')} disabled={!shares && !sent.shared} />
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}

/** The statements that one kept, and those that others share. */
export function SavedList({ app, list, onOpen }: { app: App; list: readonly Saved[]; onOpen: (q: Saved) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const remove = useRemove(app._id);
  const [leaving, setLeaving] = useState<Saved>();
  const seenBy = (q: Saved) => t(q.shared ? 'sql.everyone' : 'sql.onlyMe');
  const columns: Column<Saved>[] = [
    {
      key: 'name',
      title: t('sql.name'),
      fixed: true,
      value: (q) => q.name,
      text: (q) => q.name,
      cell: (q) => (
        <Anchor component="button" type="button" size="sm" className="breakable" onClick={() => onOpen(q)}>
          {q.name}
        </Anchor>
      ),
    },
    { key: 'sql', title: t('sql.statement'), clip: true, value: (q) => q.sql, text: (q) => q.sql.replace(/\s+/g, ' ') },
    { key: 'seen', title: t('sql.seenBy'), value: seenBy, text: seenBy },
    { key: 'edited', title: t('sql.edited'), short: true, value: (q) => q.edited_at, text: (q) => format.moment(q.edited_at, app.timezone) },
    actionColumn((q) => (q.editable ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: q.name }), danger: true, onClick: () => setLeaving(q) }] : [])),
  ];
  return (
    <Section title={t('sql.queries')}>
      {list.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('sql.noQueries')}
        </Text>
      ) : (
        <DataTable caption={t('sql.queries')} columns={columns} rows={list} file={`${app.name} ${t('sql.queries')}`} pageSize={10} />
      )}
      {leaving !== undefined && <ConfirmDelete what={leaving.name} id={leaving._id} remove={remove} done={t('sql.deleted')} onClose={() => setLeaving(undefined)} />}
    </Section>
  );
}
