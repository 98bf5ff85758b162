import type { Field } from '../../components/filter/field';
import type { Kind } from '../../components/filter/filter';
import type { Label, Properties } from '../../parts/properties/api';
import type { Meta } from './api';

/** A property of an app. */
export interface Row {
  path: string;
  /** The name that it was sent under, or that of the server. */
  name: string;
  label: string;
  description: string;
  hidden: boolean;
  kind: Kind;
  /** Whether it is one of events, one of users that the app made up, one of campaigns, or one of the server's own. */
  of: 'event' | 'custom' | 'campaign' | 'user';
  /** The events that have it. */
  events: readonly string[];
}

const kinds: Record<string, Kind> = { n: 'number', d: 'moment', a: 'any', s: 'text', l: 'text', bl: 'text' };

/** All properties of an app: those of events, each once, and those of users. */
export function rowsOf(known: Properties, labels: Readonly<Record<string, Label>>, people: readonly Field[], meta: Meta | undefined): Row[] {
  const rows = new Map<string, Row>();
  const add = (path: string, name: string, kind: Kind, of: Row['of'], event?: string) => {
    const { label = '', description = '', hidden = false } = labels[path] ?? {};
    const row = rows.get(path);
    if (row === undefined) rows.set(path, { path, name, label, description, hidden, kind, of, events: event === undefined ? [] : [event] });
    else rows.set(path, { ...row, kind: row.kind === kind ? kind : 'any', events: event === undefined ? row.events : [...row.events, event] });
  };
  for (const { key, properties } of known.events) for (const p of properties) add(`sg.${p.name}`, p.name, p.kind, 'event', key);
  for (const p of known.custom) add(`custom.${p.name}`, p.name, p.kind, 'custom');
  for (const f of people) if (!/^(custom\.|cmp\.|chr$)/.test(f.path)) add(`up.${f.path}`, f.name, f.kind, 'user');
  for (const [name, { type }] of Object.entries(meta?.up ?? {})) {
    const [path, of] = name.startsWith('custom.') ? ([name, 'custom'] as const) : name.startsWith('cmp.') ? ([name, 'campaign'] as const) : ([`up.${name}`, 'user'] as const);
    if (!rows.has(path)) add(path, name.replace(/^(custom|cmp)\./, ''), kinds[type] ?? 'any', of);
  }
  return [...rows.values()];
}

/** What people call a property. */
export const nameOf = ({ label, name }: Row): string => (label === '' ? name : label);
