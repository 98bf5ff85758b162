import { readFilter } from '../../components/filter/filter';

/** What can be exported: people and rows of an app, or documents of the server. */
export const sources = ['people', 'rows', 'events', 'groups', 'notes', 'tasks', 'apps', 'members'] as const;
export type Source = (typeof sources)[number];

/** The name of the collection that holds a source. */
export function collectionOf(source: Source, appID: string): string {
  const names: Record<Source, string> = {
    people: `app_users${appID}`,
    rows: 'drill_events',
    events: 'events',
    groups: 'event_groups',
    notes: 'notes',
    tasks: 'long_tasks',
    apps: 'apps',
    members: 'members',
  };
  return names[source];
}

/** A filter for each source, to begin with. */
export const examples: Partial<Record<Source, string>> = {
  people: '{"cc": "DE", "sc": {"$gte": 2}}',
  rows: '{"e": "[CLY]_session"}',
};

/** What a person asks for. */
export interface Order {
  source: Source;
  /** JSON, or nothing for everything. */
  query: string;
  /** Names of fields; none for all. */
  fields: readonly string[];
  /** The field to order by, "-" before it for descending. */
  sort: string;
  limit: number | undefined;
  format: string;
  name: string;
}

/** The parameters of an export. */
export function paramsOf(order: Order, appID: string): Record<string, string | number | object> {
  const sort = order.sort.trim();
  return {
    collection: collectionOf(order.source, appID),
    app_id: appID,
    type: order.format,
    filename: order.name,
    query: readFilter(order.query) ?? {},
    ...(order.fields.length === 0 ? {} : { projection: Object.fromEntries(order.fields.map((f) => [f, 1])) }),
    ...(sort === '' || sort === '-' ? {} : { sort: sort.startsWith('-') ? { [sort.slice(1)]: -1 } : { [sort]: 1 } }),
    ...(order.limit === undefined ? {} : { limit: order.limit }),
  };
}
