import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../ErrorNote';

interface Props {
  /** What the button does; saving when not said. */
  button?: string;
  pending: boolean;
  error: unknown;
  /** Whether what is filled in can be sent. */
  ready?: boolean;
  danger?: boolean;
  /** Leaves the form as things are; with it the buttons stand at the end, as in dialogs. */
  onCancel?: () => void;
  onSubmit: () => void;
  /** Says itself what is missing, in place of the browser. */
  ownChecks?: boolean;
  children: ReactNode;
}

/** A form: why the server refused it, its fields, and its buttons. */
export function Form({ button, pending, error, ready = true, danger = false, onCancel, onSubmit, ownChecks = false, children }: Props) {
  const { t } = useTranslation();
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    if (ready && !pending) onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate={ownChecks}>
      <Stack gap="md">
        {error !== null && error !== undefined && <ErrorNote error={error} />}
        {children}
        <Group justify={onCancel === undefined ? 'flex-start' : 'flex-end'}>
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t('app.cancel')}
            </Button>
          )}
          <Button type="submit" disabled={!ready} loading={pending} {...(danger ? { color: 'red' } : {})}>
            {button ?? t('app.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
