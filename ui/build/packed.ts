import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { gzipAsync } from '@gfx/zopfli';
import type { Plugin } from 'vite';

/**
 * Replaces the text files among the assets by their compressed forms, which are what the server embeds and sends. Zopfli writes gzip that
 * is 3 to 4 % smaller than zlib's at its best, for some seconds of the build.
 */
export function packed(outDir: string): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    async writeBundle() {
      const dir = join(outDir, 'assets');
      for (const name of readdirSync(dir)) {
        if (!/\.(js|css|svg|json)$/.test(name)) continue;
        const file = join(dir, name);
        const plain = readFileSync(file);
        const brotli = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
        writeFileSync(`${file}.br`, brotliCompressSync(plain, { params: brotli }));
        writeFileSync(`${file}.gz`, await gzipAsync(plain, { numiterations: 5 }));
        rmSync(file);
      }
    },
  };
}
