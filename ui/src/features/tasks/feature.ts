import { createRoute } from '@tanstack/react-router';
import { lazily } from '../../components/lazily';
import { Nothing } from '../../components/Nothing';
import { TasksIcon } from '../../components/icons';
import { withAnyApp } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { serverRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { only: 'reader' } as const;

const route = createRoute({
  getParentRoute: () => serverRoute,
  path: '/tasks',
  validateSearch: searchOf('only', 'open', ...ofTable),
  component: withAnyApp(async () => (await import('./TasksPage')).TasksPage, access),
});

export const tasks = {
  name: 'tasks',
  routes: [route],
  menu: [
    {
      id: 'tasks',
      route,
      access,
      label: 'nav.tasks',
      icon: TasksIcon,
      area: 'server',
      key: 'k',
    },
  ],
  bar: [{ id: 'tasks', access: { feature: 'core' }, part: lazily(async () => (await import('./TaskBell')).default, { instead: Nothing }) }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
