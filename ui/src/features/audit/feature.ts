import { createRoute } from '@tanstack/react-router';
import { HistoryIcon } from '../../components/icons';
import { withAnyApp } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { only: 'admin', module: 'systemlogs' } as const;

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/audit',
  validateSearch: searchOf('only', ...ofTable),
  component: withAnyApp(async () => (await import('./AuditPage')).AuditPage, access),
});

export const audit = {
  name: 'audit',
  routes: [route],
  menu: [
    {
      id: 'audit',
      route,
      access,
      label: 'nav.audit',
      icon: HistoryIcon,
      area: 'server',
    },
  ],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
