import { createRoute } from '@tanstack/react-router';
import { LinkIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'attribution', module: 'attribution' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/campaigns',
  validateSearch: searchOf('events', 'filter', 'segment', 'only', 'open', ...ofChart, ...ofTable),
  component: page(async () => (await import('./CampaignsPage')).CampaignsPage, access),
});

export const campaigns = {
  name: 'campaigns',
  routes: [route],
  menu: [{ id: 'campaigns', route, access, label: 'nav.campaigns', icon: LinkIcon, area: 'analysis' }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
