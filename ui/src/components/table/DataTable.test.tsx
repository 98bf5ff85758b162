// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { laterTexts as features } from '../../features';
import { laterTexts, start } from '../../i18n';
import { found, nextSort, parseSort, type Column } from './columns';
import { DataTable } from './DataTable';

interface City {
  name: string;
  people: number;
}

const columns: Column<City>[] = [
  { key: 'name', title: 'City', fixed: true, value: (c) => c.name, text: (c) => c.name },
  { key: 'people', title: 'People', numeric: true, value: (c) => c.people, text: (c) => `${c.people} k` },
  { key: 'half', title: 'Half', numeric: true, value: (c) => c.people / 2, text: (c) => `${c.people / 2} k` },
];
const cities: City[] = [
  { name: 'Bonn', people: 336 },
  { name: 'Aachen', people: 252 },
  { name: 'Cologne', people: 1087 },
];

beforeAll(async () => {
  await start(features, 'en');
  await laterTexts();
});

function show(pageSize?: number) {
  render(
    <MantineProvider>
      <DataTable caption="Cities" file="cities" columns={columns} rows={cities} {...(pageSize === undefined ? {} : { pageSize })} />
    </MantineProvider>,
  );
  return userEvent.setup();
}

function names(): (string | null)[] {
  const [, body] = within(screen.getByRole('table', { name: 'Cities' })).getAllByRole('rowgroup');
  if (body === undefined) return [];
  return within(body)
    .queryAllByRole('row')
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent ?? null);
}

it('keeps the given order until a column is chosen', async () => {
  const user = show();
  expect(names()).toEqual(['Bonn', 'Aachen', 'Cologne']);
  await user.click(screen.getByRole('button', { name: 'City' }));
  expect(names()).toEqual(['Aachen', 'Bonn', 'Cologne']);
  await user.click(screen.getByRole('button', { name: 'People' }));
  expect(names()).toEqual(['Cologne', 'Bonn', 'Aachen']);
  expect(screen.getByRole('columnheader', { name: 'People' }).getAttribute('aria-sort')).toBe('descending');
});

it('orders texts by the alphabet of the reader', async () => {
  const user = userEvent.setup();
  const rows = ['Zürich', 'Österreich', 'zebra', 'Ohio', 'v1.10', 'v1.9', 'Apfel'].map((name) => ({ name, people: 1 }));
  render(
    <MantineProvider>
      <DataTable caption="Cities" file="cities" columns={columns} rows={rows} />
    </MantineProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'City' }));
  expect(names()).toEqual(['Apfel', 'Ohio', 'Österreich', 'v1.9', 'v1.10', 'zebra', 'Zürich']);
});

it('pages', async () => {
  const user = show(2);
  expect(names()).toEqual(['Bonn', 'Aachen']);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous page' }).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  expect(names()).toEqual(['Cologne']);
  screen.getByText('2 of 2');
});

it('searches, and says when nothing is found', async () => {
  const user = show();
  const field = screen.getByRole('searchbox', { name: 'Search: Cities' });
  await user.type(field, 'o');
  expect(names()).toEqual(['Bonn', 'Cologne']);
  await user.type(field, 'xx');
  expect(names()).toEqual([]);
  screen.getByText(/oxx/);
});

it('leaves to the server what a list of it is searched, ordered and saved by', async () => {
  const changes: object[] = [];
  const formats: string[] = [];
  render(
    <MantineProvider>
      <DataTable
        caption="Cities"
        file="cities"
        columns={columns}
        rows={cities}
        pageSize={3}
        remote={7}
        onSave={(format) => Promise.resolve(formats.push(format))}
        state={{ q: 'zzz', sort: 'name', page: 2, hide: '' }}
        onState={(change) => changes.push(change)}
      />
    </MantineProvider>,
  );
  const user = userEvent.setup();
  expect(names()).toEqual(['Bonn', 'Aachen', 'Cologne']);
  screen.getByText('2 of 3');
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await user.click(screen.getByRole('button', { name: 'People' }));
  expect(changes).toEqual([{ page: 3 }, { sort: '-people', page: 1 }]);
  await user.click(screen.getByRole('button', { name: 'Download: Cities' }));
  await user.click(await screen.findByRole('button', { name: 'JSON', hidden: true }));
  expect(formats).toEqual(['json']);
});

it('has no search of its own beside what it was searched by, and says in its own words that there is nothing', () => {
  render(
    <MantineProvider>
      <DataTable caption="Cities" file="cities" columns={columns} rows={[]} searched empty="Nobody is called so" state={{ q: 'x', sort: '', page: 1, hide: '' }} onState={() => undefined} />
    </MantineProvider>,
  );
  expect(screen.queryByRole('searchbox')).toBeNull();
  screen.getByText('Nobody is called so');
  screen.getByRole('button', { name: 'Columns' });
});

it('hides columns, but not the one that names the row', async () => {
  const user = show();
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  const people = await screen.findByRole('checkbox', { name: 'People', hidden: true });
  expect(screen.queryByRole('checkbox', { name: 'City', hidden: true })).toBeNull();
  await user.click(people);
  expect(screen.getAllByRole('columnheader', { hidden: true }).map((h) => h.textContent)).toEqual(['City', 'Half']);
});

it('shows a rare column once it is chosen', async () => {
  const rare = columns.map((c) => (c.key === 'half' ? { ...c, rare: true } : c));
  render(
    <MantineProvider>
      <DataTable caption="Cities" file="cities" columns={rare} rows={cities} />
    </MantineProvider>,
  );
  const heads = () => screen.getAllByRole('columnheader', { hidden: true }).map((h) => h.textContent);
  expect(heads()).toEqual(['City', 'People']);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Half', hidden: true }));
  expect(heads()).toEqual(['City', 'People', 'Half']);
});

describe('order', () => {
  it.each([
    ['', 'people', '-people'],
    ['-people', 'people', 'people'],
    ['people', 'people', ''],
    ['name', 'people', '-people'],
    ['', 'name', 'name'],
    ['name', 'name', '-name'],
    ['-name', 'name', ''],
  ])('after %s a click on %s gives %s', (before, key, want) => {
    const column = columns.find((c) => c.key === key);
    expect(column && nextSort(before, column)).toBe(want);
  });

  it('is read from its text', () => {
    expect(parseSort('-a')).toEqual({ key: 'a', desc: true });
    expect(parseSort('')).toBeUndefined();
  });
});

it.each([
  ['336 bonn', ['Bonn']],
  [' ', ['Bonn', 'Aachen', 'Cologne']],
])('finds %j', (q, want) => expect(found(cities, columns, q).map((c) => c.name)).toEqual(want));
