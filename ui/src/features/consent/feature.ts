import { createRoute } from '@tanstack/react-router';
import { CheckIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'compliance_hub', module: 'compliance-hub' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/consent',
  validateSearch: searchOf('tab', 'only', ...ofTable),
  component: page(async () => (await import('./ConsentPage')).ConsentPage, access),
});

export const consent = {
  name: 'consent',
  routes: [route],
  menu: [
    {
      id: 'consent',
      route,
      access,
      label: 'nav.consent',
      icon: CheckIcon,
      area: 'app',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
