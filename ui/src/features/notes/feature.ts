import { createRoute } from '@tanstack/react-router';
import { NoteIcon } from '../../components/icons';
import { making } from '../../lib/view';
import { page } from '../../feature/guard';
import type { Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'core' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/notes',
  validateSearch: searchOf('open', ...ofTable),
  component: page(async () => (await import('./NotesPage')).NotesPage, access),
});

export const notes = {
  name: 'notes',
  routes: [route],
  menu: [
    {
      id: 'notes',
      route,
      access,
      label: 'nav.notes',
      icon: NoteIcon,
      area: 'app',
      key: 'n',
    },
  ],
  starts: [
    { id: 'new-note', label: 'notes.add', route, access: { ...access, action: 'c' }, search: { open: making } },
  ],
} as const satisfies Feature;
