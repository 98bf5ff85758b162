import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { csrfToken } from '../api/client';
import type { Me } from '../access/me';
import { LanguageChoice, ThemeChoice } from '../components/Choices';
import { base } from '../lib/base';

interface Props {
  member: Me | undefined;
  onShortcuts: () => void;
  onClose: () => void;
}

/** What opens at the sign of a person: who is signed in, and what belongs to a person rather than an app. */
export function AccountMenu({ member, onShortcuts, onClose }: Props) {
  const { t } = useTranslation();
  return (
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
        <Button component={Link} to="/manage/account" variant="default" onClick={onClose}>
          {t('nav.account')}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            onClose();
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
  );
}
