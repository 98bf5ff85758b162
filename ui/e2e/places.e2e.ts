import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, settled, shoot } from './browser';
import { admin, api, focused, onPhone, open, rowsOf, shop, stage } from './stage';

/** How many people came from which address. */
const people: Record<string, number> = { '93.184.0.1': 3, '93.185.0.1': 5, '93.186.0.1': 1, '81.2.69.1': 4, '5.50.0.1': 2 };

stage({
  env: { QUIPU_INGEST_GEO_DATABASE: join(import.meta.dirname, '../../internal/ingest/geo/testdata/cities.mmdb') },
  fill: () =>
    api.call('/i/bulk', {
      app_key: shop.key,
      requests: Object.entries(people).flatMap(([ip_address, count]) => Array.from({ length: count }, (_, i) => ({ device_id: `${ip_address}-${i}`, begin_session: 1, ip_address }))),
    }),
});

const map = (page: Page) => page.getByRole('group', { name: /Arrow keys move the map/ });

/** What the map shows. */
const drawn = async (page: Page) => (await map(page).screenshot()).toString('base64');

/** Does something that changes the map. */
async function changes(page: Page, what: () => Promise<unknown>): Promise<void> {
  const before = await drawn(page);
  await what();
  await expect.poll(() => drawn(page)).not.toBe(before);
}

test('a country opens to its regions and cities', async () => {
  const { page } = admin;
  await open(page, '/countries', 'Countries');
  await expect.poll(async () => (await rowsOf(page, /^Countries, /)).map((row) => row.slice(0, 2))).toEqual([['Germany', '9'], ['United Kingdom', '4'], ['France', '2']]);
  await page.getByRole('table', { name: /^Countries, / }).getByRole('button', { name: 'Germany' }).click();
  const regions = page.getByRole('region', { name: 'Regions in Germany' });
  await regions.getByText('Table', { exact: true }).click();
  await expect.poll(async () => (await rowsOf(page, /^Regions in Germany, /)).map((row) => row.slice(0, 2))).toEqual([['Land Berlin', '5'], ['Bavaria', '3'], ['Hamburg', '1']]);
  const cities = page.getByRole('region', { name: 'Cities in Germany' });
  await cities.getByText('Table', { exact: true }).click();
  await expect.poll(async () => (await rowsOf(page, /^Cities in Germany, /)).map((row) => row.slice(0, 2))).toEqual([['Berlin', '5'], ['Munich', '3'], ['Hamburg', '1']]);
  await settled(page);
  await look(page, 'country');
  await regions.getByRole('button', { name: 'Bavaria' }).click();
  await expect.poll(async () => (await rowsOf(page, /^Cities in Germany, /)).map((row) => row.slice(0, 2))).toEqual([['Munich', '3']]);
});

test('the map moves by buttons, keys, wheel and mouse', async () => {
  const { page } = admin;
  await open(page, '/countries', 'Countries');
  await map(page).waitFor();
  const zoomIn = page.getByRole('button', { name: 'Zoom in' });
  await changes(page, () => zoomIn.click());
  await changes(page, () => zoomIn.click());
  await map(page).focus();
  for (const key of ['ArrowLeft', 'ArrowUp', '+', '-']) await changes(page, () => page.keyboard.press(key));
  const box = await map(page).boundingBox();
  if (box === null) throw new Error('the map is not there');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await changes(page, async () => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 90, y + 20, { steps: 4 });
    await page.mouse.up();
  });
  await changes(page, () => page.mouse.wheel(0, -200));
  await changes(page, () => page.getByRole('button', { name: 'Whole world' }).click());
});

test('a place is made by a click on the map, shown, and deleted', async () => {
  const { page } = admin;
  await open(page, '/places', 'Places');
  await page.getByText('No places yet').waitFor();
  await look(page, 'places-none');
  await page.getByRole('button', { name: 'Add a place' }).click();
  await page.getByLabel('Title').fill('Headquarters');
  await page.getByLabel('Radius').fill('300');
  const box = await map(page).boundingBox();
  if (box === null) throw new Error('the map is not there');
  await changes(page, () => map(page).click({ position: { x: box.width * 0.515, y: box.height * 0.24 } }));
  const lat = Number(await page.getByLabel('Latitude').inputValue());
  const lng = Number(await page.getByLabel('Longitude').inputValue());
  expect(lat).toBeGreaterThan(30);
  expect(lng).toBeGreaterThan(0);
  await page.getByLabel('Latitude').fill('48.2');
  await page.getByLabel('Longitude').fill('11.6');
  await look(page, 'place-new');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The place is saved.').waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Places')).map((row) => row.slice(0, 5))).toEqual([['Headquarters', '300 km', '48.2, 11.6', 'Munich, Germany', 'Corner shop']]);
  await changes(page, () => page.getByRole('button', { name: 'Show on the map: Headquarters' }).click());
  await settled(page);
  await look(page, 'places');

  await page.getByLabel('IP address', { exact: true }).fill('93.185.7.7');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByText('52.5244, 13.4105').waitFor();
  await page.getByLabel('IP address', { exact: true }).fill('10.0.0.1');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByText('No location found for this address.').waitFor();

  await onPhone('/places', 'Orte', 'places-phone', async (page) => {
    const actions = page.locator('.acts button');
    await actions.first().waitFor();
    const covered = await actions.evaluateAll((all) => all.filter((b) => b.getBoundingClientRect().left < (b.closest('tr')?.firstElementChild?.getBoundingClientRect().right ?? Infinity)).length);
    expect(covered, 'actions behind the name of their row').toBe(0);
  });
  await onPhone(`/countries?filter=${encodeURIComponent('{"up.cc":{"$in":["DE"]}}')}`, 'Länder', 'country-phone');

  await page.getByRole('button', { name: 'Delete Headquarters' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No places yet').waitFor();
});

test('a place is made, shown and deleted by the keyboard alone', async () => {
  const { page } = admin;
  await open(page, '/places', 'Places');
  await page.getByRole('button', { name: 'Add a place' }).focus();
  await page.keyboard.press('Enter');
  await focused(page.getByLabel('Title'));
  await page.keyboard.type('Depot');
  for (const [field, value] of [['Latitude', '52.5'], ['Longitude', '13.4'], ['Radius', '40']] as const) {
    await page.getByLabel(field).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(value);
  }
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await rowsOf(page, 'Places')).map((row) => row.slice(0, 4))).toEqual([['Depot', '40 km', '52.5, 13.4', 'Berlin, Germany']]);
  const content = page.locator('#main');
  await focused(content); // the button was away meanwhile
  await changes(page, async () => {
    await page.getByRole('button', { name: 'Show on the map: Depot' }).focus();
    await page.keyboard.press('Enter');
  });
  await page.getByRole('button', { name: 'Delete Depot' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('No places yet').waitFor();
  await focused(content); // the row is gone
});

test('the health page says which database is in use', async () => {
  const { page } = admin;
  await open(page, '/manage/health', 'System health');
  const section = page.getByRole('region', { name: 'Geo database' });
  await section.getByText('GeoLite2-City').waitFor();
  await section.getByText('cities.mmdb').waitFor();
  await shoot(page, 'health-geo');
});
