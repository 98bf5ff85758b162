import type { ComponentProps, ReactNode } from 'react';
import { Dialog } from '../Dialog';
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
  return (
    <Dialog onClose={onClose} title={title} size={size}>
      <Form {...form} onCancel={onClose} />
      {below}
    </Dialog>
  );
}
