import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { look } from './browser';
import { admin, api, open, shop, stage } from './stage';

let github: Server;
let site = '';
const issues: { number: number; title: string; state: string; html_url: string }[] = [];

// A GitHub Enterprise Server on this machine.
beforeAll(async () => {
  github = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const answer = (status: number, value: object) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
      const path = (request.url ?? '').replace('/api/v3/repos/acme/shop', '');
      const found = issues.find((i) => path === `/issues/${i.number}`);
      if (request.headers.authorization !== 'Bearer right') answer(401, { message: 'Bad credentials' });
      else if (path === '') answer(200, { has_issues: true });
      else if (request.method === 'POST') {
        const number = issues.length + 1;
        issues.push({ number, title: (JSON.parse(body) as { title: string }).title, state: 'open', html_url: `${site}/acme/shop/issues/${number}` });
        answer(201, issues[number - 1] ?? {});
      } else if (found === undefined) answer(404, { message: 'Not Found' });
      else {
        if (request.method === 'PATCH') found.state = (JSON.parse(body) as { state: string }).state;
        answer(200, found);
      }
    });
  });
  github.listen(0, '127.0.0.1');
  await once(github, 'listening');
  site = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
});
const folder = mkdtempSync(join(tmpdir(), 'quipu-e2e-config-'));
const config = join(folder, 'quipu.json');
writeFileSync(config, '{"modules":{"trackers":{"allow_hosts":["127.0.0.1"]}}}');
afterAll(() => {
  github.close();
  rmSync(folder, { recursive: true });
});

stage({ app: { type: 'mobile' }, env: { QUIPU_CONFIG: config } });

test('a crash becomes an issue, and both are kept in step', async () => {
  const { page } = admin;
  await api.call('/i', { app_key: shop.key, device_id: 'd1', crash: { _error: 'IllegalStateException: no cart\n\tat com.shop.Cart.pay(Cart.java:9)', _os: 'Android', _app_version: '2.0' } });
  await open(page, '/issue-tracker', 'Issue tracker');
  await page.getByRole('textbox', { name: 'Address' }).fill(site);
  await page.getByRole('textbox', { name: 'Project' }).fill('acme/shop');
  await page.getByLabel('Token', { exact: false }).first().fill('right');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
  await page.getByRole('button', { name: 'Check connection' }).click();
  await page.getByText('The project can be reached.').first().waitFor();
  await look(page, 'tracker-settings');

  await open(page, '/crashes', 'Crashes');
  await page.getByRole('group', { name: 'Crash groups' }).getByRole('link', { name: /no cart/ }).click();
  const part = page.getByRole('region', { name: 'Issue' });
  await part.getByRole('button', { name: 'Create issue' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create issue' });
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Description' }).inputValue()).toContain('Cart.pay');
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Payment crashes');
  await look(page, 'tracker-create');
  await dialog.getByRole('button', { name: 'Create issue' }).click();
  await part.getByRole('link', { name: 'GitHub #1' }).waitFor();
  expect(issues[0]?.title).toBe('Payment crashes');
  await look(page, 'tracker-issue');

  const made = issues[0];
  if (made === undefined) throw new Error('no issue');
  made.state = 'closed';
  await part.getByRole('button', { name: 'Sync now' }).click();
  await part.getByText('Closed').waitFor();
  await page.getByRole('button', { name: 'Reopen', exact: true }).waitFor();

  await part.getByRole('button', { name: 'Unlink' }).click();
  await part.getByRole('button', { name: 'Link existing issue' }).click();
  await page.getByRole('textbox', { name: 'Issue' }).fill('#1');
  await page.getByRole('dialog').getByRole('button', { name: 'Link', exact: true }).click();
  await part.getByRole('link', { name: 'GitHub #1' }).waitFor();
});

test('the server gets a key for Jira', async () => {
  const { page } = admin;
  await open(page, '/manage/jira', 'Jira login');
  await page.getByRole('textbox', { name: 'Address' }).fill('https://jira.example.org');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('BEGIN PUBLIC KEY').waitFor();
  await look(page, 'tracker-jira');
});
