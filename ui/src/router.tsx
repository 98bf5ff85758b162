import { createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { Failed, Loading } from './components/States';
import { appRoute, root, serverRoute } from './feature/routes';
import { features, type FeatureRoute } from './features';
import { arrival } from './lib/arrival';
import { Shell } from './shell/Shell';
import { Start } from './shell/Start';

root.update({
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
});

const start = createRoute({ getParentRoute: () => root, path: '/', component: Start });

const routes: readonly FeatureRoute[] = features.flatMap((feature): readonly FeatureRoute[] => feature.routes);

type Below<P> = Extract<FeatureRoute, { options: { getParentRoute?: () => P } }>;

/** The routes of features below a route. */
function below<P>(parent: P): Below<P>[] {
  return routes.filter((route): route is Below<P> => route.options.getParentRoute() === parent);
}

export const router = createRouter({
  routeTree: root.addChildren([start, ...below(root), appRoute.addChildren(below(appRoute)), serverRoute.addChildren(below(serverRoute))]),
  basepath: '/dashboard',
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error }) => <Failed error={error} />,
});

router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
  if (fromLocation !== undefined && pathChanged) arrival.begin();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
