import type { Document } from './api';

/** A type as the page shows it. */
export interface Shape {
  /** In words, as "list of App". */
  words: string;
  /** The types with fields that it is made of, by their names; those that are inside one another, too. */
  parts: Part[];
}

export interface Part {
  name: string;
  text: string;
  fields: { name: string; type: string; text: string; isSure: boolean }[];
}

/** Where a parameter stands. What is in a query may stand in a body, too, and the other way round. */
export type Where = 'path' | 'query' | 'body' | 'header';

/** How a value is typed in. */
export type Kind = 'text' | 'number' | 'flag' | 'choice' | 'json' | 'file';

export interface Parameter {
  name: string;
  where: Where;
  kind: Kind;
  type: string;
  text: string;
  isRequired: boolean;
  /** As it is sent; '' where there is none. */
  usual: string;
  example: string;
  /** What a choice is among. */
  values: string[];
  /** Of an object, or of the objects of a list: their names begin with the parameter's. */
  fields: Field[];
}

/** A field of a parameter. */
export interface Field {
  name: string;
  type: string;
  text: string;
  isRequired: boolean;
}

export interface Operation {
  id: string;
  verb: 'GET' | 'POST';
  path: string;
  group: string;
  summary: string;
  text: string;
  /** Whether it needs no credentials. */
  isPublic: boolean;
  parameters: Parameter[];
  /** Media types of what succeeds. */
  media: string[];
  shape: Shape;
  /** JSON as it may come, indented; '' where none is known. */
  example: string;
  /** Codes. */
  faults: string[];
}

export interface Group {
  name: string;
  text: string;
  operations: Operation[];
}

export interface Fault {
  cause: string;
  cure: string;
}

/** The API as its page shows it. */
export interface Description {
  version: string;
  text: string;
  groups: Group[];
  operations: Operation[];
  faults: Readonly<Record<string, Fault>>;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
const membersOf = (value: unknown): Members => (isObject(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []);

/** A value as it is sent: text as it is, all else as JSON; '' for none. */
function sent(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const prefix = '#/components/schemas/';

/** Reads the description of the API. */
export function describedBy(document: Document): Description {
  const { schemas } = document.components;
  const operations = Object.keys(document.paths)
    .sort()
    .flatMap((path) => Object.entries(document.paths[path] ?? {}).map(([verb, raw]) => operationOf(path, verb, raw, schemas)));
  const groups = document.tags
    .map(({ name, description }) => ({ name, text: description, operations: operations.filter((one) => one.group === name) }))
    .filter((group) => group.operations.length > 0);
  return { version: document.info.version, text: document.info.description, groups, operations: groups.flatMap((group) => group.operations), faults: document['x-quipu-faults'] };
}

function operationOf(path: string, verb: string, raw: Members, schemas: Members): Operation {
  const content = membersOf(membersOf(membersOf(raw.responses)['200']).content);
  const json = membersOf(content['application/json']);
  const listed = Array.isArray(raw.parameters) ? raw.parameters.filter(isObject).map((one) => parameterOf(one, schemas)) : [];
  return {
    id: textOf(raw.operationId),
    verb: verb === 'post' ? 'POST' : 'GET',
    path,
    group: textsOf(raw.tags)[0] ?? '',
    summary: textOf(raw.summary),
    text: textOf(raw.description),
    isPublic: Array.isArray(raw.security) && raw.security.length === 0,
    parameters: [...listed, ...bodyOf(raw.requestBody, schemas)].sort((a, b) => Number(b.isRequired) - Number(a.isRequired)),
    media: Object.keys(content),
    shape: shapeOf(json.schema, schemas),
    example: json.example === undefined ? '' : JSON.stringify(json.example, null, 2),
    faults: textsOf(raw['x-quipu-faults']),
  };
}

function parameterOf(raw: Members, schemas: Members): Parameter {
  const json = membersOf(raw.content)['application/json'];
  const where = raw.in === 'path' || raw.in === 'header' ? raw.in : 'query';
  const example = raw.example ?? membersOf(json).example;
  return fieldOf(textOf(raw.name), where, raw.required === true, membersOf(json === undefined ? raw.schema : membersOf(json).schema), schemas, textOf(raw.description), json !== undefined, example);
}

/** The parameters that stand in a body: in a form with files if there is one, for that has all of them. */
function bodyOf(raw: unknown, schemas: Members): Parameter[] {
  const content = membersOf(membersOf(raw).content);
  const media = content['multipart/form-data'] ?? content['application/x-www-form-urlencoded'] ?? content['application/json'];
  const schema = resolved(membersOf(membersOf(media).schema), schemas);
  const required = textsOf(schema.required);
  return Object.entries(membersOf(schema.properties)).map(([name, property]) => {
    const own = membersOf(property);
    const types = typesOf(own);
    const isJSON = own.format !== 'binary' && (types.length !== 1 || types[0] === 'object' || types[0] === 'array');
    const [example] = Array.isArray(own.examples) ? (own.examples as unknown[]) : [];
    return fieldOf(name, 'body', required.includes(name), own, schemas, textOf(own.description), isJSON, example);
  });
}

function fieldOf(name: string, where: Where, isRequired: boolean, schema: Members, schemas: Members, text: string, isJSON: boolean, example: unknown): Parameter {
  const values = Array.isArray(schema.enum) ? schema.enum.map(sent) : [];
  const [type = ''] = typesOf(schema);
  const kind = (): Kind => {
    if (schema.format === 'binary') return 'file';
    if (values.length > 0) return 'choice';
    if (isJSON) return 'json';
    if (type === 'boolean') return 'flag';
    return type === 'integer' || type === 'number' ? 'number' : 'text';
  };
  const words = schema.format === 'binary' ? 'file' : wordsOf(schema, schemas);
  return { name, where, kind: kind(), type: isJSON && words === 'anything' ? 'JSON' : words, text, isRequired, usual: sent(schema.default), example: sent(example), values, fields: isJSON ? fieldsOf(name, schema, schemas) : [] };
}

/** The fields of an object, or of the objects of a list. */
function fieldsOf(name: string, schema: Members, schemas: Members): Field[] {
  const own = isObject(schema.items) ? schema.items : schema;
  const start = own === schema ? `${name}.` : `${name}[].`;
  const required = textsOf(own.required);
  return Object.entries(membersOf(own.properties)).map(([field, type]) => ({
    name: start + field,
    type: wordsOf(membersOf(type), schemas),
    text: textOf(membersOf(type).description),
    isRequired: required.includes(field),
  }));
}

const typesOf = (schema: Members): string[] => (typeof schema.type === 'string' ? [schema.type] : textsOf(schema.type));
const nameOf = (schema: Members): string => textOf(schema.$ref).replace(prefix, '');
const resolved = (schema: Members, schemas: Members): Members => (schema.$ref === undefined ? schema : membersOf(schemas[nameOf(schema)]));

function wordsOf(schema: Members, schemas: Members): string {
  if (schema.$ref !== undefined) return nameOf(schema);
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => wordsOf(membersOf(one), schemas)).join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map(sent).join(' | ');
  if (isObject(schema.items)) return `list of ${wordsOf(schema.items, schemas)}`;
  if (isObject(schema.additionalProperties)) return `map of ${wordsOf(schema.additionalProperties, schemas)}`;
  return typesOf(schema).join(' or ') || 'anything';
}

/** How many types with fields are shown of one answer. */
const mostParts = 40;

function shapeOf(schema: unknown, schemas: Members): Shape {
  const parts = new Map<string, Part>();
  const visit = (one: Members, name: string) => {
    const named = nameOf(one);
    if (parts.has(named) || parts.size >= mostParts) return;
    const own = resolved(one, schemas);
    const required = textsOf(own.required);
    const properties = Object.entries(membersOf(own.properties));
    if (properties.length > 0) {
      parts.set(named || name, {
        name: named || name,
        text: textOf(own.description),
        fields: properties.map(([field, type]) => ({ name: field, type: wordsOf(membersOf(type), schemas), text: textOf(membersOf(type).description), isSure: required.includes(field) })),
      });
    }
    for (const inner of [own.items, own.additionalProperties, ...(Array.isArray(own.anyOf) ? (own.anyOf as unknown[]) : []), ...properties.map(([, type]) => type)]) {
      if (isObject(inner)) visit(inner, name);
    }
  };
  const root = membersOf(schema);
  visit(root, '');
  return { words: schema === undefined ? '' : wordsOf(root, schemas), parts: [...parts.values()] };
}
