import { createRoute } from '@tanstack/react-router';
import { EyeIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'views', module: 'views' } as const;

const list = createRoute({
  getParentRoute: () => appRoute,
  path: '/views',
  validateSearch: searchOf(...ofChart, ...ofTable, 'filter', 'events', 'only'),
  component: page(async () => (await import('./ViewsPage')).ViewsPage, access),
});
const one = createRoute({
  getParentRoute: () => appRoute,
  path: '/views/$id',
  validateSearch: searchOf(...ofChart, ...ofTable, 'filter', 'only'),
  component: page(async () => (await import('./ViewPage')).ViewPage, access),
});

export const views = {
  name: 'views',
  routes: [list, one],
  menu: [
    {
      id: 'views',
      route: list,
      access,
      label: 'nav.views',
      icon: EyeIcon,
      area: 'figures',
      key: 'v',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
