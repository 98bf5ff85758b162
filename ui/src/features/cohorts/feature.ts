import { createRoute } from '@tanstack/react-router';
import { PeopleIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'cohorts', module: 'cohorts' } as const;

const list = createRoute({
  getParentRoute: () => appRoute,
  path: '/cohorts',
  validateSearch: searchOf('open', ...ofTable),
  component: page(async () => (await import('./CohortsPage')).CohortsPage, access),
});
const one = createRoute({
  getParentRoute: () => appRoute,
  path: '/cohorts/$cohortId',
  validateSearch: searchOf('open', ...ofTable),
  component: page(async () => (await import('./CohortPage')).CohortPage, access),
});

export const cohorts = {
  name: 'cohorts',
  routes: [list, one],
  menu: [{ id: 'cohorts', route: list, access, label: 'nav.cohorts', icon: PeopleIcon, area: 'people' }],
  finds: [{ id: 'cohort', group: 'palette.cohorts', icon: PeopleIcon, access, find: async (...asked) => (await import('./found')).found(one, ...asked) }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
