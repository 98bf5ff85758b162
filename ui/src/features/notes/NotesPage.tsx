import { Badge, Box, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TimePage } from '../../components/Page';
import { Failed, Loading } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useTime } from '../../lib/useView';
import { me } from '../account/api';
import { administers, may } from '../account/rights';
import type { App } from '../apps/api';
import { notes, useDeleteNote, type Note } from './api';
import { NoteForm } from './NoteForm';

/** The notes that people pinned to moments of an app. */
export function NotesPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period } = useTime(app);
  const { data, error, refetch } = useQuery(notes(app, period));
  const member = useQuery(me).data;
  const table = useTableState('-ts');
  const remove = useDeleteNote(app._id);
  const [open, setOpen] = useState<Note | 'new'>();
  const mayWrite = member !== undefined && may(member, app._id, 'core', 'c');
  const mine = (n: Note) => member !== undefined && (n.owner === member._id || administers(member, app._id));
  const mayDelete = member !== undefined && may(member, app._id, 'core', 'd');
  const columns: Column<Note>[] = [
    { key: 'ts', title: t('notes.when'), fixed: true, short: true, value: (n) => n.ts, text: (n) => format.moment(n.ts, app.timezone) },
    {
      key: 'note',
      title: t('notes.text'),
      value: (n) => n.note,
      text: (n) => n.note,
      cell: (n) => (
        <Group gap="xs">
          {n.note}
          {n.noteType === 'private' && <Badge variant="default">{t('notes.privateShort')}</Badge>}
        </Group>
      ),
    },
    { key: 'owner', title: t('notes.owner'), value: (n) => n.owner_name, text: (n) => n.owner_name },
    {
      key: 'actions',
      title: '',
      fixed: true,
      value: () => '',
      text: () => '',
      cell: (n) =>
        mine(n) && (
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            {mayWrite && (
              <Button size="compact-sm" variant="subtle" onClick={() => setOpen(n)} aria-label={t('app.editWhat', { what: n.note })}>
                {t('app.edit')}
              </Button>
            )}
            {mayDelete && (
              <Button
                size="compact-sm"
                variant="subtle"
                c="red"
                aria-label={t('app.deleteWhat', { what: n.note })}
                onClick={() =>
                  remove.mutate(n._id, { onSuccess: () => toasts.show(t('notes.deleted')), onError: (e) => toasts.show(e.message, 'failed') })
                }
              >
                {t('app.delete')}
              </Button>
            )}
          </Group>
        ),
    },
  ];
  return (
    <TimePage app={app} title={t('nav.notes')} actions={mayWrite && <Button onClick={() => setOpen('new')}>{t('notes.add')}</Button>}>
      {error !== null && data === undefined ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <Box className="card" p="md">
          <DataTable caption={t('nav.notes')} columns={columns} rows={data} file={`${app.name} ${t('nav.notes')}`} empty={t('notes.none')} {...table} />
        </Box>
      )}
      {open !== undefined && <NoteForm app={app} {...(open === 'new' ? {} : { note: open })} onClose={() => setOpen(undefined)} />}
    </TimePage>
  );
}
