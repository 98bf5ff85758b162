import { createRoute } from '@tanstack/react-router';
import { GridIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'times_of_day' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/times',
  validateSearch: searchOf('as', 'filter', 'segment', ...ofTable),
  component: page(async () => (await import('./TimesPage')).TimesPage, access),
});

export const times = {
  name: 'times',
  routes: [route],
  menu: [
    {
      id: 'times',
      route,
      access,
      label: 'nav.times',
      icon: GridIcon,
      area: 'figures',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
