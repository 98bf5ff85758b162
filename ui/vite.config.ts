import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { firstLook } from './build/chunks.ts';
import { early } from './build/early.ts';
import { mantineStyles } from './build/mantine.ts';
import { packed } from './build/packed.ts';

const src = join(import.meta.dirname, 'src');
const outDir = join(import.meta.dirname, '../internal/web/dist/app');

export default defineConfig({
  plugins: [react(), mantineStyles(src), early(['first']), packed(outDir)],
  // The server fills in the nonce and the token: index.html is its template.
  html: { cspNonce: '{{.Nonce}}' },
  // index.html is at any depth below a base path that the server knows; files name one another by where they are themselves.
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `{{.Base}}/${file}` : { relative: true }) },
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            ...firstLook(src, ['features/overview/OverviewPage.tsx', 'features/tasks/TaskBell.tsx', 'parts/demo/DemoData.tsx'], 'components/chart/EChart.tsx', 3),
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
    isolate: false, // files share modules, which takes a quarter of the time; what they stub and spy on ends with each test
    unstubGlobals: true,
    restoreMocks: true,
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing.ts'],
  },
});
