import { createRoute } from '@tanstack/react-router';
import { SettingsIcon } from '../../components/icons';
import { whole } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';
import { searchOf } from '../../feature/search';

const access = { only: 'admin' } as const;

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/settings',
  validateSearch: searchOf('tab'),
  component: whole(async () => (await import('./ServerSettingsPage')).ServerSettingsPage, access),
});

export const settings = {
  name: 'settings',
  routes: [route],
  menu: [
    {
      id: 'server',
      route,
      access,
      label: 'nav.server',
      icon: SettingsIcon,
      area: 'server',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
