import { createRoute } from '@tanstack/react-router';
import { AlertIcon } from '../../components/icons';
import { whole } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';
import { searchOf } from '../../feature/search';

const access = { only: 'admin', module: 'errorlogs' } as const;

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/logs',
  validateSearch: searchOf('tab', 'q', 'segment'),
  component: whole(async () => (await import('./LogsPage')).LogsPage, access),
});

export const logs = {
  name: 'logs',
  routes: [route],
  menu: [
    {
      id: 'logs',
      route,
      access,
      label: 'nav.logs',
      icon: AlertIcon,
      area: 'server',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
