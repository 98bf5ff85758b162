import { ActionIcon, AppShell, Box, Burger, Button, Group, Kbd, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { remember } from '../access/last';
import { me } from '../access/me';
import { useCurrentApp } from '../access/useCurrentApp';
import { useModules } from '../access/useModules';
import { ClockIcon, Logo, PlusIcon, SearchIcon } from '../components/icons';
import { later } from '../components/lazily';
import { Nothing } from '../components/Nothing';
import { useZone } from '../components/time/useZone';
import { isAllowed } from '../feature/access';
import { useArrival } from '../lib/arrival';
import { Account } from './Account';
import { AppSwitcher } from './AppSwitcher';
import { Areas } from './Areas';
import { Banner } from './Banner';
import { barParts } from './menu';
import { ToastList } from './ToastList';
import { useShortcuts } from './useShortcuts';

// Not needed for the first look: they open by a key or a click.
const Palette = later(async () => (await import('./Palette')).default, { instead: Nothing });
const ShortcutSheet = later(async () => (await import('./ShortcutSheet')).default, { instead: Nothing });

/** What surrounds every page: the app switcher, the areas, the palette, the account. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [menu, { toggle, close }] = useDisclosure(false);
  const [palette, paletteIs] = useDisclosure(false);
  const [sheet, sheetIs] = useDisclosure(false);
  const path = useRouterState({ select: (s) => s.location.pathname });
  const { apps, app, pending } = useCurrentApp();
  const member = useQuery(me).data;
  const modules = useModules();
  const said = useArrival();
  const bare = !pending && apps.length === 0; // until it is known, the frame is that of all but the first minute
  useShortcuts({ app, member, openPalette: paletteIs.open, openSheet: sheetIs.open });

  useEffect(close, [path, close]);
  useEffect(() => {
    if (app !== undefined) remember(app._id);
  }, [app]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !menu, desktop: bare } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#main">
        {t('app.skip')}
      </a>
      <AppShell.Header className="bar" px="md">
        <Group h="100%" gap="sm" wrap="nowrap">
          {!bare && <Burger opened={menu} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('app.menu')} aria-expanded={menu} />}
          <Link to="/" className="home" aria-label="Quipu" data-bare={bare}>
            <Logo />
            <Text component="span" fw={650} size="lg" visibleFrom="md" c="var(--mantine-color-text)">
              Quipu
            </Text>
          </Link>
          {pending ? <div className="app-switcher" /> : <AppSwitcher apps={apps} app={app} />}
          {member?.global_admin === true && !bare && (
            <Tooltip label={t('app.add')} withArrow>
              <ActionIcon component={Link} to="/apps/new" variant="default" size={36} aria-label={t('app.add')} visibleFrom="xs">
                <PlusIcon />
              </ActionIcon>
            </Tooltip>
          )}
          <Zone />
          <Box flex={1} />
          <Button variant="default" visibleFrom="md" leftSection={<SearchIcon size={16} />} rightSection={<Kbd size="xs">Ctrl K</Kbd>} onClick={paletteIs.open} fw={400}>
            {t('palette.open')}
          </Button>
          <ActionIcon variant="default" size={36} hiddenFrom="md" aria-label={t('palette.open')} onClick={paletteIs.open}>
            <SearchIcon size={18} />
          </ActionIcon>
          {(pending || member === undefined) && <Box w={36} />}
          {app !== undefined &&
            barParts.map(
              ({ id, access, part: Part }) =>
                isAllowed(access, member, app._id, modules) && (
                  <Box key={id} miw={36}>
                    <Part key={app._id} appID={app._id} />
                  </Box>
                ),
            )}
          <Account member={member} onShortcuts={sheetIs.open} />
        </Group>
        <Busy />
      </AppShell.Header>
      <AppShell.Navbar className="bar" p="sm" aria-label={t('nav.label')}>
        <Areas app={app} member={member} path={path} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Box maw={1280} mx="auto">
          {children}
        </Box>
      </AppShell.Main>
      <div className="visually-hidden" role="status" aria-live="polite">
        {said}
      </div>
      <Banner />
      <ToastList />
      {palette && <Palette app={app} apps={apps} member={member} onClose={paletteIs.close} onShortcuts={sheetIs.open} />}
      {sheet && <ShortcutSheet onClose={sheetIs.close} />}
    </AppShell>
  );
}

/** Shows that figures are on their way. What is loading says so itself to those who do not see it. */
function Busy() {
  const asked = useIsFetching({ predicate: ({ state }) => state.data === undefined });
  return asked === 0 ? null : <div className="busy" aria-hidden />;
}

/** The time zone of the page. Phones show it at the head of each page. */
function Zone() {
  const { zone, label } = useZone();
  if (zone === '') return null;
  return (
    <Group gap={6} wrap="nowrap" miw={0} visibleFrom="md" c="dimmed" title={label} className="bar-zone">
      <ClockIcon size={16} />
      <Text size="sm" truncate>
        <span className="visually-hidden">{`${label}: `}</span>
        {zone}
      </Text>
    </Group>
  );
}
