import { expect, test } from 'vitest';
import { linkTo, look, openPage, pagesOf, settled, shoot, signIn } from './browser';
import { admin, api, browser, shop, server, stage, type App } from './stage';

interface Task {
  _id: string;
  status: string;
  data: { users: number; sessions: number };
}

const shopTemplate = '717569707573686f70000000';


stage({ app: { category: '8' } });

const count = (text: string | null) => Number((text ?? '').replaceAll(',', ''));

test('an empty overview offers demo data, which fills it', async () => {
  const { page } = admin;
  await page.goto('/dashboard');
  await page.getByText('No sessions in this period').waitFor();
  await look(page, 'demo-offered');
  await page.getByRole('button', { name: 'Load demo data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Load demo data' });
  await expect.poll(() => dialog.getByRole('radio', { name: /^Online shop/ }).isChecked()).toBe(true);
  await dialog.getByText('Last 30 days').click();
  await dialog.getByRole('textbox', { name: 'Users' }).fill('150');
  await look(page, 'demo-dialog');
  await dialog.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByText('The demo data is loaded.').waitFor();
  await page.getByRole('img', { name: 'Sessions over time, Last 30 days' }).locator('canvas').waitFor();
  await look(page, 'demo-loaded');
  const tasks = await api.call<{ aaData: Task[] }>('/o/tasks/list', { app_id: shop._id });
  const task = await api.call<Task>('/o/tasks/task', { app_id: shop._id, task_id: tasks.aaData[0]?._id ?? '' });
  expect(task.status).toBe('completed');
  // A session that begins within the cooldown of the one before goes on with it; the demo has one now and then.
  const { totals } = await api.call<{ totals: { session: { accepted: number; session_cooldown?: number } } }>('/o/ingest/outcomes', { app_id: shop._id, period: '30days' });
  const sessions = totals.session.accepted;
  expect(sessions + (totals.session.session_cooldown ?? 0)).toBe(task.data.sessions);
  // What was loaded last may be counted a moment after the page has read it.
  await expect.poll(async () => {
    await page.reload();
    await page.getByRole('img', { name: 'Sessions over time, Last 30 days' }).locator('canvas').waitFor();
    const figures = await page.getByRole('main').getByRole('group', { name: 'Figures' }).locator('.figure-value').allTextContents();
    return figures.slice(0, 3).map(count);
  }, { timeout: 20_000, interval: 1000 }).toEqual([sessions, task.data.users, task.data.users]);
  expect(task.data.users).toBeGreaterThan(130);
});

test('a template of one\'s own is made from one that comes along, loaded and deleted', async () => {
  const { page } = admin;
  await (await linkTo(page, 'Demo data')).click();
  await page.getByRole('heading', { level: 1, name: 'Demo data' }).waitFor();
  await settled(page);
  await look(page, 'demo-page');
  await page.getByRole('button', { name: 'Copy Puzzle game' }).click();
  const form = page.getByRole('dialog', { name: 'New template' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Chess');
  await form.getByRole('textbox', { name: 'Events' }).fill('[{"key":"Checkmate"}');
  await form.getByText('This is not a JSON list.').waitFor();
  await expect.poll(() => form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await look(page, 'demo-template');
  await form.getByRole('textbox', { name: 'Events' }).fill('[{"key":"Checkmate"}]');
  await form.getByRole('button', { name: 'Paths through the app' }).click();
  await form.getByRole('textbox', { name: 'Paths through the app' }).fill('[]');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: 'Chess', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Load demo data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Load demo data' });
  await dialog.getByText('This app already contains data').waitFor();
  await dialog.getByRole('radio', { name: /^Chess/ }).click();
  await dialog.getByText('Last 7 days').click();
  await dialog.getByRole('textbox', { name: 'Users' }).fill('20');
  await dialog.getByRole('textbox', { name: 'Name of the population' }).fill('The chess club');
  await dialog.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByText('The demo data is loaded.').waitFor();
  const { all } = await api.call<{ all: { _id: string; c: number }[] }>('/o/analytics/events', { app_id: shop._id, period: '7days' });
  expect(all.find((e) => e._id === 'Checkmate')?.c).toBeGreaterThan(5);

  await page.getByRole('button', { name: 'The chess club', exact: true }).click();
  const people = page.getByRole('dialog', { name: 'The chess club' }).getByRole('table');
  await people.getByRole('row').nth(10).waitFor();
  await look(page, 'demo-people');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Delete Chess' }).click();
  await page.getByRole('dialog', { name: 'Delete template' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The template is deleted.').waitFor();
  await page.getByRole('button', { name: 'The chess club', exact: true }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('cell', { name: 'Chess', exact: true }).count()).toBe(0);
});

test('a load shows how far it is, and is stopped', async () => {
  const { page } = admin;
  const app = await api.call<App>('/i/apps/create', { args: { name: 'Busy place', timezone: 'UTC', category: '6' } });
  await page.goto(`/dashboard/apps/${app._id}/settings`);
  await page.getByText('Waiting for the first data').waitFor();
  await page.getByRole('button', { name: 'Load demo data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Load demo data' });
  await expect.poll(() => dialog.getByRole('radio', { name: /^Puzzle game/ }).isChecked()).toBe(true);
  await dialog.getByText('Last 365 days').click();
  await dialog.getByRole('textbox', { name: 'Users' }).fill('20000');
  await dialog.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByRole('progressbar', { name: 'Loading demo data' }).waitFor();
  await page.getByText('Data is arriving').waitFor();
  await look(page, 'demo-progress');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Loading demo data was stopped.').waitFor();
  expect(await api.call<unknown[]>('/o/tasks/all', { app_id: app._id })).toEqual([]);
  await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
});

test('a member without the right is not offered any', async () => {
  const clerk = { username: 'clerk', password: 'Only-reading-1' };
  const empty = await api.call<App>('/i/apps/create', { args: { name: 'Nothing here', timezone: 'UTC' } });
  await api.call('/i/users/create', {
    args: {
      ...clerk,
      full_name: 'Clerk Reader',
      email: 'clerk@example.test',
      permission: { _: { a: [], u: [[empty._id]] }, c: {}, r: { [empty._id]: { all: false, allowed: { core: true } } }, u: {}, d: {} },
    },
  });
  const { page, context, faults } = await openPage(browser, server.url);
  await signIn(page, clerk.username, clerk.password);
  await page.getByText('No sessions in this period').waitFor();
  await settled(page);
  await expect.poll(() => page.getByRole('button', { name: 'Load demo data' }).count()).toBe(0);
  expect(await pagesOf(page)).not.toContain('Demo data');
  await page.goto(`/dashboard/apps/${empty._id}/demo`);
  await page.getByRole('heading', { name: 'You do not have access to this page' }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

test('dark, and on a phone in German, nothing is wider than the window', async () => {
  const storageState = await admin.context.storageState();
  for (const [name, options] of Object.entries({
    'demo-dark': { colorScheme: 'dark' },
    'demo-phone': { viewport: { width: 360, height: 740 }, locale: 'de-DE' },
  } as const)) {
    const { page, context, faults } = await openPage(browser, server.url, { storageState, ...options });
    await page.goto(`/dashboard/apps/${shop._id}/demo`);
    await page.getByRole('table').first().waitFor();
    await settled(page);
    await shoot(page, name);
    await page.getByRole('button', { name: /^(Load demo data|Demodaten laden)$/ }).click();
    await page.getByRole('radiogroup').first().waitFor();
    await shoot(page, `${name}-dialog`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide, `${name} scrolls sideways`).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  }
});

test('a reset ends a load and clears all', async () => {
  await api.call('/i/populator/load', { app_id: shop._id, template_id: shopTemplate, days: 1, users: 5 });
  await api.call('/i/apps/reset', { args: { app_id: shop._id, period: 'reset' } });
  const { page } = admin;
  await page.goto(`/dashboard/apps/${shop._id}`);
  await page.getByText('No sessions in this period').waitFor();
  await page.getByRole('button', { name: 'Load demo data' }).waitFor();
});
