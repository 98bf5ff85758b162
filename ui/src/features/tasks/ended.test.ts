import { expect, it } from 'vitest';
import type { Task } from '../../parts/tasks/api';
import { ended } from './ended';

const task = (_id: string, status: string): Task => ({ _id, status, type: 'x', app_id: '', creator: '', report_name: '', global: false, ts: 0, hasData: false });

it.each([
  ['nothing was known before', [], [task('a', 'completed')], []],
  ['one goes on', [task('a', 'running')], [task('a', 'running')], []],
  ['one is done, one failed', [task('a', 'running'), task('b', 'rerunning')], [task('b', 'errored'), task('a', 'completed')], ['b', 'a']],
  ['one was done already', [task('a', 'completed')], [task('a', 'completed')], []],
  ['one is gone', [task('a', 'running')], [], []],
] as const)('tells what ended: %s', (_, before, now, want) => {
  expect(ended(before, now).map((t) => t._id)).toEqual(want);
});
