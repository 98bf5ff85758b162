import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useView } from '../../lib/useView';
import { sizes, type Size } from './rows';

const names = { t: 'metric.sessions', u: 'metric.users', n: 'metric.newUsers' } as const;

/** What values are measured by, as the URL has it, and its name. */
export function useSize(): [Size, string] {
  const { t } = useTranslation();
  const [{ figure }] = useView();
  const size = sizes.find((s) => s === figure) ?? 't';
  return [size, t(names[size])];
}

export function SizeChoice() {
  const { t } = useTranslation();
  const [, set] = useView();
  const [size] = useSize();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('metric.measure')}
      value={size}
      onChange={(figure) => set({ figure: figure === 't' ? '' : figure })}
      data={sizes.map((value) => ({ value, label: t(names[value]) }))}
    />
  );
}
