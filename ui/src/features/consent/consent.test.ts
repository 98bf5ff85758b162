import { expect, it } from 'vitest';
import { historyFilter, sides } from './api';

it.each([
  [{}, {}],
  [{ given: 'yes' }, { type: 'i' }],
  [{ given: 'no' }, { type: 'o' }],
  [{ feature: 'events' }, { 'change.events': { $exists: true } }],
  [{ feature: 'events', given: 'no' }, { 'change.events': false }],
])('filter of %j', (only, want) => expect(historyFilter(only)).toEqual(want));

it.each([
  [{ views: true, events: false, apm: true }, { given: ['apm', 'views'], withdrawn: ['events'] }],
  [undefined, { given: [], withdrawn: [] }],
])('sides of %j', (consent, want) => expect(sides(consent)).toEqual(want));
