import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const modules = join(import.meta.dirname, '../node_modules');

/** Libraries that are imported by names from an index, which imports all that they have. */
const indexes = new Map([
  ['@mantine/core', join(modules, '@mantine/core/esm/index.mjs')],
  ['echarts/charts', join(modules, 'echarts/lib/export/charts.js')],
  ['echarts/components', join(modules, 'echarts/lib/export/components.js')],
  ['echarts/renderers', join(modules, 'echarts/lib/export/renderers.js')],
]);
const files = new Set(indexes.values());

/** Whether a file is such an index. */
export const isIndex = (file: string): boolean => files.has(file);

/** Each name of a list of imports or exports, as others know it. */
function names(list: string): string[] {
  return list.split(',').map((name) => name.trim().replace(/^type /, ''));
}

/** Where an index finds each of its names. */
function places(index: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, list = '', path = ''] of readFileSync(index, 'utf8').matchAll(/^(?:import|export) \{([^}]*)\} from ["'](\.[^"']+)["']/gm)) {
    for (const name of names(list)) found.set(name.replace(/.* as /, ''), join(dirname(index), path));
  }
  return found;
}

/** Tells which files of such libraries hold the names that a file imports. */
export function namedFiles(): (file: string) => string[] {
  const all = new Map([...indexes].map(([library, index]) => [library, places(index)]));
  return (file) =>
    [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from ["']([^"'.][^"']*)["']/g)].flatMap(([, list = '', library = '']) =>
      names(list).flatMap((name) => all.get(library)?.get(name.replace(/ as .*/, '')) ?? []),
    );
}
