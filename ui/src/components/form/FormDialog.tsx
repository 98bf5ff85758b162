import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../States';

interface Props {
  title: string;
  /** What the button does; saving when not said. */
  button?: string;
  pending: boolean;
  error: unknown;
  /** Whether what is filled in can be sent. */
  ready?: boolean;
  danger?: boolean;
  size?: string;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog: the fields, why the server refused them, and the buttons. */
export function FormDialog({ title, button, pending, error, ready = true, danger = false, size = 'md', onSubmit, onClose, children }: Props) {
  const { t } = useTranslation();
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    if (ready && !pending) onSubmit();
  };
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': t('app.close') }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {error !== null && error !== undefined && <ErrorNote error={error} />}
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('app.cancel')}
            </Button>
            <Button type="submit" disabled={!ready} loading={pending} {...(danger ? { color: 'red' } : {})}>
              {button ?? t('app.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
