import { createRoute } from '@tanstack/react-router';
import { PeopleIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import type { Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/users',
  validateSearch: searchOf(...ofChart, ...ofTable, 'filter', 'tab'),
  component: page(async () => (await import('./UsersPage')).UsersPage, access),
});

export const users = {
  name: 'users',
  routes: [route],
  menu: [
    {
      id: 'users',
      route,
      access,
      label: 'nav.users',
      icon: PeopleIcon,
      area: 'figures',
      key: 'u',
    },
  ],
} as const satisfies Feature;
