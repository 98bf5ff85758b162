import { createRoute } from '@tanstack/react-router';
import { LinkIcon } from '../../components/icons';
import { page, whole } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute, serverRoute } from '../../feature/routes';
import { searchOf } from '../../feature/search';

const access = { feature: 'crashes', module: 'crashes-jira' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/issue-tracker',
  validateSearch: searchOf(),
  component: page(async () => (await import('./TrackerPage')).TrackerPage, access),
});
const jira = createRoute({
  getParentRoute: () => serverRoute,
  path: '/jira',
  validateSearch: searchOf(),
  component: whole(async () => (await import('./JiraPage')).JiraPage, { only: 'admin' }),
});

export const trackers = {
  name: 'trackers',
  routes: [route, jira],
  menu: [{ id: 'trackers', route, access, label: 'nav.trackers', icon: LinkIcon, area: 'app' }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
