import type { Plugin } from 'vite';
import { batchAddress, firstReads } from '../src/api/first.ts';

/** Has index.html begin to load what every page needs but no script that it names imports: the first reads and some files, by name. */
export function early(names: readonly string[]): Plugin {
  return {
    name: 'early',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => {
        const files = Object.keys(bundle).filter((file) => names.some((name) => file.startsWith(`assets/${name}-`)));
        if (files.length < names.length) throw new Error(`no files named ${names.join(', ')}`);
        const link = (attrs: Record<string, string | true>) => ({ tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' as const });
        return [
          link({ rel: 'preload', as: 'fetch', href: `{{.Base}}${batchAddress(Object.values(firstReads))}` }),
          ...files.map((file) => link({ rel: file.endsWith('.css') ? 'stylesheet' : 'modulepreload', href: `{{.Base}}/${file}`, nonce: '{{.Nonce}}' })),
        ];
      },
    },
  };
}
