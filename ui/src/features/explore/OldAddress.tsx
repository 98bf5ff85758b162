import { Navigate } from '@tanstack/react-router';
import type { App } from '../../access/apps';
import { useView } from '../../lib/useView';
import { carried } from '../../lib/view';

/** Leads from the address of questions as they were to where they are asked now: those about people, and those about events. */
export function OldAddress({ app }: { app: App }) {
  const [view] = useView();
  const { events, filter } = view;
  const params = { appId: app._id };
  if (view.tab !== 'events' && events === '' && filter !== '') return <Navigate to="/apps/$appId/profiles" params={params} search={{ filter }} replace />;
  return <Navigate to="/apps/$appId/trends" params={params} search={{ ...carried(view), events, filter }} replace />;
}
