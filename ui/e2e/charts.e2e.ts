import { expect, test } from 'vitest';
import { admin, api, open, shop, stage } from './stage';
import { demoRequests } from './visitors';

stage({ fill: () => api.call('/i/bulk', { app_key: shop.key, requests: demoRequests({ now: Date.now(), days: 5, people: 20, seed: 3 }) }) });

/** How many pixels of the first chart of the page have the colour of its first series. */
async function painted(): Promise<number> {
  return admin.page.evaluate(() => {
    const canvas = document.querySelector('canvas');
    const pen = canvas?.getContext('2d');
    if (canvas === null || pen == null) return 0;
    const probe = document.createElement('div');
    probe.style.color = getComputedStyle(document.documentElement).getPropertyValue('--quipu-series-1');
    document.body.append(probe);
    const want = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
    probe.remove();
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    let n = 0;
    for (let i = 0; i < data.length; i += 4) if (want.every((value, k) => Math.abs((data[i + k] ?? 0) - value) < 3)) n++;
    return n;
  });
}

test.each([
  ['rows of values', '/technology', 'Devices and systems'],
  ['columns of two weeks', '?period=30days&by=month', 'Overview'],
  ['a line', '?period=7days', 'Overview'],
])('%s are drawn', async (_, path, heading) => {
  await open(admin.page, path, heading);
  await expect.poll(painted).toBeGreaterThan(300);
});

test('a change says against what, and charts are cut as chosen', async () => {
  const { page } = admin;
  await open(page, '?period=today', 'Overview');
  const figures = page.locator('#main').getByRole('group', { name: 'Figures' });
  await expect.poll(() => figures.textContent()).toMatch(/vs\. .*until|The first hour of today/);
  await open(page, '?period=30days', 'Overview');
  await page.getByRole('combobox', { name: 'Steps: Sessions' }).click();
  await page.getByRole('option', { name: 'Weeks' }).click();
  await page.waitForURL(/by=week/);
  await page.getByText('Table', { exact: true }).first().click();
  await expect.poll(() => page.getByRole('table').first().locator('tbody tr').count()).toBeLessThanOrEqual(6);
});
