import { createRoute } from '@tanstack/react-router';
import { ClockIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import type { Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/sessions',
  validateSearch: searchOf(...ofChart, ...ofTable, 'filter'),
  component: page(async () => (await import('./SessionsPage')).SessionsPage, access),
});

export const sessions = {
  name: 'sessions',
  routes: [route],
  menu: [
    {
      id: 'sessions',
      route,
      access,
      label: 'nav.sessions',
      icon: ClockIcon,
      area: 'figures',
      key: 's',
    },
  ],
} as const satisfies Feature;
