import { createRoute } from '@tanstack/react-router';
import { HistoryIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, searchOf } from '../../feature/search';

const access = { feature: 'retention_segments', module: 'retention_segments' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/retention',
  validateSearch: searchOf('events', 'only', 'filter', 'segment', 'tab', ...ofChart),
  component: page(async () => (await import('./RetentionPage')).RetentionPage, access),
});

export const retention = {
  name: 'retention',
  routes: [route],
  menu: [
    {
      id: 'retention',
      route,
      access,
      label: 'nav.retention',
      icon: HistoryIcon,
      area: 'analysis',
      key: 'z',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
