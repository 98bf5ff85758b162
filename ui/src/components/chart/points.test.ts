import { describe, expect, it } from 'vitest';
import { spanBetween, stepped } from './points';

const press = (key: string, shift = false, rtl = false) => ({ key, shift, rtl });
const at = (n: number, anchor = n) => ({ anchor, at: n });

describe('stepped', () => {
  it.each([
    ['ArrowRight', 3, 4],
    ['ArrowLeft', 3, 2],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 9, 9],
    ['Home', 5, 0],
    ['End', 5, 9],
    ['PageUp', 5, 9],
    ['PageDown', 8, 1],
  ])('%s leads from %d to %d', (key, from, to) => expect(stepped(press(key), at(from), 9)).toEqual(at(to)));
  it('keeps the other end with the shift key', () => {
    expect(stepped(press('ArrowRight', true), at(3), 9)).toEqual({ anchor: 3, at: 4 });
    expect(stepped(press('ArrowRight'), { anchor: 3, at: 6 }, 9)).toEqual(at(7));
  });
  it('turns round for those who read from the right', () => expect(stepped(press('ArrowLeft', false, true), at(3), 9)).toEqual(at(4)));
  it('leaves other keys alone', () => expect(stepped(press('toString'), at(3), 9)).toBeUndefined());
});

it.each([
  [at(2, 5), { first: 2, end: 5 }],
  [at(5, 2), { first: 2, end: 5 }],
  [at(12, 7), { first: 7, end: 9 }],
])('%j is a span', (range, want) => expect(spanBetween(range, 9)).toEqual(want));
