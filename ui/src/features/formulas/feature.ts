import { createRoute } from '@tanstack/react-router';
import { FormulaIcon } from '../../components/icons';
import { page } from '../../feature/guard';
import { textsLike, type Feature } from '../../feature/manifest';
import { appRoute } from '../../feature/routes';
import { ofChart, ofTable, searchOf } from '../../feature/search';
import { making } from '../../lib/view';

const access = { feature: 'formulas', module: 'formulas' } as const;

const route = createRoute({
  getParentRoute: () => appRoute,
  path: '/formulas',
  validateSearch: searchOf('open', 'tab', 'segment', 'filter', ...ofChart, ...ofTable),
  component: page(async () => (await import('./FormulasPage')).FormulasPage, access),
});

export const formulas = {
  name: 'formulas',
  routes: [route],
  menu: [{ id: 'formulas', route, access, label: 'nav.formulas', icon: FormulaIcon, area: 'analysis' }],
  starts: [{ id: 'new-formula', label: 'formulas.add', route, access: { ...access, action: 'c' }, search: { open: making } }],
  finds: [{ id: 'formula', group: 'palette.formulas', icon: FormulaIcon, access, find: async (...asked) => (await import('./found')).found(route, ...asked) }],
  texts: textsLike<typeof import('./en.json')>(),
} as const satisfies Feature;
