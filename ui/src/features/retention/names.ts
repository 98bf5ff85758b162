import { useTranslation } from 'react-i18next';
import type { Unit } from './question';

/** What an age is called: Day 1, Week 2. */
export function useAgeName(unit: Unit): (age: number) => string {
  const { t } = useTranslation();
  return (age) => t(`retention.age.${unit}`, { age });
}
