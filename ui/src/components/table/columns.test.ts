import { expect, it } from 'vitest';
import { comparison, fileRows, isShown, toggled, type Column, type Form } from './columns';

interface Row {
  name: string;
  n: number;
}

const column = (title: string, form?: Form, times = 1): Column<Row> => ({
  key: title,
  title,
  numeric: true,
  ...(form === undefined ? {} : { form }),
  value: (r) => r.n * times,
  text: (r) => `${r.n}!`,
});
const name: Column<Row> = { key: 'name', title: 'Name', fixed: true, value: (r) => r.name, text: (r) => r.name };
const exactly = (title: string) => `${title}, exact`;

it('rounds as shown and has what is lost beside', () => {
  const rows = [
    { name: 'a', n: 28692.769999999993 },
    { name: 'b', n: 1.005 },
  ];
  expect(fileRows([name, column('Sum', 'amount'), column('Time', 'seconds')], rows, exactly)).toEqual([
    ['Name', 'Sum', 'Sum, exact', 'Time (s)', 'Time (s), exact'],
    ['a', 28692.77, 28692.77, 28693, 28692.77],
    ['b', 1.01, 1.005, 1, 1.005],
  ]);
});

it('has no second column where nothing is lost', () => {
  const rows = [
    { name: 'a', n: 0.30000000000000004 },
    { name: 'b', n: 1e21 },
  ];
  expect(fileRows([column('Sum', 'amount')], rows, exactly)).toEqual([['Sum'], [0.3], [1e21]]);
});

it('writes shares in per cent, and as text what is none', () => {
  const rows = [
    { name: 'a', n: 1 / 3 },
    { name: 'b', n: Infinity },
  ];
  expect(fileRows([column('Share', 'share'), { ...column('', 'share') }], rows, exactly)).toEqual([['Share (%)'], [33.3], ['Infinity!']]);
  expect(fileRows([column('Bounces', 'percent')], [{ name: 'a', n: 66.6666 }], exactly)).toEqual([['Bounces (%)'], [66.7]]);
});

it('compares as readers of a language do', () => {
  const sorted = (language: string, values: unknown[]) => [...values].sort(comparison(language));
  expect(sorted('de', ['z', 'ö', 'o', 'Z', 'a'])).toEqual(['a', 'o', 'ö', 'z', 'Z']);
  expect(sorted('sv', ['ö', 'z', 'o'])).toEqual(['o', 'z', 'ö']);
  expect(sorted('en', ['v10', 'v9'])).toEqual(['v9', 'v10']);
  expect(sorted('en', ['a', Infinity, 2, '1', Infinity, 10])).toEqual([2, 10, Infinity, Infinity, '1', 'a']);
});

it.each([
  ['a usual column', {}, ['', 'a', 'b,a'], [true, false, false]],
  ['a rare column', { rare: true }, ['', 'a', '!a', 'b,!a'], [false, false, true, true]],
  ['a column that names the row', { fixed: true }, ['', 'a'], [true, true]],
])('%s is shown until it is hidden, or once it is chosen', (_, how, hides, want) => {
  expect(hides.map((hide) => isShown(hide, { key: 'a', ...how }))).toEqual(want);
});

it.each([false, true])('a column, rare: %s, changes with every click, and no other does', (rare) => {
  const column = { key: 'a', rare };
  const once = toggled('b', column);
  expect([isShown('b', column), isShown(once, column), isShown(once, { key: 'b' })]).toEqual([!rare, rare, false]);
  expect(toggled(once, column)).toBe('b');
});
