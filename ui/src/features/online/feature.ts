import { createRoute } from '@tanstack/react-router';
import { PersonIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { searchOf } from '../../feature/search';

const access = { feature: 'concurrent_users', module: 'concurrent_users' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/online',
  validateSearch: searchOf('as', 'figure', 'open'),
  component: page(async () => (await import('./OnlinePage')).OnlinePage, access),
});

export const online = {
  name: 'online',
  routes: [route],
  menu: [{ id: 'online', route, access, label: 'nav.online', icon: PersonIcon, area: 'figures' }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
