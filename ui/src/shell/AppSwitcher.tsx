import { Group, Select, Text, type ComboboxItem } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { App } from '../access/apps';
import { Icon } from '../components/AppIcon';
import { useCarried } from '../lib/useView';

/** Chooses the app; the time that was chosen stays. */
export function AppSwitcher({ apps, app }: { apps: App[]; app: App | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const time = useCarried();
  if (apps.length === 0) return null;
  const byId = new Map(apps.map((a) => [a._id, a]));
  return (
    <Select
      aria-label={t('app.choose')}
      placeholder={t('app.find')}
      data={apps.map((a) => ({ value: a._id, label: a.name }))}
      value={app?._id ?? null}
      searchable
      limit={100}
      allowDeselect={false}
      nothingFoundMessage={t('app.nothingFound')}
      leftSection={app === undefined ? undefined : <Icon app={app} />}
      renderOption={({ option }: { option: ComboboxItem }) => {
        const one = byId.get(option.value);
        return (
          <Group gap="xs" wrap="nowrap">
            {one !== undefined && <Icon app={one} />}
            <Text size="sm" truncate>
              {option.label}
            </Text>
          </Group>
        );
      }}
      onChange={(id) => {
        if (id !== null) void navigate({ to: '/apps/$appId', params: { appId: id }, search: time });
      }}
      className="app-switcher"
      title={app?.name}
      miw={0}
      comboboxProps={{ width: 280, position: 'bottom-start' }}
    />
  );
}
