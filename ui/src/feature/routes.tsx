import { createRootRoute, createRoute } from '@tanstack/react-router';
import { Failed } from '../components/States';
import { Missing } from './guard';
import { searchOf, withoutUsual } from './search';

/** The root of all routes. The shell, which is built from the list of features, becomes its component in router.tsx. */
export const root = createRootRoute({
  notFoundComponent: Missing,
  errorComponent: ({ error }) => <Failed error={error} />,
});

const time = searchOf('period', 'compare', 'match', 'zoom');

/** The parent of the pages of an app. They share the time. */
export const appRoute = createRoute({
  getParentRoute: () => root,
  path: '/apps/$appId',
  validateSearch: time,
  search: { middlewares: [withoutUsual<ReturnType<typeof time>>()] },
});

/** The parent of the pages about the server, and about oneself. */
export const serverRoute = createRoute({
  getParentRoute: () => root,
  path: '/manage',
  search: { middlewares: [withoutUsual()] },
});
