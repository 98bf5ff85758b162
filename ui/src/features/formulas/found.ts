import type { QueryClient } from '@tanstack/react-query';
import type { Found, Place } from '../../feature/manifest';
import { formulas } from './api';

/** The formulas of an app. */
export async function found(route: Place, appID: string, queries: QueryClient): Promise<Found[]> {
  return (await queries.query(formulas(appID))).map(({ _id, title, description }) => ({ label: title, ...(description === '' ? {} : { words: [description] }), route, search: { open: _id } }));
}
