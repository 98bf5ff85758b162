import { createRoute } from '@tanstack/react-router';
import { DeviceIcon, GlobeIcon, LinkIcon, PinIcon, SpeechIcon, TagIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import type { Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;
const metricPage = () => import('./MetricPage');
const search = searchOf(...ofChart, ...ofTable, 'filter', 'tab');

const countries = createRoute({
  getParentRoute: () => appRoute,
  path: '/countries',
  validateSearch: searchOf(...ofChart, ...ofTable, 'filter'),
  component: page(async () => (await import('./CountriesPage')).CountriesPage, access),
});
const cities = createRoute({
  getParentRoute: () => appRoute,
  path: '/cities',
  validateSearch: search,
  component: page(async () => (await metricPage()).CitiesPage, access),
});
const languages = createRoute({
  getParentRoute: () => appRoute,
  path: '/languages',
  validateSearch: search,
  component: page(async () => (await metricPage()).LanguagesPage, access),
});
const sources = createRoute({
  getParentRoute: () => appRoute,
  path: '/sources',
  validateSearch: search,
  component: page(async () => (await metricPage()).SourcesPage, access),
});
const technology = createRoute({
  getParentRoute: () => appRoute,
  path: '/technology',
  validateSearch: search,
  component: page(async () => (await metricPage()).TechnologyPage, access),
});
const versions = createRoute({
  getParentRoute: () => appRoute,
  path: '/versions',
  validateSearch: search,
  component: page(async () => (await metricPage()).VersionsPage, access),
});

export const metrics = {
  name: 'metrics',
  routes: [countries, cities, languages, sources, technology, versions],
  menu: [
    {
      id: 'countries',
      route: countries,
      access,
      label: 'nav.countries',
      icon: GlobeIcon,
      area: 'people',
      key: 'c',
    },
    {
      id: 'cities',
      route: cities,
      access,
      label: 'nav.cities',
      icon: PinIcon,
      area: 'people',
    },
    {
      id: 'languages',
      route: languages,
      access,
      label: 'nav.languages',
      icon: SpeechIcon,
      area: 'people',
    },
    {
      id: 'sources',
      route: sources,
      access,
      label: 'nav.sources',
      icon: LinkIcon,
      area: 'people',
    },
    {
      id: 'technology',
      route: technology,
      access,
      label: 'nav.technology',
      icon: DeviceIcon,
      area: 'technology',
      key: 't',
    },
    {
      id: 'versions',
      route: versions,
      access,
      label: 'nav.versions',
      icon: TagIcon,
      area: 'technology',
    },
  ],
  finds: [{ id: 'dimension', group: 'palette.pages', icon: DeviceIcon, access, find: async () => (await import('./found')).found([{ page: 'technology', route: technology }, { page: 'versions', route: versions }]) }],
} as const satisfies Feature;
