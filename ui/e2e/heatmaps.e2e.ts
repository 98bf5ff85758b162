import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, open, rowsOf, shop, stage } from './stage';

const event = (key: string, timestamp: number, segmentation: object) => ({ key, count: 1, timestamp, segmentation });
const page = { view: '/', domain: 'shop.example', width: 1280, height: 2000 };

/** Visits, clicks and scrolling of three people: two click the button at the top, one of them three times in a row, one nothing at all. */
const fill = () => {
  const then = Date.now() - 3_600_000;
  const click = (at: number, x: number, y: number) => event('[CLY]_action', then + at, { type: 'click', x, y, ...page });
  const visit = event('[CLY]_view', then, { name: 'Home', view: '/', visit: 1 });
  const scroll = (y: number) => event('[CLY]_action', then + 60_000, { type: 'scroll', y, ...page });
  return api.call('/i/bulk', {
    app_key: shop.key,
    requests: [
      { device_id: 'one', timestamp: then, begin_session: 1, events: [visit, click(5000, 640, 100), event('buy', then + 5500, {}), scroll(2000)] },
      { device_id: 'two', timestamp: then, begin_session: 1, events: [visit, click(9000, 640, 100), click(10_500, 642, 101), click(12_000, 641, 100), scroll(1000)] },
      { device_id: 'three', timestamp: then, begin_session: 1, events: [visit, scroll(500)] },
    ],
  });
};

stage();

const visitPage = (at: Page, query = '') => open(at, `/heatmaps${query}`, 'Heat maps');

/** A picture of a page: white, as large as the page is. */
const picture = (at: Page) =>
  at.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1280, 2000];
    const pen = canvas.getContext('2d');
    if (pen !== null) {
      pen.fillStyle = '#fff';
      pen.fillRect(0, 0, 1280, 2000);
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });

test('an app without views says what to do', async () => {
  await visitPage(admin.page);
  await admin.page.getByText('No views yet').waitFor();
  await look(admin.page, 'heatmaps-none');
});

test('figures, heat, and the picture below it', async () => {
  const at = admin.page;
  await fill();
  await expect.poll(async () => (await api.call<{ clicks: number }>('/o/heatmaps', { app_id: shop._id, period: '7days', view: '/' })).clicks).toBe(4);
  await visitPage(at, '?period=7days');
  const heat = at.getByRole('img', { name: 'Clicks: Home' });
  await heat.waitFor();
  const figures = await at.locator('main').textContent();
  expect(figures).toContain('by 2 users');
  expect(figures).toContain('2 of 3 visits with a click');
  // There is heat where people clicked, and none at the foot of the page.
  const painted = () =>
    heat.evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const pen = (canvas as HTMLCanvasElement).getContext('2d');
      const alpha = (x: number, y: number) => pen?.getImageData(Math.round(x * width), Math.round(y * height), 1, 1).data[3] ?? 0;
      return [alpha(0.5, 0.05) > 0, alpha(0.5, 0.9) > 0];
    });
  await expect.poll(painted).toEqual([true, false]);
  await at.getByRole('button', { name: 'Upload a picture' }).click();
  const chooser = at.waitForEvent('filechooser');
  await at.getByRole('dialog').getByLabel('Picture').click();
  await (await chooser).setFiles({ name: 'home.png', mimeType: 'image/png', buffer: Buffer.from(await picture(at), 'base64') });
  await at.getByRole('dialog').getByRole('button', { name: 'Upload a picture' }).click();
  await at.getByText('The picture is saved.').waitFor();
  await expect.poll(() => at.getByRole('img', { name: 'The page' }).evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1280);
  await look(at, 'heatmaps');
});

test('dead and rage clicks and scrolling by the keyboard, and as a table', async () => {
  const at = admin.page;
  const kind = at.getByRole('radiogroup', { name: 'Interaction' });
  await kind.getByRole('radio', { name: 'Clicks', exact: true }).focus();
  await at.keyboard.press('ArrowRight');
  await at.getByRole('img', { name: 'Scrolling: Home' }).waitFor();
  await at.keyboard.press('ArrowRight');
  await at.getByRole('img', { name: 'Dead clicks: Home' }).waitFor();
  await at.keyboard.press('ArrowRight');
  await at.getByRole('img', { name: 'Rage clicks: Home' }).waitFor();
  await at.getByRole('radiogroup', { name: 'Show as' }).getByText('Table').click();
  expect((await rowsOf(at, 'Rage clicks')).reduce((sum, row) => sum + Number(row[2]), 0)).toBe(3);
  await kind.getByText('Scrolling').click();
  const rows = await rowsOf(at, 'Scrolling');
  expect(rows[0]?.[0]).toBe('0%');
  await at.getByRole('radiogroup', { name: 'Show as' }).getByText('Picture').click();
  await at.getByText('75% scrolled this far').waitFor();
  await look(at, 'heatmaps-scrolling');
});

test('on a phone, and for phones', async () => {
  const at = admin.page;
  await at.setViewportSize({ width: 390, height: 844 });
  await visitPage(at, '?period=7days');
  await at.getByRole('img', { name: 'Clicks: Home' }).waitFor();
  expect(await at.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await look(at, 'heatmaps-phone');
  await at.getByRole('combobox', { name: 'Devices' }).click();
  await at.getByRole('option', { name: 'Phone, up to 599 px' }).click();
  await at.getByText('Nothing was recorded in this period.').waitFor();
});
