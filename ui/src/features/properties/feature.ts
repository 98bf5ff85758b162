import { createRoute } from '@tanstack/react-router';
import { TagIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/properties',
  validateSearch: searchOf('open', 'tab', ...ofTable),
  component: page(async () => (await import('./PropertiesPage')).PropertiesPage, access),
});

export const properties = {
  name: 'properties',
  routes: [route],
  menu: [{ id: 'properties', route, access, label: 'nav.properties', icon: TagIcon, area: 'app' }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
