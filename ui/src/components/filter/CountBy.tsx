import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { grouped, type Field } from './field';
import { sessions } from './useUnits';

/** The parameter of the API for what is counted; nothing, or empty text, is what is usual. */
export function countParam(count: string | undefined): { count_by?: string } {
  return count === undefined || count === '' ? {} : { count_by: count };
}

interface Props {
  fields: readonly Field[];
  /** Empty text for people, sessions, or the path of a property. */
  count: string;
  /** Whether sessions can be counted. */
  withSessions?: boolean;
  onChange: (count: string) => void;
}

/** Chooses what unique figures count: people, sessions, or accounts, which are the values of a property. */
export function CountBy({ fields, count, withSessions = false, onChange }: Props) {
  const { t } = useTranslation();
  const accounts = fields.filter((f) => /^(sg|up|custom|cmp)\../.test(f.path));
  const own = [{ value: '', label: t('filter.counted.people') }, ...(withSessions ? [{ value: sessions, label: t('filter.counted.sessions') }] : [])];
  const unlisted = count !== '' && count !== sessions && !accounts.some((f) => f.path === count);
  return (
    <Select
      label={t('filter.countBy')}
      allowDeselect={false}
      searchable
      value={count}
      data={[{ group: t('filter.countUnits'), items: own }, ...grouped(accounts, [count]), ...(unlisted ? [{ group: '', items: [{ value: count, label: count }] }] : [])]}
      onChange={(next) => next !== null && onChange(next)}
      nothingFoundMessage={t('filter.noProperty')}
    />
  );
}
