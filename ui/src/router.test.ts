// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { router } from './router';

it('knows each page with its parameters and its own search', () => {
  const app = { appId: 'a' };
  const links = [
    () => router.buildLocation({ to: '/apps/$appId/views/$id', params: { ...app, id: 'v' }, search: { q: 'x', period: '7days' } }),
    () => router.buildLocation({ to: '/apps/$appId/notes', params: app, search: { open: 'new' } }),
    // @ts-expect-error -- there is no such page
    () => router.buildLocation({ to: '/apps/$appId/nowhere', params: app }),
    // @ts-expect-error -- the page of a view is about one
    () => router.buildLocation({ to: '/apps/$appId/views/$id', params: app }),
    // @ts-expect-error -- notes have no segment
    () => router.buildLocation({ to: '/apps/$appId/notes', params: app, search: { segment: 'x' } }),
  ];
  expect(links.slice(0, 2).map((link) => link().href)).toEqual(['/dashboard/apps/a/views/v?q=x&period=7days', '/dashboard/apps/a/notes?open=new']);
});
