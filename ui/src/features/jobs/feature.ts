import { createRoute } from '@tanstack/react-router';
import { ClockIcon } from '../../components/icons';
import { withAnyApp } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { only: 'admin' } as const;

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/jobs',
  validateSearch: searchOf(...ofTable),
  component: withAnyApp(async () => (await import('./JobsPage')).JobsPage, access),
});

export const jobs = {
  name: 'jobs',
  routes: [route],
  menu: [
    {
      id: 'jobs',
      route,
      access,
      label: 'nav.jobs',
      icon: ClockIcon,
      area: 'server',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
