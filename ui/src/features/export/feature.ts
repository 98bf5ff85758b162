import { createRoute } from '@tanstack/react-router';
import { DownloadIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/export',
  validateSearch: searchOf('only', ...ofTable),
  component: page(async () => (await import('./ExportPage')).ExportPage, access),
});

export const exports = {
  name: 'export',
  routes: [route],
  menu: [
    {
      id: 'export',
      route,
      access,
      label: 'nav.export',
      icon: DownloadIcon,
      area: 'app',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
