import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, onPhone, open, rowsOf, shop, stage } from './stage';

const mapping = `# compiler: R8
com.example.shop.CartActivity -> a.b:
    1:1:void checkout():42:42 -> c
    2:2:void com.example.shop.Cart.pay(int):17:17 -> c
    2:2:void checkout():43 -> c
`;
const sent = 'java.lang.IllegalStateException: empty\n\tat a.b.c(SourceFile:2)\n\tat android.os.Looper.loop(Looper.java:223)';

stage({ app: { type: 'mobile' } });

test('without crashes and symbols, the page shows what they are for', async () => {
  const { page } = admin;
  await open(page, '/symbols', 'Symbols');
  await page.getByText('No symbol files yet').waitFor();
  await page.getByText(/quipu symbols upload --server http/).waitFor();
  await look(page, 'symbols-empty');
});

test('a build with crashes lacks symbols until they are uploaded', async () => {
  const { page } = admin;
  const minute = 60_000;
  await api.call('/i/bulk', {
    app_key: shop.key,
    requests: [
      { device_id: 'one', timestamp: Date.now() - 2 * minute, crash: { _error: sent, _os: 'Android', _app_version: '2.0', _app_build: '77' } },
      { device_id: 'two', timestamp: Date.now() - minute, crash: { _error: 'boom', _os: 'iOS', _app_version: '1.5' } },
    ],
  });
  await open(page, '/symbols', 'Symbols');
  await expect.poll(async () => (await rowsOf(page, 'Builds without symbols')).map((row) => row.slice(0, 3))).toEqual([
    ['2.0 (77)', 'Android', '1'],
    ['1.5', 'iOS', '1'],
  ]);
  await page.getByRole('button', { name: 'Upload symbols of 2.0 (77)' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('textbox', { name: 'Build' }).inputValue()).toBe('2.0');
  const chosen = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Files' }).click();
  await (await chosen).setFiles([
    { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from(mapping) },
    { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from(mapping) },
  ]);
  await dialog.getByText('Only JavaScript may have several files').waitFor();
  expect(await dialog.getByRole('button', { name: 'Upload symbols' }).isDisabled()).toBe(true);
  const again = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Files', exact: true }).click();
  await (await again).setFiles([{ name: 'mapping.txt.gz', mimeType: 'application/gzip', buffer: gzipSync(mapping) }]);
  await dialog.getByRole('textbox', { name: 'Note' }).fill('release');
  await look(page, 'symbols-upload');
  await dialog.getByRole('button', { name: 'Upload symbols' }).click();
  await page.getByText('The symbols are uploaded.').waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Builds without symbols')).length).toBe(1);
  expect((await rowsOf(page, 'Uploaded symbols'))[0]?.slice(0, 3)).toEqual([expect.stringContaining('2.0'), 'R8 or ProGuard mapping', 'mapping.txt.gz']);
  await look(page, 'symbols');
});

test('the stack is readable, and can be shown as it was sent', async () => {
  const { page } = admin;
  await open(page, '/crashes', 'Crashes');
  await page.getByRole('group', { name: 'Crash groups' }).getByRole('link', { name: /IllegalStateException/ }).click();
  const stack = page.getByRole('list', { name: 'Stack trace' });
  await stack.getByText('at com.example.shop.Cart.pay(Cart.java:17)').waitFor();
  await page.getByText('As sent').click();
  await stack.getByText('at a.b.c(SourceFile:2)').waitFor();
  expect(await stack.getByText('Cart.java').count()).toBe(0);
  await page.getByText('Symbolicated', { exact: true }).click();
  await stack.getByText('at com.example.shop.Cart.pay(Cart.java:17)').waitFor();
  await look(page, 'crash-symbolicated');
});

test('a file larger than a body may be is uploaded, and progress is shown', async () => {
  const { page } = admin;
  await open(page, '/symbols', 'Symbols');
  await page.getByRole('button', { name: 'Upload symbols', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const chosen = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Files' }).click();
  const line = '# a line that says nothing at all of any class or method of the app\n';
  await (await chosen).setFiles([{ name: 'mapping.txt', mimeType: 'text/plain', buffer: Buffer.from(mapping + line.repeat(Math.ceil((24 << 20) / line.length))) }]);
  await dialog.getByRole('textbox', { name: 'Build' }).fill('3.0');
  await dialog.getByRole('button', { name: 'Upload symbols' }).click();
  await dialog.getByRole('progressbar', { name: 'Upload', includeHidden: true }).waitFor({ state: 'attached' }); // at 0 % it has no width
  await page.getByText('The symbols are uploaded.').waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Uploaded symbols'))[0]?.[0]).toBe('3.0');
});

test('dark, on a phone, in German', () => onPhone('/symbols', 'Symbole', 'symbols-phone'));

test('symbols are deleted after a question', async () => {
  const { page } = admin;
  await open(page, '/symbols', 'Symbols');
  await page.getByRole('button', { name: 'Delete 2.0' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The symbols are deleted.').waitFor();
  await expect.poll(async () => (await rowsOf(page, 'Builds without symbols')).length).toBe(2);
});
