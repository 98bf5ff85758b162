import { Modal } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from './Form';

interface Props extends Omit<ComponentProps<typeof Form>, 'onCancel'> {
  title: string;
  size?: string;
  onClose: () => void;
  /** What stands below the form. */
  below?: ReactNode;
}

/** A form in a dialog. */
export function FormDialog({ title, size = 'md', onClose, below, ...form }: Props) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': t('app.close') }}>
      <Form {...form} onCancel={onClose} />
      {below}
    </Modal>
  );
}
