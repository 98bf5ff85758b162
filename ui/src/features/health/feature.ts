import { createRoute } from '@tanstack/react-router';
import { GridIcon, HealthIcon } from '../../components/icons';
import { whole } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const healthy = { only: 'admin', module: 'system-utility' } as const;
const counted = { only: 'reader', module: 'server-stats' } as const;

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/health',
  validateSearch: searchOf('figure', 'as', 'tab', ...ofTable),
  component: whole(async () => (await import('./HealthPage')).HealthPage, healthy),
});
const points = createRoute({
  getParentRoute: () => serverRoute,
  path: '/points',
  validateSearch: searchOf('period', 'as', 'segment', ...ofTable),
  component: whole(async () => (await import('./DataPointsPage')).DataPointsPage, counted),
});

export const health = {
  name: 'health',
  routes: [route, points],
  menu: [
    {
      id: 'health',
      route,
      access: healthy,
      label: 'nav.health',
      icon: HealthIcon,
      area: 'server',
      key: 'h',
    },
    {
      id: 'points',
      route: points,
      access: counted,
      label: 'nav.points',
      icon: GridIcon,
      area: 'server',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
