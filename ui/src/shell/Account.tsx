import { ActionIcon, Button, Popover, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { csrfToken } from '../api/client';
import type { Me } from '../access/me';
import { LanguageChoice, ThemeChoice } from '../components/Choices';
import { PersonIcon } from '../components/icons';
import { base } from '../lib/base';

/** Who is signed in, and what belongs to a person rather than an app. */
export function Account({ member, onShortcuts }: { member: Me | undefined; onShortcuts: () => void }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus width={272}>
      <Popover.Target>
        <ActionIcon variant="default" size={36} radius="xl" aria-label={t('app.actions')} onClick={() => setOpened((o) => !o)}>
          <PersonIcon />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('app.actions')}>
        <Stack gap="md">
          {member !== undefined && (
            <div className="breakable">
              <Text fw={600}>{member.full_name}</Text>
              <Text size="sm" c="dimmed">
                {member.email}
              </Text>
            </div>
          )}
          <ThemeChoice />
          <LanguageChoice />
          <Stack gap="xs">
            <Button component={Link} to="/manage/account" variant="default" onClick={() => setOpened(false)}>
              {t('nav.account')}
            </Button>
            <Button
              variant="default"
              onClick={() => {
                setOpened(false);
                onShortcuts();
              }}
            >
              {t('shortcuts.title')}
            </Button>
            <form method="post" action={`${base}/logout`} id="sign-out">
              <input type="hidden" name="_csrf" value={csrfToken()} />
              <Button type="submit" variant="default" fullWidth>
                {t('app.signOut')}
              </Button>
            </form>
          </Stack>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
