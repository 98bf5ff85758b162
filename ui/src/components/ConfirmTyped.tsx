import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from './form/FormDialog';

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
export function ConfirmTyped({ text, word, onConfirm, ...dialog }: Props) {
  const { t } = useTranslation();
  const [before, after] = t('confirm.type').split('{{word}}');
  const [typed, setTyped] = useState('');
  return (
    <FormDialog {...dialog} danger ready={typed.trim() === word.trim()} onSubmit={onConfirm}>
      <Text>{text}</Text>
      <TextInput
        data-autofocus
        autoComplete="off"
        label={
          <>
            {before}
            <strong className="breakable">{word}</strong>
            {after}
          </>
        }
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
    </FormDialog>
  );
}
