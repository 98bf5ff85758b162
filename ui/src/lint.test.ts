import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

// The rules of eslint.config.js hold what the dashboard is built on. They are tried on text that breaks them, in place of files that there are.

const ui = join(import.meta.dirname, '..');
const eslint = new ESLint({ cwd: ui });
const zone = 'import-x/no-restricted-paths';
const cast = 'quipu/uncast';
const words = 'no-restricted-syntax';
const call = 'no-restricted-globals';
const rules = [zone, cast, words, call];

/** Lines, each with the rule that it breaks; undefined for what is allowed. */
type Lines = readonly (readonly [line: string, rule: string | undefined])[];

const everywhere: Lines = [
  ["export const a = JSON.parse('{}') as { id: string };", cast],
  ['export const b = (answer: unknown) => answer as { id: string };', cast],
  ["export const c = ['a'] as const;", undefined],
  ["export const d = (name: string) => name as 'one' | 'two';", undefined],
  ["export const f = () => fetch('/o/ping');", call],
  ["export const g = () => window.fetch('/o/ping');", call],
  ['export const h = () => new XMLHttpRequest();', call],
  ["export const i = (e: Error) => e.message === 'x';", words],
  ['export const j = (e: Error) => /x/.test(e.message);', words],
  ['export const k = ({ message }: Error) => message;', words],
  ['export function l(e: Error) { const { message: said } = e; return said; }', words],
  ["export const m = (e: Error) => e['message'];", words],
  ['export const n = (e: Error, placeOf: (text: string) => number) => placeOf(e.message);', words],
  ["declare const task: { errormsg?: string }; declare const messageOf: (e: unknown) => string; declare const e: unknown;", undefined],
  ["export const o = messageOf(e) === 'x';", words],
  ["export const p = messageOf(e).includes('x');", words],
  ['export const q = /x/.test(messageOf(e));', words],
  ["export const r = task.errormsg === 'x';", words],
  ['export const s = task.errormsg !== undefined;', undefined],
  ['export const show = { message: messageOf(e) };', undefined],
];

const cases: Readonly<Record<string, Lines>> = {
  'src/lib/csv.ts': [["import type { Result } from '../features/sql/api';", zone], ["export const router = () => import('../router');", zone]],
  'src/api/batch.ts': [["import type { Result } from '../features/sql/api';", zone]],
  'src/access/apps.ts': [["import { features } from '../features';", zone]],
  'src/components/link.ts': [["import { appDetails } from '../parts/apps/api';", zone]],
  'src/components/chart/points.ts': [["import { fold } from '../../shell/fold';", zone], ["export type { Result } from '../../features/sql/api';", zone], ...everywhere],
  'src/i18n/index.ts': [["import type { Result } from '../features/sql/api';", zone], ...everywhere],
  'src/feature/search.ts': [["import type { Result } from '../features/sql/api';", zone], ...everywhere],
  'src/features/sql/api.ts': [
    ["import { features } from '..';", zone],
    ["import { fold } from '../../shell/fold';", zone],
    ["import { eventList } from '../../parts/events/api';", undefined],
    ["import type { Flow } from '../flows/api';", zone],
    ["export const eventPage = () => import('../events/EventPage');", zone],
    ...everywhere,
  ],
  'src/features/funnels/api.ts': [["import type { Flow } from '../flows/api';", undefined], ["import type { Group } from '../crashes/api';", zone]],
  'src/parts/events/api.ts': [
    ["import { timed } from '../figures/api';", undefined],
    ["import { useTrend } from '../cards/useTrend';", zone],
    ["import { slipping } from '../../features/slipping/api';", zone],
    ["import { fold } from '../../shell/fold';", zone],
    ...everywhere,
  ],
  'src/shell/fold.ts': [["import type { Result } from '../features/sql/api';", zone], ["import type { sql } from '../features/sql/feature';", undefined], ...everywhere],
};

test.each(Object.entries(cases))('what breaks a rule in %s is found', async (file, lines) => {
  const [result] = await eslint.lintText(lines.map(([line]) => line).join('\n'), { filePath: join(ui, file) });
  const found = lines.map(([line], i) => [line, result?.messages.find((message) => message.line === i + 1)?.ruleId]);
  expect(found).toEqual(lines);
}, 180_000);

test('every file is checked, and only what makes calls may make them', async () => {
  const free = new Set(['src/api/client.ts', 'src/api/raw.ts', 'src/api/watched.ts', 'src/lib/file.ts', 'src/lib/stream.ts', 'src/lib/reach.ts'].map((file) => `${file}: ${call}`));
  free.add(`src/api/answer.ts: ${words}`);
  const files = readdirSync(join(ui, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.') && file !== 'src/testing.ts');
  expect(files.length).toBeGreaterThan(500);
  const off = new Set<string>();
  for (const file of files) {
    const config: unknown = await eslint.calculateConfigForFile(join(ui, file));
    for (const rule of rules) if (levelOf(config, rule) !== 2) off.add(`${file}: ${rule}`);
  }
  expect(off).toEqual(free);
});

/** How serious a rule is to a configuration: 2 is an error; undefined where it is none, as of files that nothing selects. */
function levelOf(config: unknown, rule: string): unknown {
  if (typeof config !== 'object' || config === null || !('rules' in config)) return undefined;
  const set: unknown = Object.entries(config.rules ?? {}).find(([name]) => name === rule)?.[1];
  return Array.isArray(set) ? set[0] : undefined;
}
