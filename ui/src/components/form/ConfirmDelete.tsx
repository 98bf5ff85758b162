import { Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toasts } from '../toasts';
import { FormDialog } from './FormDialog';

interface Props<Id> {
  /** What is deleted, as people call it. */
  what: string;
  id: Id;
  remove: UseMutationResult<unknown, Error, Id>;
  /** Said when it is done. */
  done: string;
  onClose: () => void;
  /** In place of closing, when it is done. */
  onDone?: () => void;
  /** What else is to be known before. */
  children?: ReactNode;
}

/** Asks before one thing is deleted; what takes a lot with it is confirmed by typing (ConfirmTyped). */
export function ConfirmDelete<Id>({ what, id, remove, done, onClose, onDone = onClose, children }: Props<Id>) {
  const { t } = useTranslation();
  const submit = () =>
    remove.mutate(id, {
      onSuccess: () => {
        toasts.show(done);
        onDone();
      },
    });
  return (
    <FormDialog title={t('confirm.delete')} button={t('app.delete')} danger pending={remove.isPending} error={remove.error} onClose={onClose} onSubmit={submit}>
      <Text className="breakable">{t('confirm.deleteHint', { what })}</Text>
      {children}
    </FormDialog>
  );
}
