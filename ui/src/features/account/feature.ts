import { createRoute } from '@tanstack/react-router';
import { PersonIcon } from '../../components/icons';
import { whole } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/account',
  validateSearch: searchOf(...ofTable),
  component: whole(async () => (await import('./AccountPage')).AccountPage),
});

export const account = {
  name: 'account',
  routes: [route],
  menu: [
    {
      id: 'account',
      route,
      access: {},
      label: 'nav.account',
      icon: PersonIcon,
      area: 'server',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
