import { ActionIcon, AppShell, Box, Burger, Button, Group, NavLink, Popover, SegmentedControl, Select, Stack, Text, Tooltip, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { csrfToken } from '../api/client';
import { me, myApps, type App } from '../features/apps/api';
import { remember } from '../features/apps/last';
import { languages, speak, type Language } from '../i18n';
import { ChartIcon, Logo, PersonIcon, PlusIcon, SettingsIcon } from './icons';

/** What surrounds every page: the app switcher, the areas, the account. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [open, { toggle, close }] = useDisclosure(false);
  const { appId } = useParams({ strict: false });
  const apps = useQuery(myApps);
  const path = useRouterState({ select: (s) => s.location.pathname });
  const app = apps.data?.find((a) => a._id === appId);

  useEffect(close, [path, close]);
  useEffect(() => {
    if (app !== undefined) remember(app._id);
    document.title = app === undefined ? 'Quipu' : `${app.name} · Quipu`;
  }, [app]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !open, desktop: app === undefined } }}
      padding="md"
    >
      <a className="skip-link" href="#main">
        {t('app.skip')}
      </a>
      <AppShell.Header className="bar" px="md">
        <Group h="100%" gap="sm" wrap="nowrap">
          {app !== undefined && (
            <Burger opened={open} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('app.menu')} aria-expanded={open} />
          )}
          <Link to="/" className="home" aria-label="Quipu">
            <Logo />
            <Text component="span" fw={650} size="lg" visibleFrom="sm" c="var(--mantine-color-text)">
              Quipu
            </Text>
          </Link>
          <AppSwitcher apps={apps.data ?? []} app={app} />
          <Box flex={1} />
          <Account />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="bar" p="sm" aria-label={t('nav.label')}>
        {app !== undefined && <Areas app={app} path={path} />}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Box maw={1280} mx="auto">
          {children}
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

function Areas({ app, path }: { app: App; path: string }) {
  const { t } = useTranslation();
  const items = [
    { to: `/apps/${app._id}`, label: t('nav.overview'), icon: <ChartIcon /> },
    { to: `/apps/${app._id}/settings`, label: t('nav.settings'), icon: <SettingsIcon /> },
  ];
  return items.map(({ to, label, icon }) => (
    <NavLink
      key={to}
      component={Link}
      to={to}
      activeOptions={{ exact: true, includeSearch: false }}
      label={label}
      leftSection={icon}
      active={path.replace(/\/$/, '') === to}
      className="area"
    />
  ));
}

function AppSwitcher({ apps, app }: { apps: App[]; app: App | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const member = useQuery(me);
  if (apps.length === 0) return null;
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      <Select
        aria-label={t('app.choose')}
        placeholder={t('app.find')}
        data={apps.map((a) => ({ value: a._id, label: a.name }))}
        value={app?._id ?? null}
        searchable
        limit={100}
        allowDeselect={false}
        nothingFoundMessage={t('app.nothingFound')}
        onChange={(id) => {
          if (id !== null) void navigate({ to: '/apps/$appId', params: { appId: id } });
        }}
        w={220}
        miw={0}
        comboboxProps={{ width: 280, position: 'bottom-start' }}
      />
      {member.data?.global_admin === true && (
        <Tooltip label={t('app.add')} withArrow>
          <ActionIcon component={Link} to="/apps/new" variant="default" size={36} aria-label={t('app.add')}>
            <PlusIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

function Account() {
  const { t, i18n } = useTranslation();
  const member = useQuery(me);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus width={272}>
      <Popover.Target>
        <ActionIcon variant="default" size={36} radius="xl" aria-label={t('app.actions')}>
          <PersonIcon />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('app.actions')}>
        <Stack gap="md">
          {member.data !== undefined && (
            <div className="breakable">
              <Text fw={600}>{member.data.full_name}</Text>
              <Text size="sm" c="dimmed">
                {member.data.email}
              </Text>
            </div>
          )}
          <Choice
            label={t('app.theme')}
            value={colorScheme}
            onChange={setColorScheme}
            data={[
              { value: 'auto', label: t('app.themeAuto') },
              { value: 'light', label: t('app.themeLight') },
              { value: 'dark', label: t('app.themeDark') },
            ] satisfies { value: MantineColorScheme; label: string }[]}
          />
          <Choice
            label={t('app.language')}
            value={i18n.language as Language}
            onChange={(lang) => void speak(lang)}
            data={(Object.entries(languages) as [Language, string][]).map(([value, label]) => ({ value, label }))}
          />
          <form method="post" action="/logout">
            <input type="hidden" name="_csrf" value={csrfToken()} />
            <Button type="submit" variant="default" fullWidth>
              {t('app.signOut')}
            </Button>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
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
