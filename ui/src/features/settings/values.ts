import * as v from '../../api/schema';
import { Value, type Declaration, type Schema, type Values } from './api';

/** A setting that a form shows. */
export interface Field extends Declaration {
  namespace: string;
  name: string;
  /** What holds now. */
  value: Value;
}

/** The namespace of the switches of features, which have a form of their own. */
const switches = 'plugins';

/** The settings of a schema with their values, by namespace; only those that an app may have of its own when that is asked for. */
export function fieldsOf(schema: Schema, values: Values, onlyPerApp: boolean): [string, Field[]][] {
  return Object.entries(schema)
    .filter(([namespace]) => namespace !== switches)
    .map(([namespace, list]): [string, Field[]] => [
      namespace,
      Object.entries(list)
        .filter(([, d]) => !onlyPerApp || d.per_app)
        .map(([name, d]): Field => {
          const { success, output } = v.safeParse(Value, values[namespace]?.[name]);
          return { ...d, namespace, name, value: success && typeof output === typeof d.default ? output : d.default };
        })
        .sort((a, b) => a.name.localeCompare(b.name)),
    ])
    .filter(([, fields]) => fields.length > 0)
    .sort(([a], [b]) => a.localeCompare(b));
}

/** What is wrong with a value, if anything. */
export function faultOf(d: Declaration, value: Value): 'number' | 'range' | undefined {
  if (d.type !== 'number') return undefined;
  if (typeof value !== 'number' || Number.isNaN(value)) return 'number';
  return value < d.min || (d.max > 0 && value > d.max) ? 'range' : undefined;
}

/** What differs between values and those drafted, in the form that the server takes. */
export function changed(fields: readonly Field[], draft: Readonly<Record<string, Value>>): Values {
  const out: Values = {};
  for (const f of fields) {
    const now = draft[keyOf(f)];
    if (now === undefined || now === f.value) continue;
    out[f.namespace] = { ...out[f.namespace], [f.name]: now };
  }
  return out;
}

/** Names a setting among all. */
export function keyOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}.${name}`;
}
