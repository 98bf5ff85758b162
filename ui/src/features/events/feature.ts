import type { QueryClient } from '@tanstack/react-query';
import { createRoute } from '@tanstack/react-router';
import { BoltIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature, type Found } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;

const list = createRoute({
  getParentRoute: () => appRoute,
  path: '/events',
  validateSearch: searchOf(...ofChart, ...ofTable, 'filter', 'events'),
  component: page(async () => (await import('./EventsPage')).EventsPage, access),
});
const one = createRoute({
  getParentRoute: () => appRoute,
  path: '/events/$key',
  validateSearch: searchOf(...ofChart, ...ofTable, 'filter', 'segment'),
  component: page(async () => (await import('./EventPage')).EventPage, access),
});

/** The events of an app by name. */
async function find(appID: string, queries: QueryClient): Promise<Found[]> {
  const { eventList } = await import('../../parts/events/api');
  const { list = [], map = {} } = await queries.query(eventList(appID));
  return list.map((key) => ({ label: map[key]?.name ?? key, route: one, params: { key } }));
}

export const events = {
  name: 'events',
  routes: [list, one],
  menu: [
    {
      id: 'events',
      route: list,
      access,
      label: 'nav.events',
      icon: BoltIcon,
      area: 'figures',
      key: 'e',
    },
  ],
  finds: [{ id: 'event', group: 'palette.events', icon: BoltIcon, access, find }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
