import { createRoute } from '@tanstack/react-router';
import { FlowIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { searchOf } from '../../feature/search';

const access = { feature: 'flows', module: 'flows' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/flows',
  validateSearch: searchOf('tab', 'events', 'only', 'segment', 'filter', 'as'),
  component: page(async () => (await import('./FlowsPage')).FlowsPage, access),
});

export const flows = {
  name: 'flows',
  routes: [route],
  menu: [
    {
      id: 'flows',
      route,
      access,
      label: 'nav.flows',
      icon: FlowIcon,
      area: 'analysis',
      key: 'j',
    },
  ],
  finds: [{ id: 'flow', group: 'palette.flows', icon: FlowIcon, access, find: async (...asked) => (await import('./found')).found(route, ...asked) }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
