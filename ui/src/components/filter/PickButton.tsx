import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import './pick.css';

interface Props {
  name: string;
  /** Filters the page by what has the name; absent where that cannot be. */
  onPick: (() => void) | undefined;
}

/** A name that filters the page by what it stands for; just the name where that cannot be. */
export function PickButton({ name, onPick }: Props) {
  const { t } = useTranslation();
  if (onPick === undefined) return <bdi>{name}</bdi>;
  return (
    <UnstyledButton className="filter-pick" title={t('metric.pick', { value: name })} onClick={onPick}>
      <bdi>{name}</bdi>
    </UnstyledButton>
  );
}
