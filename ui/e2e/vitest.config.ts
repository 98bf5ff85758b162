import { defineConfig } from 'vitest/config';

// A browser against the real server: one server a file, tests of a file in order, two files at a time. The files of a worker
// share its modules and its browser, in which each has pages of its own.
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['*.e2e.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    isolate: false,
    expect: { poll: { timeout: 20_000 } },
    retry: process.env.CI === undefined ? 0 : 1, // a busy machine may be slower than any patience
    bail: 1, // later tests of a file build on earlier ones
  },
});
