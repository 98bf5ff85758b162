import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';

export const Person = v.object({
  _id: v.string(),
  full_name: v.string(),
  username: v.string(),
});
export type Person = v.Of<typeof Person>;

/** An app with the members who have to do with it. */
export const Details = v.object({
  /** Times in seconds, 0 for never; profiles. */
  app: v.object({ owner: v.string(), created_at: v.number(), edited_at: v.number(), last_data: v.number(), last_data_users: v.number() }),
  global_admin: v.array(Person),
  admin: v.array(Person),
  user: v.array(Person),
});
export type Details = v.Of<typeof Details>;

export function appDetails(appID: string) {
  return queryOptions({
    queryKey: ['apps', appID, 'details'],
    queryFn: ({ signal }) => read('/o/apps/details', Details, { app_id: appID }, signal),
  });
}

/** Whether an app has ever received data; asked again until it has, though seldom: pages that wait listen to the live feed too. */
export function hasData(appID: string) {
  return queryOptions({
    queryKey: ['apps', appID, 'has-data'],
    queryFn: async ({ signal }) => {
      const { app } = await read('/o/apps/details', Details, { app_id: appID }, signal);
      return app.last_data > 0;
    },
    refetchInterval: ({ state }) => (state.data === true ? false : 15_000),
  });
}
