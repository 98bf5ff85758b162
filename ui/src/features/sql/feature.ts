import { createRoute } from '@tanstack/react-router';
import { TableIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { searchOf } from '../../feature/search';

const access = { feature: 'sql', module: 'sql' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/sql',
  validateSearch: searchOf('open', 'as'),
  component: page(async () => (await import('./SqlPage')).SqlPage, access),
});

export const sql = {
  name: 'sql',
  routes: [route],
  menu: [{ id: 'sql', route, access, label: 'nav.sql', icon: TableIcon, area: 'analysis' }],
  finds: [{ id: 'query', group: 'palette.queries', icon: TableIcon, access, find: async (...asked) => (await import('./found')).found(route, ...asked) }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
