import { createRoute } from '@tanstack/react-router';
import { AlertIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'crashes', module: 'crashes' } as const;

const list = createRoute({
  getParentRoute: () => appRoute,
  path: '/crashes',
  validateSearch: searchOf(...ofChart, ...ofTable, 'filter', 'only'),
  component: page(async () => (await import('./CrashesPage')).CrashesPage, access),
});
const ruling = createRoute({
  getParentRoute: () => appRoute,
  path: '/crash-rules',
  validateSearch: searchOf(),
  component: page(async () => (await import('./RulesPage')).RulesPage, access),
});
const one = createRoute({
  getParentRoute: () => appRoute,
  path: '/crashes/$id',
  validateSearch: searchOf(...ofChart, 'open', 'only', 'tab'),
  component: page(async () => (await import('./GroupPage')).GroupPage, access),
});

export const crashes = {
  name: 'crashes',
  routes: [list, one, ruling],
  menu: [{ id: 'crashes', route: list, access, label: 'nav.crashes', icon: AlertIcon, area: 'analysis', key: 'b' }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
