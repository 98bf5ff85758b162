import { createRoute } from '@tanstack/react-router';
import { HourglassIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'slipping_away_users', module: 'slipping-away-users' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/slipping',
  validateSearch: searchOf('as', 'segment', ...ofTable),
  component: page(async () => (await import('./SlippingPage')).SlippingPage, access),
});

export const slipping = {
  name: 'slipping',
  routes: [route],
  menu: [
    {
      id: 'slipping',
      route,
      access,
      label: 'nav.slipping',
      icon: HourglassIcon,
      area: 'people',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
