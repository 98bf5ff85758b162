import { defineConfig } from 'vitest/config';

// A browser against the real server: one server and one browser a file, tests of a file in order, two files at a time.
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['*.e2e.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    bail: 1, // later tests of a file build on earlier ones
  },
});
