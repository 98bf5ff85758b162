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
  type RouteComponent,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { Button } from '@mantine/core';
import { Suspense, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Shell } from './components/shell/Shell';
import { Failed, Loading, Notice, Unloaded } from './components/States';
import { me } from './features/account/api';
import { may } from './features/account/rights';
import { myApps, type App } from './features/apps/api';
import { firstOf } from './features/apps/last';
import { arrival } from './lib/arrival';
import { later, lazily } from './lib/lazily';
import { useCarried } from './lib/useView';
import { parseView, usual, type View } from './lib/view';

/** A page that could not be loaded. */
const UnloadedPage = () => <Unloaded level={1} />;

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

const newApp = createRoute({
  getParentRoute: () => root,
  path: '/apps/new',
  component: later(async () => (await import('./features/apps/CreateAppPage')).CreateAppPage, UnloadedPage),
});

const app = createRoute({
  getParentRoute: () => root,
  path: '/apps/$appId',
  validateSearch: (raw: Partial<Record<keyof View, unknown>> & SearchSchemaInput): View => parseView(raw),
  // What is as usual stays out of the address.
  search: { middlewares: [stripSearchParams(usual)] },
});

type AppPage = ComponentType<{ app: App }>;

/** A page of an app that is loaded when it is opened, for those who may read the feature. */
function page(load: () => Promise<AppPage>, feature?: string, how: typeof later = later): RouteComponent {
  const Page = how(load, UnloadedPage);
  return function PageOfApp() {
    return <WithApp page={Page} feature={feature} />;
  };
}

/** Who may open a page that is about no app. */
type Audience = 'all' | 'admin' | 'reader';

/** A page about the server, or about oneself. */
function whole(load: () => Promise<ComponentType>, who: Audience = 'all'): RouteComponent {
  const Page = later(load, UnloadedPage);
  return function PageOfServer() {
    return <ForAudience who={who}>{() => <Page />}</ForAudience>;
  };
}

/** A page about the server whose calls want an app to be named, whichever: the last one that may be read. */
function withAnyApp(load: () => Promise<AppPage>, who: Audience): RouteComponent {
  const Page = later(load, UnloadedPage);
  return function PageOfServer() {
    return <ForAudience who={who}>{(app) => (app === undefined ? <Navigate to="/" replace /> : <Page app={app} />)}</ForAudience>;
  };
}

const metrics = () => import('./features/metrics/MetricPage');

const appPages = [
  createRoute({ getParentRoute: () => app, path: '/', component: page(async () => (await import('./features/overview/OverviewPage')).OverviewPage, 'core', lazily) }),
  createRoute({ getParentRoute: () => app, path: '/users', component: page(async () => (await import('./features/users/UsersPage')).UsersPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/sessions', component: page(async () => (await import('./features/sessions/SessionsPage')).SessionsPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/times', component: page(async () => (await import('./features/times/TimesPage')).TimesPage, 'times_of_day') }),
  createRoute({ getParentRoute: () => app, path: '/events', component: page(async () => (await import('./features/events/EventsPage')).EventsPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/events/$key', component: page(async () => (await import('./features/events/EventPage')).EventPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/views', component: page(async () => (await import('./features/views/ViewsPage')).ViewsPage, 'views') }),
  createRoute({ getParentRoute: () => app, path: '/views/$id', component: page(async () => (await import('./features/views/ViewPage')).ViewPage, 'views') }),
  createRoute({ getParentRoute: () => app, path: '/explore', component: page(async () => (await import('./features/explore/ExplorePage')).ExplorePage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/live', component: page(async () => (await import('./features/live/LivePage')).LivePage, 'events') }),
  createRoute({ getParentRoute: () => app, path: '/profiles', component: page(async () => (await import('./features/profiles/ProfilesPage')).ProfilesPage, 'users') }),
  createRoute({ getParentRoute: () => app, path: '/profiles/$uid', component: page(async () => (await import('./features/profiles/ProfilePage')).ProfilePage, 'users') }),
  createRoute({ getParentRoute: () => app, path: '/countries', component: page(async () => (await import('./features/metrics/CountriesPage')).CountriesPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/cities', component: page(async () => (await metrics()).CitiesPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/languages', component: page(async () => (await metrics()).LanguagesPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/sources', component: page(async () => (await metrics()).SourcesPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/technology', component: page(async () => (await metrics()).TechnologyPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/versions', component: page(async () => (await metrics()).VersionsPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/notes', component: page(async () => (await import('./features/notes/NotesPage')).NotesPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/ingestion', component: page(async () => (await import('./features/ingestion/IngestionPage')).IngestionPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/demo', component: page(async () => (await import('./features/demo/DemoPage')).DemoPage, 'populator') }),
  createRoute({ getParentRoute: () => app, path: '/slipping', component: page(async () => (await import('./features/slipping/SlippingPage')).SlippingPage, 'slipping_away_users') }),
  createRoute({ getParentRoute: () => app, path: '/event-settings', component: page(async () => (await import('./features/eventmanage/EventManagePage')).EventManagePage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/consent', component: page(async () => (await import('./features/consent/ConsentPage')).ConsentPage, 'compliance_hub') }),
  createRoute({ getParentRoute: () => app, path: '/subjects', component: page(async () => (await import('./features/subjects/SubjectsPage')).SubjectsPage, 'users') }),
  createRoute({ getParentRoute: () => app, path: '/requests', component: page(async () => (await import('./features/logger/LoggerPage')).LoggerPage, 'logger') }),
  createRoute({ getParentRoute: () => app, path: '/export', component: page(async () => (await import('./features/export/ExportPage')).ExportPage, 'core') }),
  createRoute({ getParentRoute: () => app, path: '/settings', component: page(async () => (await import('./features/apps/AppSettingsPage')).AppSettingsPage) }),
] as const;

const server = createRoute({
  getParentRoute: () => root,
  path: '/manage',
  validateSearch: (raw: Partial<Record<keyof View, unknown>> & SearchSchemaInput): View => parseView(raw),
  search: { middlewares: [stripSearchParams(usual)] },
});

const serverPages = [
  createRoute({ getParentRoute: () => server, path: '/apps', component: whole(async () => (await import('./features/manage/AppsPage')).AppsPage, 'admin') }),
  createRoute({ getParentRoute: () => server, path: '/members', component: whole(async () => (await import('./features/manage/MembersPage')).MembersPage, 'admin') }),
  createRoute({ getParentRoute: () => server, path: '/audit', component: withAnyApp(async () => (await import('./features/audit/AuditPage')).AuditPage, 'admin') }),
  createRoute({ getParentRoute: () => server, path: '/tasks', component: withAnyApp(async () => (await import('./features/tasks/TasksPage')).TasksPage, 'reader') }),
  createRoute({ getParentRoute: () => server, path: '/jobs', component: withAnyApp(async () => (await import('./features/jobs/JobsPage')).JobsPage, 'admin') }),
  createRoute({ getParentRoute: () => server, path: '/health', component: whole(async () => (await import('./features/health/HealthPage')).HealthPage, 'admin') }),
  createRoute({ getParentRoute: () => server, path: '/points', component: whole(async () => (await import('./features/health/DataPointsPage')).DataPointsPage, 'reader') }),
  createRoute({ getParentRoute: () => server, path: '/logs', component: whole(async () => (await import('./features/logs/LogsPage')).LogsPage, 'admin') }),
  createRoute({ getParentRoute: () => server, path: '/settings', component: whole(async () => (await import('./features/settings/ServerSettingsPage')).ServerSettingsPage, 'admin') }),
  createRoute({ getParentRoute: () => server, path: '/tokens', component: whole(async () => (await import('./features/manage/TokensPage')).TokensPage) }),
  createRoute({ getParentRoute: () => server, path: '/account', component: whole(async () => (await import('./features/manage/AccountPage')).AccountPage) }),
  createRoute({ getParentRoute: () => server, path: '/about', component: whole(async () => (await import('./features/manage/AboutPage')).AboutPage) }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([start, newApp, app.addChildren([...appPages]), server.addChildren([...serverPages])]),
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

/** Leads to an app, or to making the first one. */
function Start() {
  const apps = useQuery(myApps);
  const time = useCarried();
  if (apps.data === undefined) return apps.error === null ? <Loading /> : <Failed error={apps.error} retry={() => void apps.refetch()} />;
  const first = firstOf(apps.data);
  if (first === undefined) return <Navigate to="/apps/new" replace />;
  return <Navigate to="/apps/$appId" params={{ appId: first._id }} search={time} replace />;
}

/** Shows a page to those that it is for, with an app that they may read. */
function ForAudience({ who, children }: { who: Audience; children: (app: App | undefined) => ReactNode }) {
  const { t } = useTranslation();
  const apps = useQuery(myApps);
  const member = useQuery(me);
  const error = apps.error ?? member.error;
  if (apps.data === undefined || member.data === undefined) {
    return error === null ? <Loading /> : <Failed error={error} retry={() => void Promise.all([apps.refetch(), member.refetch()])} />;
  }
  const { data } = member;
  const readable = apps.data.filter((a) => may(data, a._id, 'core', 'r'));
  if (who === 'admin' && !data.global_admin) return <Notice level={1} title={t('state.forbidden')} text={t('state.adminsOnly')} />;
  if (who === 'reader' && readable.length === 0) return <Notice level={1} title={t('state.forbidden')} text={t('state.forbiddenHint', { feature: 'core' })} />;
  return <Suspense fallback={<Loading />}>{children(firstOf(readable))}</Suspense>;
}

/** Shows a page of the app in the path. */
function WithApp({ page: Page, feature }: { page: AppPage; feature: string | undefined }) {
  const { t } = useTranslation();
  const { appId } = useParams({ strict: false });
  const apps = useQuery(myApps);
  const member = useQuery(me);
  const error = apps.error ?? member.error;
  if (apps.data === undefined || member.data === undefined) {
    return error === null ? <Loading /> : <Failed error={error} retry={() => void Promise.all([apps.refetch(), member.refetch()])} />;
  }
  const found = apps.data.find((a) => a._id === appId);
  if (found === undefined) return <Missing />;
  if (feature !== undefined && !may(member.data, found._id, feature, 'r')) {
    return <Notice level={1} title={t('state.forbidden')} text={t('state.forbiddenHint', { feature })} />;
  }
  return (
    <Suspense fallback={<Loading />}>
      <Page key={found._id} app={found} />
    </Suspense>
  );
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
