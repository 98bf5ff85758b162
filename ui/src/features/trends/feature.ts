import { createRoute } from '@tanstack/react-router';
import { ChartIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'drill', module: 'drill' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/trends',
  validateSearch: searchOf('events', 'figure', 'filter', 'segment', 'tab', 'as', 'by', ...ofTable),
  component: page(async () => (await import('./TrendsPage')).TrendsPage, access),
});

export const trends = {
  name: 'trends',
  routes: [route],
  menu: [
    {
      id: 'trends',
      route,
      access,
      label: 'nav.trends',
      icon: ChartIcon,
      area: 'analysis',
      key: 'x',
    },
  ],
  finds: [{ id: 'report', group: 'palette.reports', icon: ChartIcon, access, find: async (...asked) => (await import('./found')).found(route, ...asked) }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
