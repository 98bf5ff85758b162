import { createRoute } from '@tanstack/react-router';
import { CoinsIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'revenue', module: 'revenue' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/revenue',
  validateSearch: searchOf('events', 'filter', 'segment', 'tab', ...ofChart, ...ofTable),
  component: page(async () => (await import('./RevenuePage')).RevenuePage, access),
});

export const revenue = {
  name: 'revenue',
  routes: [route],
  menu: [
    {
      id: 'revenue',
      route,
      access,
      label: 'nav.revenue',
      icon: CoinsIcon,
      area: 'analysis',
      key: 'y',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
