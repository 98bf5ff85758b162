import { createRoute } from '@tanstack/react-router';
import { KeyIcon } from '../../components/icons';
import { making } from '../../lib/view';
import { whole } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tokens',
  validateSearch: searchOf('open', ...ofTable),
  component: whole(async () => (await import('./TokensPage')).TokensPage),
});

export const tokens = {
  name: 'tokens',
  routes: [route],
  menu: [
    {
      id: 'tokens',
      route,
      access: {},
      label: 'nav.tokens',
      icon: KeyIcon,
      area: 'server',
    },
  ],
  starts: [
    { id: 'new-token', label: 'tokens.add', route, access: {}, search: { open: making } },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
