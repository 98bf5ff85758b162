import { createRoute } from '@tanstack/react-router';
import { CodeIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofTable, searchOf } from '../../feature/search';

const access = { feature: 'crashes', module: 'crash_symbolication' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/symbols',
  validateSearch: searchOf('open', ...ofTable),
  component: page(async () => (await import('./SymbolsPage')).SymbolsPage, access),
});

export const symbols = {
  name: 'symbols',
  routes: [route],
  menu: [{ id: 'symbols', route, access, label: 'nav.symbols', icon: CodeIcon, area: 'app' }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
