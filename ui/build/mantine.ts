import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { namedFiles } from './indexes.ts';

const modules = join(import.meta.dirname, '../node_modules/@mantine');
const core = join(modules, 'core');

/** What every page needs, whatever components it has. */
const always = ['baseline', 'default-css-variables', 'global'];

/** The variables of colours that no page and no component in use names. */
const foreignColours = /--mantine-color-(?:pink|grape|violet|blue|cyan|teal|green|lime|orange)-[\w-]+:[^;}]*;?/g;

/** The files below a folder that hold code. */
function* codeBelow(dir: string, ending: RegExp): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* codeBelow(path, ending);
    else if (ending.test(entry.name)) yield path;
  }
}

/** The files that a file of the library imports. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g)].map(([, path = '']) => join(dirname(file), path));
}

/** The style sheets of the components that the dashboard uses, and of those that they are made of. */
function sheetsFor(sources: string): string[] {
  const users = [...codeBelow(sources, /\.tsx?$/), ...codeBelow(join(modules, 'dates/esm'), /\.mjs$/)];
  const found = new Set(users.flatMap(namedFiles()));
  for (const file of found) for (const next of importsOf(file)) found.add(next); // a Set goes on with what is added
  const used = new Set([...found].filter((file) => file.endsWith('.module.mjs')).map((file) => basename(file, '.module.mjs')));
  return [...always, ...used];
}

/** The styles of the components in use, in the order in which the whole sheet has them. */
function stylesFor(sources: string): string {
  const whole = readFileSync(join(core, 'styles.css'), 'utf8');
  return sheetsFor(sources)
    .map((name) => {
      const file = join(core, 'styles', `${name}.css`);
      const css = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
      const at = whole.indexOf(css);
      if (css === '' || at < 0) throw new Error(`@mantine/core has no style sheet for ${name}`);
      return { at, css: css.replace(foreignColours, '') };
    })
    .sort((a, b) => a.at - b.at)
    .map(({ css }) => css)
    .join('\n');
}

/** Builds @mantine/core/styles.css from the components in use; the whole sheet is three times as long. */
export function mantineStyles(sources: string): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id.endsWith('@mantine/core/styles.css') ? stylesFor(sources) : null),
  };
}
