import { createRoute } from '@tanstack/react-router';
import { FlaskIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'populator' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/demo',
  validateSearch: searchOf('open', ...ofTable),
  component: page(async () => (await import('./DemoPage')).DemoPage, access),
});

export const demo = {
  name: 'demo',
  routes: [route],
  menu: [
    {
      id: 'demo',
      route,
      access,
      label: 'nav.demo',
      icon: FlaskIcon,
      area: 'app',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
