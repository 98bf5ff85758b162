import { createRoute } from '@tanstack/react-router';
import { PinIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'geo', module: 'geo' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/places',
  validateSearch: searchOf(...ofChart, ...ofTable, 'open', 'filter'),
  component: page(async () => (await import('./PlacesPage')).PlacesPage, access),
});

export const places = {
  name: 'places',
  routes: [route],
  menu: [
    {
      id: 'places',
      route,
      access,
      label: 'nav.places',
      icon: PinIcon,
      area: 'people',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
