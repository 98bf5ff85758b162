import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, it } from 'vitest';
import { start } from '../i18n';
import { DataTable, type Column } from './DataTable';

interface City {
  name: string;
  people: number;
}

const columns: Column<City>[] = [
  { key: 'name', title: 'City', value: (c) => c.name, text: (c) => c.name },
  { key: 'people', title: 'People', numeric: true, value: (c) => c.people, text: (c) => `${c.people} k` },
];
const cities: City[] = [
  { name: 'Bonn', people: 336 },
  { name: 'Aachen', people: 252 },
  { name: 'Cologne', people: 1087 },
];

beforeAll(() => start('en'));

function show(pageSize?: number) {
  render(
    <MantineProvider>
      <DataTable caption="Cities" columns={columns} rows={cities} {...(pageSize === undefined ? {} : { pageSize })} />
    </MantineProvider>,
  );
  return userEvent.setup();
}

function names(): (string | null)[] {
  const [, body] = within(screen.getByRole('table', { name: 'Cities' })).getAllByRole('rowgroup');
  if (body === undefined) return [];
  return within(body)
    .getAllByRole('row')
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

it('pages', async () => {
  const user = show(2);
  expect(names()).toEqual(['Bonn', 'Aachen']);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous page' }).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  expect(names()).toEqual(['Cologne']);
  screen.getByText('2 of 2');
});
