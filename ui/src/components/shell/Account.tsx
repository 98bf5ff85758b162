import { ActionIcon, Button, Popover, SegmentedControl, Stack, Text, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { csrfToken } from '../../api/client';
import type { Me } from '../../features/account/api';
import { languages, speak, type Language } from '../../i18n';
import { PersonIcon } from '../icons';

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
            <form method="post" action="/logout" id="sign-out">
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

/** Light, dark, or as the system has it. */
export function ThemeChoice() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Choice
      label={t('app.theme')}
      value={colorScheme}
      onChange={setColorScheme}
      data={
        [
          { value: 'auto', label: t('app.themeAuto') },
          { value: 'light', label: t('app.themeLight') },
          { value: 'dark', label: t('app.themeDark') },
        ] satisfies { value: MantineColorScheme; label: string }[]
      }
    />
  );
}

export function LanguageChoice() {
  const { t, i18n } = useTranslation();
  return (
    <Choice
      label={t('app.language')}
      value={i18n.language as Language}
      onChange={(lang) => void speak(lang)}
      data={(Object.entries(languages) as [Language, string][]).map(([value, label]) => ({ value, label }))}
    />
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  data: { value: T; label: string }[];
}

function Choice<T extends string>({ label, value, onChange, data }: ChoiceProps<T>) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4} aria-hidden>
        {label}
      </Text>
      <SegmentedControl aria-label={label} fullWidth size="xs" value={value} onChange={onChange} data={data} />
    </div>
  );
}
