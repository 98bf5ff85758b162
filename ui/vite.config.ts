import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const outDir = '../internal/web/dist/app';

/** Replaces the text files among the assets by their gzip form, which is what the server embeds and sends. */
function zipped(): Plugin {
  return {
    name: 'zipped',
    apply: 'build',
    closeBundle() {
      const dir = join(import.meta.dirname, outDir, 'assets');
      for (const name of readdirSync(dir)) {
        if (!/\.(js|css|svg|json)$/.test(name)) continue;
        const file = join(dir, name);
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
        rmSync(file);
      }
    },
  };
}

export default defineConfig({
  plugins: [react(), zipped()],
  // The server fills in the nonce and the token: index.html is its template.
  html: { cspNonce: '{{.Nonce}}' },
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // What nearly every page needs comes in a few files; the rest with its page.
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|i18next|react-i18next|@floating-ui|@mantine[\\/]hooks)[\\/]/, minShareCount: 2, priority: 3 },
            { name: 'parts', test: /node_modules[\\/]@mantine[\\/]core[\\/]/, minShareCount: 4, priority: 2 },
            { name: 'shared', test: /[\\/]ui[\\/]src[\\/].*\.tsx?$/, minShareCount: 4, priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    testTimeout: 20_000, // a busy machine takes long to find roles in a page that is not drawn
    environment: 'node', // tests of parts ask for jsdom
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing.ts'],
  },
});
