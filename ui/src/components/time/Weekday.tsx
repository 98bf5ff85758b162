import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Comparison, Match } from '../../lib/period';

interface Props {
  compare: Comparison;
  match: Match;
  onMatch: (match: Match) => void;
}

/** Puts the same days of the week side by side. */
export default function Weekday({ compare, match, onMatch }: Props) {
  const { t } = useTranslation();
  return (
    <Switch
      size="sm"
      label={t('period.weekday')}
      disabled={compare === 'none'}
      checked={match === 'weekday'}
      onChange={(e) => onMatch(e.currentTarget.checked ? 'weekday' : 'date')}
    />
  );
}
