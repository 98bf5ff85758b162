import { expect, it } from 'vitest';
import type { App } from '../../access/apps';
import { chosenOf, mostDrawn } from './rows';

const apps = Array.from({ length: 9 }, (_, i) => ({ _id: `${i}`.repeat(24), name: `App ${i}` }) as App);
const ids = (...of: number[]) => of.map((i) => `${i}`.repeat(24)).join(',');

it('chooses apps in the order of the address, each once', () => {
  expect(chosenOf(ids(3, 1, 3), apps).map((a) => a.name)).toEqual(['App 3', 'App 1']);
});

it('leaves out what is unknown and too much', () => {
  expect(chosenOf('', apps)).toEqual([]);
  expect(chosenOf(`x,,${ids(2)}`, apps).map((a) => a.name)).toEqual(['App 2']);
  expect(chosenOf(ids(0, 1, 2, 3, 4, 5, 6, 7), apps)).toHaveLength(mostDrawn);
});
