/** A value that changed: its place in the document, and what it was and is; undefined where it was not there. */
export interface Change {
  path: string;
  before: unknown;
  after: unknown;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values of a document by their places; empty objects and lists are values. */
function leaves(value: unknown, path: string, out: Map<string, unknown>): Map<string, unknown> {
  if (!isObject(value) || (Object.keys(value).length === 0 && path !== '')) {
    out.set(path, value);
    return out;
  }
  for (const [key, part] of Object.entries(value)) leaves(part, path === '' ? key : `${path}.${key}`, out);
  return out;
}

/** What differs between two documents, in the order of their fields; an undefined document has no field. */
export function differences(before: unknown, after: unknown): Change[] {
  const was = before === undefined ? new Map<string, unknown>() : leaves(before, '', new Map());
  const is = after === undefined ? new Map<string, unknown>() : leaves(after, '', new Map());
  const paths = [...new Set([...is.keys(), ...was.keys()])];
  return paths
    .map((path): Change => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((c) => JSON.stringify(c.before) !== JSON.stringify(c.after));
}

/** Writes a value of a document for people: texts as they are, everything else as JSON. */
export function writeJSON(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
