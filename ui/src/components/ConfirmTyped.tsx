import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { ErrorNote } from './States';

interface Props {
  title: string;
  text: string;
  /** What must be typed before the button works. */
  word: string;
  button: string;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmTyped({ title, text, word, button, pending, error, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const right = typed.trim() === word.trim();
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    if (right) onConfirm();
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('app.close') }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {error !== null && <ErrorNote error={error} />}
          <Text>{text}</Text>
          <TextInput
            data-autofocus
            autoComplete="off"
            label={<Trans i18nKey="confirm.type" values={{ word }} components={{ b: <strong className="breakable" /> }} />}
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('app.cancel')}
            </Button>
            <Button type="submit" color="red" disabled={!right} loading={pending}>
              {button}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
