import type { App } from '../../access/apps';
import type { Entry } from './api';

type Fields = Record<string, unknown>;

/** The record that an entry is about: as it is after the change, else as it was, else as it was asked for. */
function recordOf({ i: { before, after, update, args } }: Entry): Fields {
  return [after, update, before, args].find((part): part is Fields => typeof part === 'object' && part !== null && !Array.isArray(part)) ?? {};
}

function firstText(record: Fields, fields: readonly string[]): string | undefined {
  return fields.map((field) => record[field]).find((value): value is string => typeof value === 'string' && value !== '');
}

/** Whether what was done was done to an app as such. */
const ofApps = (e: Entry) => e.a.startsWith('apps_');

/** The name of the app that an entry is about; undefined when it is about none. */
export function appOf(e: Entry, apps: readonly Pick<App, '_id' | 'name'>[]): string | undefined {
  const record = ofApps(e) ? recordOf(e) : {};
  const id = e.app_id ?? firstText(record, ['_id', 'app_id']);
  return apps.find((a) => a._id === id)?.name ?? firstText(record, ['name']) ?? id;
}

/** Who or what else an entry is about, as people call it: a member, a token, a note. */
export function subjectOf(e: Entry): string | undefined {
  return ofApps(e) ? undefined : firstText(recordOf(e), ['full_name', 'username', 'name', 'purpose', 'note', 'report_name']);
}
