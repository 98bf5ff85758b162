import type { RawRequest } from '../../api/raw';
import type { Operation, Parameter } from './model';

/** What is filled in, by parameter; files stand beside. */
export type Values = Readonly<Record<string, string>>;

/** What a request consists of, before it is one of a language or of the browser. */
export interface Plan {
  verb: Operation['verb'];
  /** The path with its query. */
  address: string;
  headers: [string, string][];
  /** Fields of a form. */
  form: [string, string][];
  files: string[];
}

/** The request that values make. Parameters without one stay out, but those that a path needs, which stand there by their names. */
export function planOf({ verb, path, parameters }: Operation, values: Values): Plan {
  const valueOf = ({ name }: Parameter) => values[name] ?? '';
  const given = parameters.filter((one) => valueOf(one) !== '' && one.kind !== 'file');
  const pairs = (where: Parameter['where']) => given.filter((one) => one.where === where).map((one): [string, string] => [one.name, valueOf(one)]);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '').replaceAll('%2F', '/') || `{${name}}`);
  const query = new URLSearchParams(pairs('query')).toString();
  return {
    verb,
    address: query === '' ? filled : `${filled}?${query}`,
    headers: pairs('header'),
    form: pairs('body'),
    files: parameters.filter(({ kind }) => kind === 'file').map(({ name }) => name),
  };
}

/** Parameters that a request lacks. */
export function missing({ parameters }: Operation, values: Values): string[] {
  return parameters.filter(({ name, isRequired, kind }) => isRequired && kind !== 'file' && (values[name] ?? '') === '').map(({ name }) => name);
}

/** Parameters whose text is no JSON although it must be. */
export function unreadable({ parameters }: Operation, values: Values): string[] {
  return parameters.filter(({ name, kind, type }) => kind === 'json' && (type === 'object' || type.startsWith('list')) && (values[name] ?? '') !== '' && !isJSON(values[name] ?? '')).map(({ name }) => name);
}

function isJSON(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The request for the browser. A key stands in the header, where no log of addresses has it; '' is one's own session. */
export function rawOf(operation: Operation, values: Values, files: Readonly<Record<string, File>>, key: string): RawRequest {
  const plan = planOf(operation, values);
  const headers: Record<string, string> = Object.fromEntries(plan.headers);
  if (key !== '') headers.Authorization = `Bearer ${key}`;
  const request: RawRequest = { verb: plan.verb, address: plan.address, headers, own: key === '' && !operation.isPublic };
  if (plan.verb === 'GET') return request;
  if (plan.files.length === 0) {
    headers['Content-Type'] = 'application/x-www-form-urlencoded';
    return { ...request, body: new URLSearchParams(plan.form).toString() };
  }
  const body = new FormData();
  for (const [name, value] of plan.form) body.set(name, value);
  for (const name of plan.files) {
    const file = files[name];
    if (file !== undefined) body.set(name, file);
  }
  return { ...request, body };
}

/** What a form begins with: examples of required parameters; an app is the one that the reader looked at last. */
export function beginning({ parameters }: Operation, app: { _id: string; key: string } | undefined): Record<string, string> {
  const out: Record<string, string> = {};
  for (const { name, isRequired, example, usual, values } of parameters) {
    if (name === 'app_id' && app !== undefined) out[name] = app._id;
    else if (name === 'app_key' && app !== undefined) out[name] = app.key;
    else if (isRequired) out[name] = example || usual || (values[0] ?? '');
  }
  return out;
}
