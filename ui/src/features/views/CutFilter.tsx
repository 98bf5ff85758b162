import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FilterSelect, Filters } from '../../components/table/Filters';
import { useView } from '../../lib/useView';
import { parseOnly } from '../../lib/view';
import type { App } from '../../access/apps';
import { viewSegments } from '../../parts/views/manage';

/** Narrows views to a value of a segment; nothing when they have none. */
export function CutFilter({ app }: { app: App }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const segments = useQuery(viewSegments(app._id)).data ?? {};
  const names = Object.keys(segments);
  if (names.length === 0) return null;
  const { segment } = parseOnly(view.only);
  const chosen = segment !== undefined && names.includes(segment) ? segment : null;
  return (
    <Filters>
      <Select
        label={t('views.segment')}
        clearable
        clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('views.segment') }) }}
        placeholder={t('filters.all')}
        searchable={names.length > 7}
        data={names}
        value={chosen}
        onChange={(name) => set({ only: name === null ? '' : JSON.stringify({ segment: name }), page: 1 })}
      />
      {chosen !== null && <FilterSelect name="value" label={t('views.value')} data={(segments[chosen] ?? []).map((value) => ({ value, label: value }))} />}
    </Filters>
  );
}
