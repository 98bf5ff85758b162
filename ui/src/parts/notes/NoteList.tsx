import { Button, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NoteIcon } from '../../components/icons';
import { useFormat } from '../../i18n';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import type { Note } from './api';
import { later } from '../../components/lazily';

const NoteForm = later(async () => (await import('./NoteForm')).NoteForm);

/** The notes that a chart shows, and a way to add one. */
export function NoteList({ app, marks }: { app: App; marks: readonly { note: Note }[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const member = useQuery(me).data;
  const mayWrite = member !== undefined && may(member, app._id, 'core', 'c');
  if (marks.length === 0 && !mayWrite) return null;
  return (
    <Group mt="sm" align="start" justify="space-between" gap="sm">
      {marks.length > 0 && (
        <List type="ordered" size="sm" className="note-list" spacing={4}>
          {marks.map(({ note }) => (
            <List.Item key={note._id}>
              <Text span size="sm" className="breakable">
                {note.note}
              </Text>
              <Text span size="sm" c="dimmed">
                {` – ${format.moment(note.ts, app.timezone)}, ${note.owner_name}`}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
      {mayWrite && (
        <Button size="xs" variant="subtle" leftSection={<NoteIcon size={16} />} onClick={() => setOpen(true)} className="no-print">
          {t('notes.add')}
        </Button>
      )}
      {open && <NoteForm app={app} onClose={() => setOpen(false)} />}
    </Group>
  );
}
