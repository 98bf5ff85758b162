import { createRoute } from '@tanstack/react-router';
import { PulseIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import type { Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'events' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/live',
  validateSearch: searchOf('as', 'q', ...ofTable),
  component: page(async () => (await import('./LivePage')).LivePage, access),
});

export const live = {
  name: 'live',
  routes: [route],
  menu: [
    {
      id: 'live',
      route,
      access,
      label: 'nav.live',
      icon: PulseIcon,
      area: 'figures',
      key: 'l',
    },
  ],
} as const satisfies Feature;
