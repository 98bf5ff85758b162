import { createRoute } from '@tanstack/react-router';
import { InfoIcon } from '../../components/icons';
import { whole } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/about',
  component: whole(async () => (await import('./AboutPage')).AboutPage),
});

export const about = {
  name: 'about',
  routes: [route],
  menu: [
    {
      id: 'about',
      route,
      access: {},
      label: 'nav.about',
      icon: InfoIcon,
      area: 'server',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
