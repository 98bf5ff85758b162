import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ZoomBack } from '../../components/chart/ZoomBack';
import { Notice } from '../../components/States';
import { useView } from '../../lib/useView';

/** Says that nothing matches the page's filter, and offers to clear it. */
export function Unmatched() {
  const { t } = useTranslation();
  const [, set] = useView();
  return (
    <Notice
      title={t('filter.none')}
      text={t('filter.noneHint')}
      action={
        <Group gap="sm" justify="center">
          <ZoomBack />
          <Button variant="light" size="sm" onClick={() => set({ filter: '', page: 1 })}>
            {t('filter.clear')}
          </Button>
        </Group>
      }
    />
  );
}
