import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/** Replaces the text files among the assets by their compressed forms, which are what the server embeds and sends. */
export function packed(outDir: string): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    async writeBundle() {
      const dir = join(outDir, 'assets');
      const names = readdirSync(dir).filter((name) => /\.(js|css|svg|json)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const file = join(dir, name);
          const plain = readFileSync(file);
          const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
          const [br, gz] = await Promise.all([brotli(plain, { params }), zip(plain, { level: constants.Z_BEST_COMPRESSION })]);
          writeFileSync(`${file}.br`, br);
          writeFileSync(`${file}.gz`, gz);
          rmSync(file);
        }),
      );
    },
  };
}
