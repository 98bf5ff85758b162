import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: { include: ['gallery.ts'], environment: 'node', testTimeout: 600_000, hookTimeout: 300_000 },
});
