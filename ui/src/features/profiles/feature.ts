import { createRoute } from '@tanstack/react-router';
import { PersonIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'users' } as const;

const list = createRoute({
  getParentRoute: () => appRoute,
  path: '/profiles',
  validateSearch: searchOf('filter', ...ofTable),
  component: page(async () => (await import('./ProfilesPage')).ProfilesPage, access),
});
const one = createRoute({
  getParentRoute: () => appRoute,
  path: '/profiles/$uid',
  validateSearch: searchOf('filter', 'q', 'sort', 'page'),
  component: page(async () => (await import('./ProfilePage')).ProfilePage, access),
});

export const profiles = {
  name: 'profiles',
  routes: [list, one],
  menu: [
    {
      id: 'profiles',
      route: list,
      access,
      label: 'nav.profiles',
      icon: PersonIcon,
      area: 'people',
      key: 'p',
    },
  ],
  finds: [{ id: 'person', group: 'palette.people', icon: PersonIcon, access, ask: async (...asked) => (await import('./found')).found(one, ...asked) }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
