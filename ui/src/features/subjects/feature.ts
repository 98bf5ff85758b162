import { createRoute } from '@tanstack/react-router';
import { ShieldIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'users' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/subjects',
  validateSearch: searchOf('tab', 'only', 'open', ...ofTable),
  component: page(async () => (await import('./SubjectsPage')).SubjectsPage, access),
});

export const subjects = {
  name: 'subjects',
  routes: [route],
  menu: [
    {
      id: 'subjects',
      route,
      access,
      label: 'nav.subjects',
      icon: ShieldIcon,
      area: 'app',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
