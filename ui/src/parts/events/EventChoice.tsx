import { MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { useEventNames } from './useEventNames';

interface Props {
  label: string;
  events: string[];
  names: ReturnType<typeof useEventNames>;
  onChange: (events: string[]) => void;
  most?: number;
}

/** Chooses events by their names. One that is no longer listed stays chosen. */
export function EventChoice({ label, events, names: { nameOf, options }, onChange, most = 20 }: Props) {
  const { t } = useTranslation();
  const listed = new Set(options.flatMap(({ items }) => items.map(({ value }) => value)));
  const gone = events.filter((key) => !listed.has(key)).map((value) => ({ value, label: nameOf(value) }));
  return (
    <MultiSelect
      label={label}
      placeholder={events.length === 0 ? t('events.chooseEvent') : ''}
      data={gone.length === 0 ? options : [...options, { group: t('events.unlisted'), items: gone }]}
      value={events}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: label }) }}
      maxValues={most}
      nothingFoundMessage={t('events.noEvent')}
    />
  );
}
