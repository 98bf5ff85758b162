import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { describedBy } from './model';

const Members = v.record(v.unknown());

/** The description of the API, as far as its page needs all of it to be there. */
export const Document = v.object({
  info: v.object({ version: v.string(), description: v.string() }),
  tags: v.array(v.object({ name: v.string(), description: v.string() })),
  paths: v.record(v.record(Members)),
  components: v.object({ schemas: Members }),
  'x-quipu-faults': v.record(v.object({ cause: v.string(), cure: v.string() })),
});
export type Document = v.Of<typeof Document>;

/** What the server says of its API. It is as large as it is, so it is read once. */
export const description = queryOptions({
  queryKey: ['reference'],
  queryFn: async ({ signal }) => describedBy(await read('/openapi.json', Document, {}, signal)),
  staleTime: Infinity,
});
