import { Button, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnly, useView } from '../../lib/useView';

/** The controls that narrow a list; what they say stands in the URL. */
export function Filters({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [{ only }, set] = useView();
  return (
    <div className="no-print filters" role="group" aria-label={t('filters.label')}>
      {children}
      {only !== '' && (
        <Button variant="subtle" justify="start" onClick={() => set({ only: '', page: 1 })}>
          {t('filters.clear')}
        </Button>
      )}
    </div>
  );
}

/** Narrows a list to one of several. */
export function FilterSelect({ name, label, data }: { name: string; label: string; data: readonly { value: string; label: string }[] }) {
  const { t } = useTranslation();
  const [only, change] = useOnly();
  return (
    <Select
      label={label}
      searchable={data.length > 7}
      clearable
      clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: label }) }}
      placeholder={t('filters.all')}
      data={[...data]}
      value={only[name] ?? null}
      onChange={(value) => change(name, value ?? '')}
    />
  );
}

/** Narrows a list to the days from one on, or up to one. */
export function FilterDay({ name, label }: { name: string; label: string }) {
  const [only, change] = useOnly();
  return <TextInput type="date" label={label} value={only[name] ?? ''} onChange={(e) => change(name, e.currentTarget.value)} />;
}
