import { createRoute } from '@tanstack/react-router';
import { HourglassIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'performance_monitoring', module: 'performance-monitoring' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/performance',
  validateSearch: searchOf('filter', 'segment', ...ofChart, ...ofTable),
  component: page(async () => (await import('./PerformancePage')).PerformancePage, access),
});

export const performance = {
  name: 'performance',
  routes: [route],
  menu: [{ id: 'performance', route, access, label: 'nav.performance', icon: HourglassIcon, area: 'analysis' }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
