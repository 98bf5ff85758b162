import { createRoute } from '@tanstack/react-router';
import { PulseIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, searchOf } from '../../feature/search';

const access = { feature: 'active_users', module: 'active_users' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/active',
  validateSearch: searchOf('events', 'filter', 'segment', ...ofChart),
  component: page(async () => (await import('./ActiveUsersPage')).ActiveUsersPage, access),
});

export const activeusers = {
  name: 'activeusers',
  routes: [route],
  menu: [{ id: 'active', route, access, label: 'nav.active', icon: PulseIcon, area: 'figures' }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
