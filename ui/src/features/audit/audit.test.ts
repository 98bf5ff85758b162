import { expect, it } from 'vitest';
import { filterOf } from './api';

it.each([
  [{}, {}],
  [{ action: 'apps_create', member: 'm', app: 'a' }, { a: 'apps_create', user_id: 'm', app_id: 'a' }],
  [{ from: '2026-01-31', to: '2026-01-31' }, { ts: { $gte: new Date(2026, 0, 31).getTime() / 1000, $lt: new Date(2026, 1, 1).getTime() / 1000 } }],
  [{ to: '2026-01-31' }, { ts: { $lt: new Date(2026, 1, 1).getTime() / 1000 } }],
  [{ from: 'x' }, {}],
])('filter of %j', (only, want) => expect(filterOf(only)).toEqual(want));
