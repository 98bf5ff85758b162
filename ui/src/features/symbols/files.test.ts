import { describe, expect, it } from 'vitest';
import { buildOf, platformFor, platformOf, refusedOf } from './files';

describe('platformOf', () => {
  it.each([
    ['mapping.txt', 'android'],
    ['Mapping.TXT.gz', 'android'],
    ['app.js.map', 'javascript'],
    ['app.js.map.gz', 'javascript'],
    ['symbols.zip', undefined],
  ])('%s', (name, want) => expect(platformOf(name)).toBe(want));
});

describe('refusedOf', () => {
  const most = { files: 2, bytes: 100 };
  const map = (name: string, size = 10) => ({ name, size });
  it.each([
    ['one mapping', [map('mapping.txt')], 'android', undefined],
    ['maps', [map('a.map'), map('b.map')], 'javascript', undefined],
    ['a program', [map('a.exe')], 'android', 'ending'],
    ['two mappings', [map('a.txt'), map('b.txt')], 'android', 'several'],
    ['names of Dart', [map('map.json')], 'android', undefined],
    ['JSON for scripts', [map('map.json')], 'javascript', 'ending'],
    ['too many maps', [map('a.map'), map('b.map'), map('c.map')], 'javascript', 'tooMany'],
    ['too large', [map('a.map', 60), map('b.map', 60)], 'javascript', 'tooLarge'],
  ])('%s', (_, files, platform, want) => expect(refusedOf(files, platform, most)).toBe(want));
});

it('names a build by what its crashes have', () => {
  const of = (version: string, build: string, uuid: string) => buildOf({ os: '', version, build, uuid, reports: 1, last: 0 });
  expect([of('1', '2', '3'), of('', '2', '3'), of('', '', '3')]).toEqual(['1', '2', '3']);
  expect([platformFor('Android'), platformFor('Windows'), platformFor('Mac OS X'), platformFor('iOS')]).toEqual(['android', 'javascript', 'javascript', undefined]);
});
