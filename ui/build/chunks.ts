import { isIndex, namedFiles } from './indexes.ts';

/** What the bundler tells of a module. */
interface ModuleInfo {
  importedIds: readonly string[];
}

interface Context {
  getModuleInfo: (id: string) => ModuleInfo | null;
}

/** Every module that some modules need before they run, with themselves. Imports that are made later do not count. */
function closure(roots: readonly string[], context: Context): Set<string> {
  const named = namedFiles();
  const found = new Set(roots);
  // A Set goes on with what is added.
  for (const id of found) {
    if (isIndex(id)) continue;
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) found.add(next);
    if (/\.tsx?$/.test(id)) for (const file of named(id)) found.add(file);
  }
  return found;
}

/** A group of modules that share a file. */
interface Group {
  name: (id: string, context: Context) => string | null;
  debugName: string;
  priority: number;
}

/**
 * The files of the first look at the dashboard, which are few: "base" is what libraries give to every page, "shell" what
 * surrounds every page, "first" what the first page has beyond them, and "chart" what draws. Modules that are imported later
 * have files of their own.
 */
export function firstLook(src: string, pages: readonly string[], chart: string, priority: number): Group[] {
  const start = `${src}/main.tsx`;
  const later = pages.map((name) => `${src}/${name}`);
  let shell: Set<string> | undefined;
  let first: Set<string> | undefined;
  let drawing: Set<string> | undefined;
  const inShell = (id: string, context: Context) => (shell ??= closure([start], context)).has(id);
  const inFirst = (id: string, context: Context) => (first ??= closure(later, context)).has(id);
  const inChart = (id: string, context: Context) => (drawing ??= closure([`${src}/${chart}`], context)).has(id);
  const ours = (id: string) => id.startsWith(`${src}/`);
  const group = (name: string, rank: number, holds: (id: string, context: Context) => boolean): Group => ({
    name: (id, context) => (id !== start && id !== `${src}/${chart}` && holds(id, context) ? name : null),
    debugName: name,
    priority: priority + rank,
  });
  // A group takes along what its modules import, so the one below all comes first.
  return [
    group('base', 3, (id, context) => !ours(id) && inShell(id, context)),
    group('shell', 2, (id, context) => ours(id) && inShell(id, context)),
    group('first', 1, inFirst),
    group('chart', 0, inChart),
  ];
}
