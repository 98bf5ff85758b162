import { createRoute } from '@tanstack/react-router';
import { FunnelIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/explore',
  validateSearch: searchOf('tab', 'events', 'filter', ...ofTable),
  component: page(async () => (await import('./ExplorePage')).ExplorePage, access),
});

export const explore = {
  name: 'explore',
  routes: [route],
  menu: [
    {
      id: 'explore',
      route,
      access,
      label: 'nav.explore',
      icon: FunnelIcon,
      area: 'figures',
      key: 'x',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
