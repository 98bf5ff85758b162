import type { Kind } from './filter';

/** A property that conditions may be about. */
export interface Field {
  path: string;
  name: string;
  /** The heading under which it stands. */
  group: string;
  kind: Kind;
  /** Of which metric its values are, if of any. */
  metric?: string;
  /** Its values, where all are known. */
  values?: readonly string[];
  /** Values to suggest, where there may be others. */
  suggested?: readonly string[];
  /** Whether it is not offered where one is chosen; what asks by it has its name. */
  hidden?: boolean;
  /** How its values are written. */
  decode: (value: string) => string;
}

/** Properties by their headings, as menus list them: those that are offered, and what is chosen. */
export function grouped(fields: readonly Field[], chosen: readonly string[] = []): { group: string; items: { value: string; label: string }[] }[] {
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const f of fields.filter((f) => f.hidden !== true || chosen.includes(f.path))) groups.set(f.group, [...(groups.get(f.group) ?? []), { value: f.path, label: f.name }]);
  return [...groups].map(([group, items]) => ({ group, items }));
}
