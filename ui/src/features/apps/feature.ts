import { createRoute } from '@tanstack/react-router';
import { AppsIcon, SettingsIcon } from '../../components/icons';
import { bare, page, whole } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute, root, serverRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const admins = { only: 'admin' } as const;

const settings = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  component: page(async () => (await import('./AppSettingsPage')).AppSettingsPage),
});
const list = createRoute({
  getParentRoute: () => serverRoute,
  path: '/apps',
  validateSearch: searchOf(...ofTable),
  component: whole(async () => (await import('./AppsPage')).AppsPage, admins),
});
const create = createRoute({
  getParentRoute: () => root,
  path: '/apps/new',
  component: bare(async () => (await import('./CreateAppPage')).CreateAppPage),
});

export const apps = {
  name: 'apps',
  routes: [settings, list, create],
  menu: [
    {
      id: 'settings',
      route: settings,
      access: {},
      label: 'nav.settings',
      icon: SettingsIcon,
      area: 'app',
    },
    {
      id: 'apps',
      route: list,
      access: admins,
      label: 'nav.apps',
      icon: AppsIcon,
      area: 'server',
    },
  ],
  starts: [
    { id: 'new-app', label: 'app.add', route: create, access: admins },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
