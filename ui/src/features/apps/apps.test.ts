import { describe, expect, it } from 'vitest';
import { sorted } from './api';
import { snippets } from './snippets';

const app = (_id: string, name: string) => ({ _id, name, key: 'k', timezone: 'UTC' });

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
    expect(list.map((s) => s.id)).toEqual(['web', 'node', 'curl']);
    for (const { code } of list) {
      expect(code).toContain('https://stats.example.test');
      expect(code).toContain('abc123');
    }
  });
});
