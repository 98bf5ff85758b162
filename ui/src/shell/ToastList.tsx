import { CloseButton, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AlertIcon, CheckIcon } from '../components/icons';
import { toasts, useToasts } from '../components/toasts';

/** The place of short messages; screen readers hear them. */
export function ToastList() {
  const { t } = useTranslation();
  const list = useToasts();
  return (
    <div className="toasts no-print" role="status" aria-live="polite">
      {list.map(({ id, text, kind }) => (
        <Group key={id} className="card toast" data-kind={kind} gap="sm" wrap="nowrap" p="sm">
          {kind === 'done' ? <CheckIcon size={20} /> : <AlertIcon size={20} />}
          <Text size="sm" flex={1} className="breakable">
            {text}
          </Text>
          <CloseButton size="sm" aria-label={t('app.close')} onClick={() => toasts.close(id)} />
        </Group>
      ))}
    </div>
  );
}
