import { expect, it } from 'vitest';
import { rank } from './rank';

const items = ['Sessions', 'Overview', 'App versions', 'Reversals', 'Events'].map((label) => ({ label }));

it.each([
  ['', ['Sessions', 'Overview', 'App versions', 'Reversals', 'Events']],
  ['ver', ['App versions', 'Overview', 'Reversals']],
  ['EV', ['Events', 'Reversals', 'Overview']],
  ['ssn', ['Sessions']],
  ['zz', []],
])('%j finds %j', (text, want) => expect(rank(items, text).map((i) => i.label)).toEqual(want));
