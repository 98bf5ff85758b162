import { Badge, Box, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { NoteIcon } from '../../components/icons';
import { Notice } from '../../components/States';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { actionColumn } from '../../components/form/RowActions';
import { TimePage } from '../../components/Page';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { useFormat } from '../../i18n';
import { useMaking, useTime } from '../../lib/useView';
import { me } from '../../access/me';
import { administers, may } from '../../access/rights';
import type { App } from '../../access/apps';
import { notes, type Note } from '../../parts/notes/api';
import { useDeleteNote } from '../../parts/notes/changes';
import { NoteForm } from '../../parts/notes/NoteForm';

/** The notes that people pinned to moments of an app. */
export function NotesPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period } = useTime(app);
  const member = useQuery(me).data;
  const table = useTableState('-ts');
  const remove = useDeleteNote(app._id);
  const [open, setOpen] = useState<Note>();
  const [leaving, setLeaving] = useState<Note>();
  const [isMaking, make] = useMaking();
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
    actionColumn((n) => [
      ...(mine(n) && mayWrite ? [{ label: t('app.edit'), name: t('app.editWhat', { what: n.note }), onClick: () => setOpen(n) }] : []),
      ...(mine(n) && mayDelete
        ? [
            {
              label: t('app.delete'),
              name: t('app.deleteWhat', { what: n.note }),
              danger: true,
              onClick: () => setLeaving(n),
            },
          ]
        : []),
    ]),
  ];
  return (
    <TimePage app={app} title={t('nav.notes')} actions={mayWrite && <Button onClick={() => make(true)}>{t('notes.add')}</Button>}>
      <Answer query={useQuery(notes(app, period))}>
        {(rows) => rows.length === 0 ? (
          <div className="card">
            <Notice icon={<NoteIcon />} title={t('notes.none')} text={t('notes.noneHint')} />
          </div>
        ) : (
          <Box className="card" p="md">
            <DataTable caption={t('nav.notes')} columns={columns} rows={rows} file={`${app.name} ${t('nav.notes')}`} {...table} />
          </Box>
        )}
      </Answer>
      {open !== undefined && <NoteForm app={app} note={open} onClose={() => setOpen(undefined)} />}
      {isMaking && mayWrite && <NoteForm app={app} onClose={() => make(false)} />}
      {leaving !== undefined && <ConfirmDelete what={leaving.note} id={leaving._id} remove={remove} done={t('notes.deleted')} onClose={() => setLeaving(undefined)} />}
    </TimePage>
  );
}
