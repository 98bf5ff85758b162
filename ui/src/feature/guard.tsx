import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams, type RouteComponent } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { myApps, type App } from '../access/apps';
import { firstOf } from '../access/last';
import { me } from '../access/me';
import { may } from '../access/rights';
import { later, type Lazy } from '../components/lazily';
import { Failed, Loading, Notice, Unloaded } from '../components/States';
import type { Access } from './access';

/** What stands for a page until it is loaded, and where it could not be. */
const unready = { meanwhile: Loading, instead: () => <Unloaded level={1} /> } as const;

type AppPage = ComponentType<{ app: App }>;

/** The component of a route, which loads its page when it is drawn first, or before, by fetch. */
export type Loadable = RouteComponent & Pick<Lazy<object>, 'fetch'>;

/** Whether the component of a route loads its page itself. */
export function isLoadable(component: RouteComponent | undefined): component is Loadable {
  return component !== undefined && 'fetch' in component;
}

/** A page of an app that is loaded when it is opened, for those who may read the feature. */
export function page(load: () => Promise<AppPage>, access: Pick<Access, 'feature'> = {}, how: typeof later = later): Loadable {
  const Page = how(load, unready);
  const PageOfApp = () => <WithApp page={Page} feature={access.feature} />;
  return Object.assign(PageOfApp, { fetch: Page.fetch });
}

/** A page about no app that is loaded when it is opened, for everybody. */
export function bare(load: () => Promise<ComponentType>): Loadable {
  return later(load, unready);
}

/** A page about the server, or about oneself. */
export function whole(load: () => Promise<ComponentType>, access: Pick<Access, 'only'> = {}): Loadable {
  const Page = later(load, unready);
  const PageOfServer = () => <ForAudience only={access.only}>{() => <Page />}</ForAudience>;
  return Object.assign(PageOfServer, { fetch: Page.fetch });
}

/** A page about the server whose calls want an app to be named, whichever: the last one that may be read. */
export function withAnyApp(load: () => Promise<AppPage>, access: Pick<Access, 'only'>): Loadable {
  const Page = later(load, unready);
  const PageOfServer = () => <ForAudience only={access.only}>{(app) => (app === undefined ? <Navigate to="/" replace /> : <Page app={app} />)}</ForAudience>;
  return Object.assign(PageOfServer, { fetch: Page.fetch });
}

/** Shows a page to those that it is for, with an app that they may read. */
function ForAudience({ only, children }: { only: Access['only']; children: (app: App | undefined) => ReactNode }) {
  const { t } = useTranslation();
  const apps = useQuery(myApps);
  const member = useQuery(me);
  const error = apps.error ?? member.error;
  if (apps.data === undefined || member.data === undefined) {
    return error === null ? <Loading /> : <Failed error={error} retry={() => void Promise.all([apps.refetch(), member.refetch()])} />;
  }
  const { data } = member;
  const readable = apps.data.filter((a) => may(data, a._id, 'core', 'r'));
  if (only === 'admin' && !data.global_admin) return <Notice level={1} title={t('state.forbidden')} text={t('state.adminsOnly')} />;
  if (only === 'reader' && readable.length === 0) return <Notice level={1} title={t('state.forbidden')} text={t('state.forbiddenHint', { feature: 'core' })} />;
  return children(firstOf(readable));
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
  return <Page key={found._id} app={found} />;
}

/** Shown where there is no page. */
export function Missing() {
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
