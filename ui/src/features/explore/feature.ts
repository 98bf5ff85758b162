import { createRoute } from '@tanstack/react-router';
import { EyeIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import type { Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { searchOf } from '../../feature/search';

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/explore',
  validateSearch: searchOf('tab', 'events', 'filter'),
  component: page(async () => (await import('./OldAddress')).OldAddress),
});

export const explore = {
  name: 'explore',
  routes: [route],
  finds: [{ id: 'view', group: 'palette.views', icon: EyeIcon, access: { feature: 'core' }, find: async (...asked) => (await import('./found')).found(...asked) }],
} as const satisfies Feature;
