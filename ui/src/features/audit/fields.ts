import type { TFunction } from 'i18next';
import { differences } from '../../lib/diff';
import type { Entry } from './api';

/** What the server keeps of every record by itself; named only where nothing else changed. */
const bookkeeping = new Set(['_id', 'app_id', 'created_at', 'edited_at', 'updated_at', 'owner', 'id_key', 'task_id']);

/** The label of a server setting, such as api.event_limit; undefined for all else. */
function settingText(t: TFunction, path: string): string | undefined {
  const name: unknown = t(`configs.names.${path}` as 'configs.names.api.city_data', { defaultValue: '' });
  return path.includes('.') && typeof name === 'string' && name !== '' ? name : undefined;
}

/** A field of a record, or of its parts, by the label that the pages give it; one that has none is written as its name reads. */
export function fieldText(t: TFunction, path: string): string {
  const setting = settingText(t, path);
  if (setting !== undefined) return setting;
  const [head = '', ...rest] = path.split('.');
  const read = head
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .trim();
  const name = t(`audit.fields.${head}` as 'audit.fields.name', { defaultValue: read.charAt(0).toUpperCase() + read.slice(1) });
  return rest.length === 0 ? name : `${name}: ${rest.join('.')}`;
}

/** What the fields that an entry is about are called, each once; those of parts by the record's own. */
export function changedFields(t: TFunction, { i: { before, after, update, args } }: Entry): string[] {
  const changes = differences(before, after ?? update);
  const all = (changes.length > 0 ? changes : differences(undefined, args)).map((c) => c.path).filter((path) => path !== '');
  const own = all.filter((path) => !bookkeeping.has(path.split('.')[0] ?? ''));
  return [...new Set((own.length > 0 ? own : all).map((path) => settingText(t, path) ?? fieldText(t, path.split('.')[0] ?? '')))];
}
