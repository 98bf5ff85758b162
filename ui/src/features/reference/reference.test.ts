import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from '../../api/answer';
import { Document } from './api';
import { found } from './find';
import { describedBy, type Operation } from './model';
import { beginning, missing, planOf, rawOf, unreadable } from './request';
import { languages, sampleOf } from './samples';

const result = { '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' }, example: { rows: [] } } } } };
const api = describedBy(
  parse('/openapi.json', Document, {
    info: { version: '1', description: 'All.' },
    tags: [{ name: 'notes', description: 'Notes.' }, { name: 'empty', description: 'Nothing.' }, { name: 'apps', description: 'Apps.' }],
    paths: {
      '/o/notes/{tail}': {
        get: {
          operationId: 'getNotes', summary: 'List notes', description: 'For every member.', tags: ['notes'], security: [{ bearer: [] }], responses: result, 'x-quipu-faults': ['notes.too_many', 'auth.locked'],
          parameters: [
            { name: 'limit', in: 'query', description: 'How many.', schema: { type: 'integer', default: 50 } },
            { name: 'sort', in: 'query', content: { 'application/json': { schema: {} } } },
            { name: 'tail', in: 'path', required: true, schema: { type: 'string' }, example: 'a b' },
          ],
        },
      },
      '/i/apps/create': {
        post: {
          operationId: 'postApps', summary: 'Create an app', description: '', tags: ['apps'], security: [{ bearer: [] }], responses: {},
          requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Body' } } } },
        },
      },
      '/i': { post: { operationId: 'postI', summary: 'Send', description: '', tags: ['apps'], security: [], responses: {}, parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }] } },
      '/i/upload': {
        post: {
          operationId: 'postUpload', summary: 'Upload', description: '', tags: ['apps'], security: [{ bearer: [] }], responses: {},
          requestBody: { content: { 'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' }, note: { type: 'string' } } } } } },
        },
      },
    },
    components: {
      schemas: {
        Body: {
          type: 'object', required: ['args'],
          properties: { args: { type: 'object', examples: [{ name: "Ann's" }], required: ['name'], properties: { name: { type: 'string', description: 'Its name.' }, tags: { type: 'array', items: { type: 'string' } } } }, list: { type: 'array', items: { type: ['object', 'string'], properties: { key: { type: 'string' } } } }, kind: { type: 'string', enum: ['web', 'mobile'] }, on: { type: 'boolean', default: false } },
        },
        Answer: { type: 'object', required: ['rows'], properties: { rows: { type: 'array', items: { $ref: '#/components/schemas/Row' } } } },
        Row: { type: 'object', description: 'A row.', properties: { in: { anyOf: [{ $ref: '#/components/schemas/Row' }, { type: 'null' }] }, more: { type: 'object', additionalProperties: { type: 'number' } } } },
      },
    },
    'x-quipu-faults': { 'notes.too_many': { cause: 'Too many.', cure: 'Delete some.' } },
  }),
);

function operation(id: string): Operation {
  const one = api.operations.find((each) => each.id === id);
  if (one === undefined) throw new Error(id);
  return one;
}

describe('what the server describes', () => {
  it('is in the groups that have operations, with all operations', () => {
    expect(api.groups.map(({ name, operations }) => [name, operations.map(({ id }) => id)])).toEqual([['notes', ['getNotes']], ['apps', ['postI', 'postApps', 'postUpload']]]);
    expect(operation('postI').isPublic).toBe(true);
    expect(operation('getNotes').isPublic).toBe(false);
  });

  it('has parameters of queries, paths and bodies, those that are required first', () => {
    expect(operation('getNotes').parameters.map(({ name, where, kind, type, usual, example }) => [name, where, kind, type, usual, example])).toEqual([
      ['tail', 'path', 'text', 'string', '', 'a b'],
      ['limit', 'query', 'number', 'integer', '50', ''],
      ['sort', 'query', 'json', 'JSON', '', ''],
    ]);
    expect(operation('postApps').parameters.map(({ name, kind, isRequired, usual, values }) => [name, kind, isRequired, usual, values])).toEqual([
      ['args', 'json', true, '', []],
      ['list', 'json', false, '', []],
      ['kind', 'choice', false, '', ['web', 'mobile']],
      ['on', 'flag', false, 'false', []],
    ]);
    expect(operation('postUpload').parameters.map(({ name, kind }) => [name, kind])).toEqual([['file', 'file'], ['note', 'text']]);
  });

  it('has the fields of parameters that are objects, or lists of them', () => {
    const fields = (name: string) => operation('postApps').parameters.find((p) => p.name === name)?.fields;
    expect(fields('args')).toEqual([
      { name: 'args.name', type: 'string', text: 'Its name.', isRequired: true },
      { name: 'args.tags', type: 'list of string', text: '', isRequired: false },
    ]);
    expect(fields('list')).toEqual([{ name: 'list[].key', type: 'string', text: '', isRequired: false }]);
    expect(fields('on')).toEqual([]);
  });

  it('has the types of answers, also of those that contain themselves', () => {
    const { words, parts } = operation('getNotes').shape;
    expect(words).toBe('Answer');
    expect(parts.map(({ name, fields }) => [name, fields.map((field) => [field.name, field.type, field.isSure])])).toEqual([
      ['Answer', [['rows', 'list of Row', true]]],
      ['Row', [['in', 'Row or null', false], ['more', 'map of number', false]]],
    ]);
  });
});

describe('the search', () => {
  const ids = (text: string) => found(api.operations, text).map((hit) => hit.operation.id);
  it.each([
    ['', ['getNotes', 'postI', 'postApps', 'postUpload']],
    ['/i', ['postI', 'postApps', 'postUpload']],
    ['create app', ['postApps']],
    ['NOTES.TOO_MANY', ['getNotes']],
    ['limit', ['getNotes']],
    ['notes kind', []],
  ])('for %j finds %j', (text, want) => expect(ids(text)).toEqual(want));

  it('says by what it found', () => {
    expect(found(api.operations, 'locked')[0]?.by).toEqual(['auth.locked']);
    expect(found(api.operations, 'notes')[0]?.by).toEqual([]);
  });
});

describe('a request', () => {
  it('has what is filled in where it belongs, and nothing else', () => {
    expect(planOf(operation('getNotes'), { tail: 'a b/ü', limit: '5', sort: '', other: 'x' })).toEqual({ verb: 'GET', address: '/o/notes/a%20b/%C3%BC?limit=5', headers: [], form: [], files: [] });
    expect(planOf(operation('getNotes'), {}).address).toBe('/o/notes/{tail}');
    expect(planOf(operation('postI'), { 'Idempotency-Key': 'k' }).headers).toEqual([['Idempotency-Key', 'k']]);
  });

  it('begins with examples, and with the app of the reader', () => {
    expect(beginning(operation('postApps'), undefined)).toEqual({ args: '{"name":"Ann\'s"}' });
    expect(missing(operation('postApps'), {})).toEqual(['args']);
    expect(unreadable(operation('postApps'), { args: '{' })).toEqual(['args']);
    expect(unreadable(operation('getNotes'), { sort: 'name' })).toEqual([]);
  });

  it('goes with the session, or with a key in the header and without the session', () => {
    const one = operation('postApps');
    expect(rawOf(one, { args: '{}' }, {}, '')).toMatchObject({ own: true, body: 'args=%7B%7D', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
    expect(rawOf(one, {}, {}, 'secret')).toMatchObject({ own: false, address: '/i/apps/create', headers: { Authorization: 'Bearer secret' } });
    expect(rawOf(operation('postI'), {}, {}, '').own).toBe(false);
    const { body, headers } = rawOf(operation('postUpload'), { note: 'n' }, { file: new File(['x'], 'a.txt') }, '');
    expect(headers).toEqual({});
    expect(body instanceof FormData && [...body.keys()]).toEqual(['note', 'file']);
  });
});

describe('samples', () => {
  const values = { args: '{"name":"Ann\'s \\"own\\" $HOME `id`"}', tail: 'x', note: 'n' };
  it.each(languages)('in %s have the address, what is filled in, and no key', (language) => {
    const code = sampleOf(language, operation('postApps'), values, 'https://quipu.example/base');
    expect(code).toContain('https://quipu.example/base/i/apps/create');
    expect(code).toContain('QUIPU_KEY');
    expect(sampleOf(language, operation('postI'), {}, '')).not.toContain('QUIPU_KEY');
  });

  const run = (file: string, code: string, command: string, ...args: string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'samples-'));
    try {
      writeFileSync(join(folder, file), code);
      return execFileSync(command, [...args, join(folder, file)], { encoding: 'utf8', env: { ...process.env, QUIPU_KEY: 'k' }, stdio: ['ignore', 'pipe', 'pipe'] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it.each(api.operations.map(({ id }) => id))('of %s are read by a shell, by Node and by gofmt', (id) => {
    const one = operation(id);
    run('a.sh', sampleOf('curl', one, values, ''), 'sh', '-n');
    run('a.mjs', sampleOf('JavaScript', one, values, ''), process.execPath, '--check');
    const go = sampleOf('Go', one, values, '');
    expect(run('a.go', go, 'gofmt').replaceAll(/[ \t]+/g, ' ')).toBe(`${go}\n`.replaceAll(/[ \t]+/g, ' '));
  });

  it('for a shell hand on what is filled in as it is', () => {
    const code = sampleOf('curl', operation('postApps'), values, '').replace('curl', "printf '%s\\n'");
    expect(run('a.sh', code, 'sh').split('\n')).toContain(`args=${values.args}`);
  });
});
