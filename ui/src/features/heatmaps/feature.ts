import { createRoute } from '@tanstack/react-router';
import { FlameIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'views', module: 'views' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/heatmaps',
  validateSearch: searchOf(...ofTable, 'figure', 'as', 'filter', 'only'),
  component: page(async () => (await import('./HeatmapsPage')).HeatmapsPage, access),
});

export const heatmaps = {
  name: 'heatmaps',
  routes: [route],
  menu: [{ id: 'heatmaps', route, access, label: 'nav.heatmaps', icon: FlameIcon, area: 'figures' }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
