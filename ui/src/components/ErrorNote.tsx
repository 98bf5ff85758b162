import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../api/client';

/** Says above a form why the server refused it. */
export function ErrorNote({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" title={t('state.error')}>
      {messageOf(error)}
    </Alert>
  );
}
