import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { formats } from '../../lib/format';
import type { Field } from './field';
import { fromWire, nothing } from './filter';
import { wordsOf } from './words';

const t = ((key: string) => key.replace(/^filter\.(op\.)?/, '')) as unknown as TFunction;
const country: Field = { path: 'cc', name: 'Country', group: '', kind: 'text', decode: (text) => (text === 'DE' ? 'Germany' : text) };
const seen: Field = { path: 'lac', name: 'Last seen', group: '', kind: 'moment', decode: (text) => text };

const say = (filter: object) => wordsOf(fromWire(filter, (path) => (path === 'lac' ? 'moment' : path === 'n' ? 'number' : 'text')) ?? nothing, [country, seen], t, formats('en-GB'), 'Europe/Berlin');

it.each([
  [{}, ''],
  [{ cc: { $in: ['DE', 'FR'] } }, 'Country is Germany, FR'],
  [{ cc: { $in: ['DE'] } }, 'Country equals Germany'],
  [{ $or: [{ n: { $gt: 1.5 } }, { $and: [{ cc: { $nin: ['DE'] } }, { x: { $exists: true } }] }] }, 'n above 1.50 or (Country differs Germany and x known)'],
  [{ n: { $gte: 1, $lte: 2 } }, 'n between 1 – 2'],
  [{ lac: { $gte: 1_767_225_600 } }, 'Last seen since 1 Jan 2026, 01:00'],
])('says %j', (filter, want) => expect(say(filter)).toBe(want));
