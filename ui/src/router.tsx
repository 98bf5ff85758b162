import { createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { Failed, Loading } from './components/States';
import { isLoadable } from './feature/guard';
import { appRoute, root, serverRoute } from './feature/routes';
import { features, type FeatureRoute } from './features';
import { arrival } from './lib/arrival';
import { base } from './lib/base';
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
  basepath: `${base}/dashboard`,
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error }) => <Failed error={error} />,
});

/** Loads the page that the address leads to, so that it is there when it is drawn. */
export async function fetchPage(): Promise<void> {
  const here: unknown = router.getMatchedRoutes(router.latestLocation.pathname)[2]?.id;
  const route = here === start.id ? '/apps/$appId/' : here; // the start leads on to an app
  const page = routes.find(({ id }) => id === route)?.options.component;
  if (isLoadable(page)) await page.fetch();
}

router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
  if (fromLocation !== undefined && pathChanged) arrival.begin();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
