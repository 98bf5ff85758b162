import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '../lib/useFocusBack';

interface Props {
  title: string;
  size?: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog, open as long as it is mounted. */
export function Dialog({ title, size = 'md', onClose, children }: Props) {
  const { t } = useTranslation();
  useFocusBack();
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': t('app.close') }}>
      {children}
    </Modal>
  );
}
