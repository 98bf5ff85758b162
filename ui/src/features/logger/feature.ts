import { createRoute } from '@tanstack/react-router';
import { ListIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'logger', module: 'logger' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/requests',
  validateSearch: searchOf('only', 'open', ...ofTable),
  component: page(async () => (await import('./LoggerPage')).LoggerPage, access),
});

export const logger = {
  name: 'logger',
  routes: [route],
  menu: [
    {
      id: 'requests',
      route,
      access,
      label: 'nav.logger',
      icon: ListIcon,
      area: 'app',
      key: 'r',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
