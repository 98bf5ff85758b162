import { describe, expect, it } from 'vitest';
import { categories, iconOf, sorted, type App } from './apps';
import { snippets } from '../features/apps/snippets';

const app = (_id: string, name: string): App => ({
  _id,
  name,
  key: 'k',
  timezone: 'UTC',
  country: 'DE',
  category: '1',
  type: 'web',
  has_image: false,
});

describe('sorted', () => {
  it('lists each app once, by name', () => {
    const [a, b, c] = [app('1', 'Shop'), app('2', 'blog'), app('3', 'Shop')];
    expect(sorted({ admin_of: { 3: c }, user_of: { 1: a, 2: b, 3: c } })).toEqual([b, a, c]);
  });

  it('is empty without apps', () => {
    expect(sorted({ admin_of: {}, user_of: {} })).toEqual([]);
  });
});

describe('snippets', () => {
  it('all name the server and the key', () => {
    const list = snippets('https://stats.example.test', 'abc123');
    expect(list.map((s) => s.id)).toEqual(['web-script', 'web', 'node', 'android', 'ios', 'flutter', 'react-native', 'http']);
    for (const { use } of list) {
      expect(use.code).toContain('https://stats.example.test');
      expect(use.code).toContain('abc123');
    }
  });
});

it('shows a picture only where there is one', () => {
  expect(iconOf({ _id: 'a', has_image: false })).toBeUndefined();
  expect(iconOf({ _id: 'a', has_image: true })).toBe('/appimages/a.png');
});

it('knows the twenty categories of the API', () => expect(new Set(categories).size).toBe(20));
