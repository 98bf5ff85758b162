import { createRoute } from '@tanstack/react-router';
import { ShieldIcon } from '../../components/icons';
import { making } from '../../lib/view';
import { whole } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { only: 'admin' } as const;

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/members',
  validateSearch: searchOf('open', ...ofTable),
  component: whole(async () => (await import('./MembersPage')).MembersPage, access),
});

export const members = {
  name: 'members',
  routes: [route],
  menu: [
    {
      id: 'members',
      route,
      access,
      label: 'nav.members',
      icon: ShieldIcon,
      area: 'server',
      key: 'm',
    },
  ],
  starts: [
    { id: 'new-member', label: 'members.add', route, access, search: { open: making } },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
