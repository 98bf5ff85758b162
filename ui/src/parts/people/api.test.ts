import { expect, it } from 'vitest';
import { pictureOf } from './api';

const hash = '0123456789abcdef'.repeat(4);

it.each([
  ['an uploaded picture', hash, '/o/app_users/picture?app_id=a%261&uid=7&v=01234567'],
  ['an address', 'https://example.org/me.png', undefined],
  ['no picture', undefined, undefined],
])('shows %s from the server only', (_, picture, want) => {
  expect(pictureOf('a&1', { uid: '7', picture })).toBe(want);
});
