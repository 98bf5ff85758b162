import { createRoute } from '@tanstack/react-router';
import { InboxIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/ingestion',
  validateSearch: searchOf(...ofChart, ...ofTable),
  component: page(async () => (await import('./IngestionPage')).IngestionPage, access),
});

export const ingestion = {
  name: 'ingestion',
  routes: [route],
  menu: [
    {
      id: 'ingestion',
      route,
      access,
      label: 'nav.ingestion',
      icon: InboxIcon,
      area: 'app',
      key: 'i',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
