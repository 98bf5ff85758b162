import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../components/form/FormDialog';
import { toasts } from '../../components/toasts';
import { momentIn, wallClock } from '../../lib/period';
import type { App } from '../../access/apps';
import type { Note } from './api';
import { useSaveNote } from './changes';

/** Writes a note, of a moment in ms unless of now, or changes one. Its moment is shown in the app's time zone. */
export function NoteForm({ app, note, at, onClose }: { app: App; note?: Note; at?: number; onClose: () => void }) {
  const { t } = useTranslation();
  const save = useSaveNote(app._id);
  const [text, setText] = useState(note?.note ?? '');
  const [when, setWhen] = useState(() => wallClock(note?.ts ?? at ?? Date.now(), app.timezone));
  const [own, setOwn] = useState(note?.noteType === 'private');

  const ts = momentIn(when, app.timezone);
  const submit = () => {
    if (ts === undefined) return;
    save.mutate(
      { ...(note === undefined ? {} : { _id: note._id }), note: text.trim(), ts, noteType: own ? 'private' : 'public' },
      {
        onSuccess: () => {
          toasts.show(t('notes.saved'));
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={note === undefined ? t('notes.add') : t('notes.change')}
      pending={save.isPending}
      error={save.error}
      ready={text.trim() !== '' && ts !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <Textarea label={t('notes.text')} required data-autofocus autosize minRows={2} maxLength={10_000} value={text} onChange={(e) => setText(e.currentTarget.value)} />
      <TextInput
        type="datetime-local"
        label={t('notes.when')}
        description={t('notes.whenHint', { zone: app.timezone })}
        required
        value={when}
        onChange={(e) => setWhen(e.currentTarget.value)}
      />
      <Checkbox label={t('notes.private')} checked={own} onChange={(e) => setOwn(e.currentTarget.checked)} />
    </FormDialog>
  );
}
