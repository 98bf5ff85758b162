import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../components/form/FormDialog';
import type { App } from '../../access/apps';
import { hasData } from '../apps/api';
import { templates, useLoad, type Template } from './api';
import { initial, isReady, LoadForm } from './LoadForm';

/** Asks what to load. */
export function LoadDialog({ app, template, onClose }: { app: App; template: Template | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const list = useQuery(templates(app._id));
  const filled = useQuery(hasData(app._id)).data === true;
  const load = useLoad(app._id);
  const [fields, setFields] = useState<ReturnType<typeof initial>>();
  const value = fields ?? initial(app, list.data ?? [], template);
  return (
    <FormDialog
      title={t('demo.title')}
      button={t('demo.start')}
      size="xl"
      pending={load.isPending}
      error={load.error ?? list.error}
      ready={isReady(value)}
      onClose={onClose}
      onSubmit={() => load.mutate(value, { onSuccess: onClose })}
    >
      <Text size="sm" c="dimmed">
        {t('demo.lead')}
      </Text>
      {filled && <Mixing />}
      <LoadForm list={list.data ?? []} value={value} onChange={setFields} />
    </FormDialog>
  );
}

/** Says what happens to the figures of an app that has data. */
function Mixing() {
  const { t } = useTranslation();
  return (
    <Alert variant="default" title={t('demo.mixing')}>
      {t('demo.mixingHint')}
    </Alert>
  );
}
