import { createRoute } from '@tanstack/react-router';
import { lazily } from '../../components/lazily';
import { ChartIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import type { Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;

const start = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  validateSearch: searchOf(...ofChart, ...ofTable, 'filter'),
  component: page(async () => (await import('./OverviewPage')).OverviewPage, access, lazily),
});

export const overview = {
  name: 'overview',
  routes: [start],
  menu: [
    {
      id: 'overview',
      route: start,
      access,
      label: 'nav.overview',
      icon: ChartIcon,
      area: 'figures',
      key: 'o',
    },
  ],
} as const satisfies Feature;
