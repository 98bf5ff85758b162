import { createRoute } from '@tanstack/react-router';
import { EditIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/event-settings',
  validateSearch: searchOf('tab', ...ofTable),
  component: page(async () => (await import('./EventManagePage')).EventManagePage, access),
});

export const eventmanage = {
  name: 'eventmanage',
  routes: [route],
  menu: [
    {
      id: 'event-settings',
      route,
      access,
      label: 'nav.eventManage',
      icon: EditIcon,
      area: 'app',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
