import { Button, Divider, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmTyped } from '../../components/ConfirmTyped';
import { FormDialog } from '../../components/form/FormDialog';
import { toasts } from '../../components/toasts';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import type { ViewName } from '../../parts/views/api';
import { useDeleteView, useRenameView } from '../../parts/views/manage';

interface Props {
  app: App;
  view: ViewName;
  onClose: () => void;
  /** After the view was deleted. */
  onGone?: () => void;
}

/** Names a view, or deletes it, for those who may. */
export function RenameView({ app, view, onClose, onGone }: Props) {
  const { t } = useTranslation();
  const rename = useRenameView(app._id);
  const remove = useDeleteView(app._id);
  const member = useQuery(me).data;
  const [name, setName] = useState(view.display ?? '');
  const [deleting, setDeleting] = useState(false);
  const mayDelete = member !== undefined && may(member, app._id, 'views', 'd');
  if (deleting) {
    return (
      <ConfirmTyped
        title={t('views.delete')}
        text={t('views.deleteHint')}
        word={view.view}
        button={t('views.delete')}
        pending={remove.isPending}
        error={remove.error}
        onClose={onClose}
        onConfirm={() =>
          remove.mutate(view._id, {
            onSuccess: () => {
              toasts.show(t('views.deleted', { view: view.view }));
              onClose();
              onGone?.();
            },
          })
        }
      />
    );
  }
  return (
    <FormDialog
      title={t('views.rename')}
      pending={rename.isPending}
      error={rename.error}
      onSubmit={() =>
        rename.mutate(
          { id: view._id, name: name.trim() },
          {
            onSuccess: () => {
              toasts.show(t('app.saved'));
              onClose();
            },
          },
        )
      }
      onClose={onClose}
      below={
        mayDelete && (
          <>
            <Divider my="md" />
            <Button color="red" variant="light" onClick={() => setDeleting(true)}>
              {t('views.delete')}
            </Button>
          </>
        )
      }
    >
      <TextInput label={t('views.sent')} value={view.view} readOnly />
      <TextInput data-autofocus label={t('views.name')} description={t('views.nameHint')} maxLength={200} value={name} onChange={(e) => setName(e.currentTarget.value)} />
    </FormDialog>
  );
}
