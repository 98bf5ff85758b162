import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of src/parts from the bottom up: each may import those before it. */
const parts = ['apps', 'tasks', 'demo', 'empty', 'figures', 'notes', 'properties', 'saved', 'events', 'cohorts', 'metrics', 'filters', 'trends', 'people', 'views', 'cards'];

/** What pages show of other features, each after those that it shows. All else that several features have lies in src/parts. */
const shows = {
  activeusers: ['retention'],
  apps: ['live', 'settings'],
  funnels: ['flows'],
  crashes: ['flows', 'funnels', 'trackers'],
  health: ['about', 'places', 'times'],
  logger: ['settings'],
  metrics: ['places'],
  overview: ['live'],
  profiles: ['crashes'],
  revenue: ['retention'],
};

const foldersOf = (dir) => readdirSync(dir, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** A zone of import-x/no-restricted-paths: a folder may import itself and some others of its parent. Tests may import what they like. */
const zone = (parent, folder, others, message) => ({
  target: `./src/${parent}/${folder}/**/!(*.test).{ts,tsx}`,
  from: `./src/${parent}`,
  except: [folder, ...others].map((name) => `./${name}`),
  message,
});

/** Says for each folder of src/parts and src/features which of its neighbours it may import; none imports itself in a circle. */
export function zonesOfFolders(ui) {
  const found = foldersOf(join(ui, 'src/parts'));
  const unlike = [...found.filter((folder) => !parts.includes(folder)), ...parts.filter((folder) => !found.includes(folder))];
  if (unlike.length > 0) throw new Error(`lint/folders.js lists the folders of src/parts; see to ${unlike.join(', ')}`);
  const features = foldersOf(join(ui, 'src/features'));
  const pages = Object.keys(shows);
  for (const [i, page] of pages.entries()) {
    for (const shown of [page, ...shows[page]]) if (!features.includes(shown)) throw new Error(`lint/folders.js: there is no feature ${shown}`);
    for (const shown of shows[page]) if (pages.indexOf(shown) >= i) throw new Error(`lint/folders.js: ${page} shows ${shown}, so it stands after it; if that shows ${page}, this is a circle`);
  }
  return [
    ...parts.map((folder, i) => zone('parts', folder, parts.slice(0, i), 'A folder of parts imports those before it in lint/folders.js.')),
    ...features.map((folder) => zone('features', folder, shows[folder] ?? [], 'A feature imports no other: what several need lies in parts/, and what a page shows of another feature is listed in lint/folders.js.')),
  ];
}
