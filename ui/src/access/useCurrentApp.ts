import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { myApps, type App } from './apps';
import { firstOf } from './last';

/** The app that the page is about; elsewhere the one that was open last. */
export function useCurrentApp(): { apps: App[]; app: App | undefined; pending: boolean } {
  const { appId } = useParams({ strict: false });
  const { data: apps = [], isPending } = useQuery(myApps);
  return { apps, pending: isPending, app: appId === undefined ? firstOf(apps) : apps.find((a) => a._id === appId) };
}
