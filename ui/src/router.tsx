import { useQuery } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Navigate,
  Outlet,
  stripSearchParams,
  useParams,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { Button } from '@mantine/core';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Shell } from './components/Shell';
import { Failed, Loading, Notice } from './components/States';
import { myApps, type App } from './features/apps/api';
import { AppSettingsPage } from './features/apps/AppSettingsPage';
import { CreateAppPage } from './features/apps/CreateAppPage';
import { firstOf } from './features/apps/last';
import { OverviewPage, views, type View } from './features/overview/OverviewPage';
import { parseMetric, type Metric } from './features/overview/figures';
import { defaultPeriod, formatPeriod, parsePeriod } from './lib/period';

const root = createRootRoute({
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
  notFoundComponent: Missing,
  errorComponent: ({ error }) => <Failed error={error} />,
});

const start = createRoute({ getParentRoute: () => root, path: '/', component: Start });

const newApp = createRoute({ getParentRoute: () => root, path: '/apps/new', component: CreateAppPage });

interface OverviewSearch {
  period: string;
  metric: Metric;
  view: View;
}

const overview = createRoute({
  getParentRoute: () => root,
  path: '/apps/$appId',
  validateSearch: (raw: Partial<Record<keyof OverviewSearch, unknown>> & SearchSchemaInput): OverviewSearch => ({
    period: formatPeriod(parsePeriod(raw.period)),
    metric: parseMetric(raw.metric),
    view: views.find((v) => v === raw.view) ?? 'chart',
  }),
  // What is as usual stays out of the address.
  search: { middlewares: [stripSearchParams({ period: formatPeriod(defaultPeriod), metric: 'sessions', view: 'chart' })] },
  component: () => <WithApp page={OverviewPage} />,
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/apps/$appId/settings',
  component: () => <WithApp page={AppSettingsPage} />,
});

export const router = createRouter({
  routeTree: root.addChildren([start, newApp, overview, settings]),
  basepath: '/dashboard',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Leads to an app, or to making the first one. */
function Start() {
  const apps = useQuery(myApps);
  if (apps.isError) return <Failed error={apps.error} retry={() => void apps.refetch()} />;
  if (apps.data === undefined) return <Loading />;
  const app = firstOf(apps.data);
  if (app === undefined) return <Navigate to="/apps/new" replace />;
  return <Navigate to="/apps/$appId" params={{ appId: app._id }} replace />;
}

/** Shows a page of the app in the path. */
function WithApp({ page: Page }: { page: ComponentType<{ app: App }> }) {
  const { appId } = useParams({ strict: false });
  const apps = useQuery(myApps);
  if (apps.isError) return <Failed error={apps.error} retry={() => void apps.refetch()} />;
  if (apps.data === undefined) return <Loading />;
  const app = apps.data.find((a) => a._id === appId);
  return app === undefined ? <Missing /> : <Page key={app._id} app={app} />;
}

function Missing() {
  const { t } = useTranslation();
  return (
    <Notice
      level={1}
      title={t('state.missing')}
      text={t('state.missingHint')}
      action={
        <Button component={Link} to="/" variant="light">
          {t('state.toStart')}
        </Button>
      }
    />
  );
}
