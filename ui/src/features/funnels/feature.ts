import { createRoute } from '@tanstack/react-router';
import { FunnelIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'funnels', module: 'funnels' } as const;

const list = createRoute({
  getParentRoute: () => appRoute,
  path: '/funnels',
  validateSearch: searchOf('open', 'events', 'filter', ...ofTable),
  component: page(async () => (await import('./FunnelsPage')).FunnelsPage, access),
});
const one = createRoute({
  getParentRoute: () => appRoute,
  path: '/funnels/$funnelId',
  validateSearch: searchOf('open', 'as', 'segment', 'filter', 'only'),
  component: page(async () => (await import('./FunnelPage')).FunnelPage, access),
});

export const funnels = {
  name: 'funnels',
  routes: [list, one],
  menu: [
    {
      id: 'funnels',
      route: list,
      access,
      label: 'nav.funnels',
      icon: FunnelIcon,
      area: 'analysis',
      key: 'f',
    },
  ],
  finds: [{ id: 'funnel', group: 'palette.funnels', icon: FunnelIcon, access, find: async (...asked) => (await import('./found')).found(one, ...asked) }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
