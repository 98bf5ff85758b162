import { createRoute } from '@tanstack/react-router';
import { TableIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'compare', module: 'compare' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/compare',
  validateSearch: searchOf('only', ...ofChart, ...ofTable),
  component: page(async () => (await import('./ComparePage')).ComparePage, access),
});

const events = createRoute({
  getParentRoute: () => appRoute,
  path: '/compare-events',
  validateSearch: searchOf('events', 'filter', ...ofChart, ...ofTable),
  component: page(async () => (await import('./EventsPage')).EventsPage, access),
});

export const compare = {
  name: 'compare',
  routes: [route, events],
  menu: [
    {
      id: 'compare',
      route,
      access,
      label: 'nav.compare',
      icon: TableIcon,
      area: 'figures',
    },
    {
      id: 'compareEvents',
      route: events,
      access,
      label: 'nav.compareEvents',
      icon: TableIcon,
      area: 'figures',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
