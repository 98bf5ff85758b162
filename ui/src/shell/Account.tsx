import { ActionIcon, Popover } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../access/me';
import { PersonIcon } from '../components/icons';
import { later } from '../components/lazily';
import { Nothing } from '../components/Nothing';

const AccountMenu = later(async () => (await import('./AccountMenu')).AccountMenu, { instead: Nothing });

/** The way to what belongs to a person rather than an app. It opens once that is loaded, so that the focus has where to go. */
export function Account({ member, onShortcuts }: { member: Me | undefined; onShortcuts: () => void }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus width={272}>
      <Popover.Target>
        <ActionIcon variant="default" size={36} radius="xl" aria-label={t('app.actions')} onClick={() => void AccountMenu.fetch().then(() => setOpened((o) => !o))}>
          <PersonIcon />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('app.actions')}>
        <AccountMenu member={member} onShortcuts={onShortcuts} onClose={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
