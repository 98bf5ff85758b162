import { createRoute } from '@tanstack/react-router';
import { CodeIcon } from '../../components/icons';
import { whole } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';
import { searchOf } from '../../feature/search';

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/reference',
  validateSearch: searchOf('open', 'q'),
  component: whole(async () => (await import('./ReferencePage')).ReferencePage),
});

export const reference = {
  name: 'reference',
  routes: [route],
  menu: [
    {
      id: 'reference',
      route,
      access: {},
      label: 'nav.reference',
      icon: CodeIcon,
      area: 'server',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
