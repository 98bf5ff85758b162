import { Drawer, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '../lib/useFocusBack';

/** What is open beside a list. */
export function Detail({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  useFocusBack();
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={title} closeButtonProps={{ 'aria-label': t('app.close') }}>
      <Stack gap="md">{children}</Stack>
    </Drawer>
  );
}
