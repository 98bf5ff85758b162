import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { myApps } from '../access/apps';
import { firstOf } from '../access/last';
import { Failed, Loading } from '../components/States';
import { useCarried } from '../lib/useView';

/** Leads to an app, or to making the first one. */
export function Start() {
  const apps = useQuery(myApps);
  const time = useCarried();
  if (apps.data === undefined) return apps.error === null ? <Loading /> : <Failed error={apps.error} retry={() => void apps.refetch()} />;
  const first = firstOf(apps.data);
  if (first === undefined) return <Navigate to="/apps/new" replace />;
  return <Navigate to="/apps/$appId" params={{ appId: first._id }} search={time} replace />;
}
