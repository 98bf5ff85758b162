import { expect, test } from 'vitest';
import { placeIn, unitsOf } from './place';

test.each([
  ['|', { kind: 'name', from: 0 }],
  ['co|', { kind: 'name', from: 0 }],
  ['1 + us|', { kind: 'name', from: 4 }],
  ['(su|', { kind: 'name', from: 1 }],
  ['count(|', { kind: 'event', from: 6, quoted: false, of: '' }],
  ['count( bu|', { kind: 'event', from: 7, quoted: false, of: '' }],
  ['count("bu|', { kind: 'event', from: 7, quoted: true, of: '' }],
  ['min("bu|', { kind: 'event', from: 5, quoted: true, of: '' }],
  ['min(co|', { kind: 'name', from: 4 }],
  ['count("buy"|', { kind: 'nothing', from: 11 }],
  ['count("buy") |', { kind: 'nothing', from: 13 }],
  ['count("buy") / |', { kind: 'name', from: 15 }],
  ['median("buy", |', { kind: 'property', from: 14, quoted: false, of: 'buy' }],
  ['median("buy", "sg.|', { kind: 'property', from: 15, quoted: true, of: 'buy' }],
  ['percentile("say \\"hi\\"", "|', { kind: 'property', from: 26, quoted: true, of: 'say "hi"' }],
  ['count("buy", "|', { kind: 'nothing', from: 14 }],
  ['count("buy", {"|', { kind: 'path', from: 15 }],
  ['count("buy", {"sg.a":"|', { kind: 'nothing', from: 22 }],
  ['count("buy", {"sg.a":1, "s|', { kind: 'path', from: 25 }],
  ['count("buy", {"sg.a":{"$in":["a"]}}) + |', { kind: 'name', from: 39 }],
  ['round(count("b"), |', { kind: 'name', from: 18 }],
  [')))(("|', { kind: 'nothing', from: 6 }],
  ['count("\\', { kind: 'event', from: 7, quoted: true, of: '' }],
] as const)('what stands at %s', (text, want) => {
  const at = text.includes('|') ? text.indexOf('|') : text.length;
  expect(placeIn(text.replace('|', ''), at)).toEqual(want);
});

test('places are counted in characters', () => {
  expect(unitsOf('"😀" + x', 6)).toBe(7);
  expect(unitsOf('ab', 9)).toBe(2);
});
