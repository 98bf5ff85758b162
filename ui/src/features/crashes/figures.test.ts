import { describe, expect, it } from 'vitest';
import type { Figures, Plain } from '../../parts/trends/api';
import { courseOf, framesOf, parseMeasure, slotOf, topOf, valueOf, within } from './figures';

const figures = (t: number, u: number, sessions: number): Figures => ({ t, u, s: 0, dur: 0, m: [sessions] });

describe('figures of crashes', () => {
  it('are shares of sessions and users that nothing ended', () => {
    const both = { fatal: figures(5, 2, 3), other: figures(7, 4, 6) };
    expect(valueOf('freeSessions', both, { t: 12, u: 8 })).toBe(0.75);
    expect(valueOf('freeUsers', both, { t: 12, u: 8 })).toBe(0.75);
    expect(valueOf('fatal', both, { t: 12, u: 8 })).toBe(5);
    expect(valueOf('nonfatal', both, { t: 12, u: 8 })).toBe(7);
    expect(valueOf('hit', both, { t: 12, u: 8 })).toBe(2);
  });
  it('know nothing of days without sessions, and never fall below none', () => {
    expect(valueOf('freeSessions', { fatal: figures(1, 1, 1), other: undefined }, { t: 0, u: 0 })).toBeUndefined();
    expect(valueOf('freeUsers', { fatal: figures(9, 9, 9), other: undefined }, { t: 1, u: 1 })).toBe(0);
    expect(valueOf('freeSessions', { fatal: undefined, other: undefined }, { t: 3, u: 1 })).toBe(1);
  });
  it('lie beside the steps of the sessions', () => {
    expect([slotOf('2031-5-14'), slotOf('2031-w20'), slotOf('2031-5'), slotOf('2031-5-14 9:00')]).toEqual(['2031.5.14', '2031.w20', '2031.5', '2031.5.14.9']);
    const plain = (data: Record<string, Figures>): Plain => ({ totals: figures(0, 0, 0), data: { daily: data } });
    const rows = [
      { _id: '2031-5-13', t: 4, n: 0, u: 2, d: 0 },
      { _id: '2031-5-14', t: 4, n: 0, u: 2, d: 0 },
    ];
    expect(courseOf('freeSessions', rows, 'daily', plain({ '2031.5.14': figures(1, 1, 1) }), plain({}))).toEqual([1, 0.75]);
    expect(courseOf('nonfatal', rows, 'daily', plain({}), plain({ '2031.5.13': figures(3, 1, 1) }))).toEqual([3, 0]);
  });
  it('are narrowed beside the filter of the page', () => {
    expect(within(undefined, { a: 1 })).toEqual({ a: 1 });
    expect(within('{"up.p":"iOS"}', { a: 1 })).toEqual({ $and: [{ 'up.p': 'iOS' }, { a: 1 }] });
    expect(parseMeasure('x')).toBe('freeSessions');
  });
});

describe('a stack', () => {
  it.each([
    ['java', 'java.lang.IllegalStateException: no\n\tat com.shop.Cart.pay(Cart.java:12)\n\tat android.view.View.performClick(View.java:6597)\nCaused by: x', [false, true, false, false]],
    ['JavaScript', 'TypeError: x is undefined\n    at pay (https://shop.example/app.js:1:2)\n    at node:internal/process/task_queues:95:5\nrender@https://shop.example/app.js:3:4', [false, true, false, true]],
    ['iOS', '0   Shop    0x00000001000e 0x1000c + 12\n1   UIKitCore    0x00000001000f 0x1000c + 12', [true, false]],
    ['Flutter', '#0      Cart.pay (package:shop/cart.dart:12:5)\n#1      _Ink.tap (package:flutter/src/ink.dart:1:2)\n#2      _run (dart:async/zone.dart:1:2)', [true, false, false]],
    ['React Native', 'TypeError: x\n    at pay (address at index.android.bundle:1:52345)', [false, true]],
    ['Unity', 'NullReferenceException: no\nShop.Cart:Pay (int) (at Assets/Cart.cs:12)\nUnityEngine.Events.Call:Invoke (x y) (at <00>:0)\n  at Shop.Cart.Pay (System.Int32 n) [0x00012] in <00>:0', [false, true, false, true]],
    ['Python', 'Traceback (most recent call last):\n  File "/app/pay.py", line 3, in pay\n  File "/usr/lib/python3/site-packages/x.py", line 1, in y', [false, true, false]],
  ])('of %s has own frames', (_, error, own) => {
    expect(framesOf(error).map((f) => f.own)).toEqual(own);
  });
  it('may be empty', () => expect(framesOf('\n\n')).toEqual([]));
});

it('a distribution has its most frequent values first', () => {
  expect(topOf({ a: 1, b: 5, c: 1, d: 2 }, 2)).toEqual({ rows: [{ name: 'b', value: 5 }, { name: 'd', value: 2 }], rest: 2 });
});
