import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { look, openPage, shoot } from './browser';
import { admin, api, browser, focused, open, rowsOf, server, shop, stage } from './stage';

const minute = 60_000;

const pay = 'java.lang.IllegalStateException: no card\n\tat com.shop.Cart.pay(Cart.java:12)\n\tat android.view.View.performClick(View.java:6597)\n\tat android.os.Handler.dispatch(Handler.java:99)';
const draw = 'NullPointerException: image\n\tat com.shop.Picture.draw(Picture.java:7)';

const crashes: [person: string, crash: object][] = [
  ['one', { _error: pay, _os: 'Android', _os_version: '14', _app_version: '2.0', _device: 'Pixel 8', _ram_current: 512, _ram_total: 2048, _logs: 'cart opened\npayment chosen\npay pressed', _custom: { plan: 'pro' } }],
  ['two', { _error: pay, _os: 'Android', _os_version: '13', _app_version: '2.0', _device: 'Pixel 6', _online: true, _custom: { plan: 'free' } }],
  ['two', { _error: pay, _os: 'Android', _os_version: '13', _app_version: '2.1', _device: 'Pixel 6' }],
  ['three', { _error: draw, _os: 'Android', _app_version: '1.9', _nonfatal: true }],
];

stage({
  app: { type: 'mobile' },
});

const visit = (page: Page, query = '') => open(page, `/crashes${query}`, 'Crashes');

/** Sends the sessions of four people, and the crashes of three of them. */
async function fill(): Promise<void> {
  const begun = Date.now() - 30 * minute;
  const people = ['one', 'two', 'three', 'four'];
  await api.call('/i/bulk', {
    app_key: shop.key,
    requests: [
      ...people.map((device_id) => ({ device_id, timestamp: begun, begin_session: 1, metrics: { _os: 'Android', _app_version: '2.0' } })),
      ...crashes.map(([device_id, crash], n) => ({ device_id, timestamp: begun + (n + 1) * minute, crash })),
    ],
  });
}

test('without crashes, the page shows how they are sent', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByText('No crashes so far').waitFor();
  await look(page, 'crashes-empty');
});

test('crashes are counted and listed by group', async () => {
  const { page } = admin;
  await fill();
  await visit(page);
  await page.getByRole('table', { name: 'Crash groups' }).waitFor();
  const rows = await rowsOf(page, 'Crash groups');
  expect(rows.map((row) => row.slice(1, 5))).toEqual([
    ['Android', '1', '1', '1.9'],
    ['Android', '3', '2', '2.1'],
  ]);
  const figures = page.getByRole('main').getByRole('group', { name: 'Figures' });
  await expect.poll(async () => (await figures.getByRole('button').allTextContents()).join(' ')).toContain('Crash-free sessions50%');
  const texts = await figures.getByRole('button').allTextContents();
  expect(texts.slice(0, 5)).toEqual(['Crash-free sessions50%', 'Crash-free users50%', 'Crashes3', 'Non-fatal errors1', 'Users affected2']);
  expect((await rowsOf(page, /^By app version/))[0]?.slice(0, 3)).toEqual(['2.0', '4', expect.stringContaining('%')]);
  await look(page, 'crashes');
});

test('groups are narrowed, and decided about together', async () => {
  const { page } = admin;
  await visit(page, '?only={"state":"fatal"}');
  await expect.poll(async () => (await rowsOf(page, 'Crash groups')).length).toBe(1);
  await visit(page);
  await page.getByRole('checkbox', { name: 'Select page' }).check();
  const bulk = page.getByRole('group', { name: 'Selected crashes' });
  await bulk.getByText('2 selected').waitFor();
  await bulk.getByRole('button', { name: 'Hide', exact: true }).click();
  await page.getByText('2 crashes are hidden.').waitFor();
  await page.getByText('No matching groups.').waitFor();
  await visit(page, '?only={"state":"hidden"}');
  await page.getByRole('checkbox', { name: 'Select page' }).check();
  await page.getByRole('button', { name: 'Unhide' }).click();
  await page.getByText('2 crashes are listed again.').waitFor();
});

test('a group shows what happened, where and to whom', async () => {
  const { page } = admin;
  await visit(page);
  await page.getByRole('link', { name: /IllegalStateException/ }).click();
  await page.getByRole('heading', { level: 1, name: /IllegalStateException: no card/ }).waitFor();
  const stack = page.getByRole('list', { name: 'Stack trace' });
  expect(await stack.getByRole('listitem').allTextContents()).toEqual([
    'java.lang.IllegalStateException: no card',
    expect.stringContaining('com.shop.Cart.pay'),
    '… 2 system or library frames',
  ]);
  await page.getByText('All frames').click();
  expect(await stack.getByRole('listitem').count()).toBe(4);
  const devices = page.getByRole('region', { name: 'Distribution' });
  expect(await devices.getByText('Pixel 6', { exact: true }).count()).toBe(1);
  await page.getByRole('button', { name: /Pixel 8/ }).click();
  await page.getByText('pay pressed').waitFor();
  await page.getByRole('button', { name: 'Show users' }).click();
  const people = page.getByRole('dialog');
  await expect.poll(() => people.getByRole('row').count()).toBe(3);
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await page.getByRole('region', { name: 'Stack trace' }).getByRole('button', { name: 'Download stack trace' }).click();
  expect((await download).suggestedFilename()).toMatch(/_stacktrace\.txt$/);
  await look(page, 'crash');
});

test('a group is resolved, reopened, commented and shared by keyboard alone', async () => {
  const { page } = admin;
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).first().focus();
    await page.keyboard.press('Enter');
  };
  await press('Mark in progress');
  await page.getByText('The crash is marked as in progress.').waitFor();
  await press('Resolve');
  await page.getByText('The crash is resolved.').waitFor();
  await page.getByText('Resolved in 2.1').waitFor();
  await press('Reopen');
  await page.getByText('The crash is open again.').waitFor();

  await page.getByRole('textbox', { name: 'Comment' }).focus();
  await page.keyboard.type('Card is asked for twice');
  await press('Add comment');
  await page.locator('.crash-comments').getByText('Card is asked for twice').waitFor();
  await press('Edit the comment by Ada Lovelace');
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await press('Save');
  await page.locator('.crash-comments').getByText('Card is asked for twice!').waitFor();
  const edits = page.getByRole('button', { name: 'Edit the comment by Ada Lovelace' });
  await focused(edits);
  await page.keyboard.press('Enter');
  await press('Cancel');
  await focused(edits);
  await press('Delete the comment by Ada Lovelace');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('No comments yet.').waitFor();

  await press('Share');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Stack trace' }).focus();
  await page.keyboard.press('Space');
  await expect.poll(() => dialog.getByRole('checkbox', { name: 'Stack trace' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Share' }).focus();
  await page.keyboard.press('Enter');
  const address = await dialog.locator('code').textContent();
  const visitor = await openPage(browser, server.url, { locale: 'de-DE' });
  await visitor.page.goto(address ?? '');
  expect(await visitor.page.locator('h1').textContent()).toContain('IllegalStateException');
  expect(await visitor.page.locator('pre').textContent()).toContain('com.shop.Cart.pay');
  await visitor.context.close();
  await dialog.getByRole('button', { name: 'Stop sharing' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Share', exact: true }).waitFor();
  expect((await fetch(address ?? '')).status).toBe(404);
  await page.keyboard.press('Escape');
});

test('dark, on a phone, in German', async () => {
  const storageState = await admin.context.storageState();
  const { page, context, faults } = await openPage(browser, server.url, { storageState, colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  await page.goto(`/dashboard/apps/${shop._id}/crashes`);
  await page.getByRole('table', { name: 'Absturzgruppen' }).waitFor();
  await shoot(page, 'crashes-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'scrolls sideways').toBe(false);
  await page.getByRole('link', { name: /IllegalStateException/ }).click();
  await page.getByRole('heading', { level: 2, name: 'Stacktrace' }).waitFor();
  await shoot(page, 'crash-phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), 'the group scrolls sideways').toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});

test('a group is deleted after a question', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { level: 1, name: 'Crashes' }).waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Crash groups')).map((row) => row.slice(2, 4))).toEqual([['1', '1']]);
});

test('a crash of many sessions is called spreading, and stands in the profiles of its users', async () => {
  const { page } = admin;
  const now = Date.now();
  const people = Array.from({ length: 12 }, (_, n) => `hit-${n}`);
  await api.call('/i/bulk', {
    app_key: shop.key,
    requests: [
      ...people.map((device_id) => ({ device_id, timestamp: now - 3 * minute, begin_session: 1, metrics: { _os: 'Android', _app_version: '3.0' } })),
      ...people.map((device_id, n) => ({ device_id, timestamp: now - 2 * minute + n, crash: { _error: 'Spreads: at once\n\tat com.shop.Wave.roll(Wave.java:3)', _os: 'Android', _app_version: '3.0' } })),
    ],
  });
  await visit(page);
  const list = page.getByRole('list', { name: 'Spreading now' });
  await list.getByText(/12\), 12 users/).waitFor();
  await look(page, 'crashes-spreading');
  const released = page.getByRole('region', { name: 'Changes by release' });
  await released.getByRole('list', { name: '1 new' }).getByRole('link', { name: 'Spreads: at once' }).waitFor();
  await released.getByText('Compared with 2.0: 12 sessions, 12 crashes.', { exact: false }).waitFor();
  await list.getByRole('link', { name: 'Spreads: at once' }).click();
  await page.getByRole('heading', { level: 2, name: 'This crash is spreading' }).waitFor();
  await look(page, 'crash-spreading');
  await open(page, '/profiles', 'Profiles');
  await page.getByRole('link', { name: 'hit-3', exact: true }).click();
  const crashesOfUser = page.getByRole('list', { name: 'Crashes' });
  await crashesOfUser.getByText(/^1 report, last/).waitFor();
  await look(page, 'profile-crashes');
  await crashesOfUser.getByRole('link', { name: 'Spreads: at once' }).click();
  await page.getByRole('heading', { level: 1, name: 'Spreads: at once' }).waitFor();
});
