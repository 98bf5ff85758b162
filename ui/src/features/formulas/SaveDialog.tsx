import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { FormDialog } from '../../components/form/FormDialog';
import { isNamed, SeenBy, type Seen } from '../../components/form/SeenBy';
import { toasts } from '../../components/toasts';
import { useSaveFormula, type Formula } from './api';
import { keyOf, wireOf, type Shown } from './value';

interface Props {
  app: App;
  list: readonly Formula[];
  formula: string;
  shown: Shown;
  /** What is changed; a new one without. */
  of: Formula | undefined;
  /** What a new one was made from. */
  from: Formula | undefined;
  onSaved: (id: string) => void;
  onClose: () => void;
}

/** Who sees a formula. */
export function seenOf({ visibility, shared_email_edit: edit }: Pick<Formula, 'visibility' | 'shared_email_edit'>): Seen {
  return { by: visibility === 'global' ? 'all' : edit.length > 0 ? 'some' : 'me', view: [], edit };
}

/** Names a formula, and says who sees it. */
export function SaveDialog({ app, list, formula, shown, of, from, onSaved, onClose }: Props) {
  const { t } = useTranslation();
  const save = useSaveFormula(app._id);
  const [title, setTitle] = useState(of?.title ?? '');
  const [description, describe] = useState((of ?? from)?.description ?? '');
  const [seen, see] = useState<Seen>(of === undefined ? { by: 'me', view: [], edit: [] } : seenOf(of));
  const submit = () =>
    save.mutate(
      {
        ...(of === undefined ? {} : { _id: of._id }),
        title: title.trim(),
        key: of?.key ?? keyOf(title, list.map((f) => f.key)),
        description: description.trim(),
        formula,
        ...wireOf(shown),
        visibility: seen.by === 'all' ? 'global' : 'private',
        shared_email_edit: seen.by === 'some' ? seen.edit : [],
      },
      {
        onSuccess: (id) => {
          toasts.show(t('formulas.saved'));
          onSaved(id);
        },
      },
    );
  return (
    <FormDialog title={t(of === undefined ? 'formulas.saveTitle' : 'formulas.change')} pending={save.isPending} error={save.error} ready={title.trim() !== '' && isNamed(seen)} onClose={onClose} onSubmit={submit}>
      <TextInput label={t('formulas.name')} value={title} onChange={(e) => setTitle(e.currentTarget.value)} maxLength={200} data-autofocus required />
      <Textarea label={t('formulas.description')} value={description} onChange={(e) => describe(e.currentTarget.value)} maxLength={1000} autosize minRows={2} maxRows={6} />
      <SeenBy value={seen} onChange={see} everyone={t('formulas.everyone')} />
    </FormDialog>
  );
}
