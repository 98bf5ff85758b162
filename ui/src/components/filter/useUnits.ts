import { useTranslation } from 'react-i18next';
import type { Field } from './field';

/** The unit of the API that is neither usual nor a property. */
export const sessions = 'sessions';

/** The words for what is counted: as a name that stands alone, and as many of it as a number says. */
export interface Units {
  name: string;
  units: (n: number) => string;
}

/** The words for what unique figures count: people, which empty text stands for, sessions, or accounts, which are the values of a property. */
export function useUnits(count = ''): Units {
  const { t } = useTranslation();
  const kind = count === '' || count === 'users' ? 'people' : count === sessions ? 'sessions' : 'accounts';
  return { name: t(`filter.counted.${kind}`), units: (n) => t(`filter.units.${kind}`, { count: n }) };
}

/** The name of what is counted, with the property whose values are accounts. */
export function unitsNamed(name: string, fields: readonly Field[], count: string): string {
  return count === '' || count === sessions ? name : `${name} (${fields.find((f) => f.path === count)?.name ?? count})`;
}
