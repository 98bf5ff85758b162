// A page of another origin that shows figures by a token: opened in headless Chromium, it says what stands below the picture.
// Arguments: the file of the page.
import { readFile } from 'node:fs/promises';
import { withPage } from './page.mjs';

const html = await readFile(process.argv[2], 'utf8');
await withPage(
  async (page) => {
    await page.goto(new URL('/figures', page.url()).href);
    const caption = page.locator('#sum:not(:text("Loading…"))');
    await caption.waitFor({ timeout: 20_000 });
    console.log(`${await caption.textContent()}; ${await page.locator('svg rect').count()} bars`);
  },
  { expected: /status of 400/, serve: (path) => (path === '/figures' ? { type: 'text/html', text: html } : undefined) },
);
