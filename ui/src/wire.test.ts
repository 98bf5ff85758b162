// @vitest-environment jsdom
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { myApps, type App } from './access/apps';
import { me } from './access/me';
import { modules } from './access/useModules';
import { AnswerError } from './api/client';
import { valuesOf } from './components/filter/api';
import { pageOf, type Listing } from './components/table/listing';
import { about } from './features/about/api';
import { sessions } from './features/account/api';
import { appDetails, hasData } from './parts/apps/api';
import { auditLog, auditMeta } from './features/audit/api';
import { campaignList, credits, visits as campaignVisits } from './features/campaigns/api';
import { cohort, cohortList, cohortNames, histories, preview as cohortPreview } from './parts/cohorts/api';
import { consentHistory, consentNow } from './features/consent/api';
import { preview as crashPreview, rules as crashRules } from './features/crashes/rules';
import { crashesOf, group as crashGroup, groupList as crashGroups, known as knownCrashes, releases as crashReleases, velocity, variants as crashVariants } from './features/crashes/api';
import { environments, people, templates } from './parts/demo/api';
import { loadOf } from './parts/demo/load';
import { eventGroups } from './parts/events/manage';
import { definedEvents, preview, usesOf } from './parts/events/defined';
import { eventList, eventSums } from './parts/events/api';
import { eventSegment, eventTrends } from './parts/events/detail';
import { savedViews } from './parts/saved/api';
import { labels, properties } from './parts/properties/api';
import { checked, formulas, largest, usedBy, values } from './features/formulas/api';
import { analysis, drivers, funnel, funnels, instead, reached } from './features/funnels/api';
import { flowList, paths } from './features/flows/api';
import { toSent, usualFlow } from './features/flows/draft';
import { dataPoints, history, machine, punchCard, services } from './features/health/api';
import { outcomes } from './features/ingestion/api';
import { jobList } from './features/jobs/api';
import { logged, logState, requestLog } from './features/logger/api';
import { logs } from './features/logs/api';
import { features, members } from './features/members/api';
import { metricRows } from './parts/metrics/api';
import { notes } from './parts/notes/api';
import { course, sums } from './parts/figures/api';
import { loyalty, ranges, timesOfDay } from './parts/cards/habits';
import { citiesOf, database, locationOf, placeList } from './features/places/api';
import { inactiveSince, profile, profileList } from './parts/people/api';
import { courseOf, historyOf, sessionsOf, timeline } from './features/profiles/person';
import { frequent, known as knownProperties, searched } from './features/properties/api';
import { onlineAlerts, onlineNow } from './features/online/api';
import { report as activeUsers } from './features/activeusers/api';
import { activity, people as whoReturned, report, type Question as Returns } from './features/retention/api';
import { course as performanceCourse, groups as performanceGroups, overview as performance, trace as performanceTrace } from './features/performance/api';
import { appSums } from './features/compare/api';
import { lifetimes, report as revenue } from './features/revenue/api';
import { appValues, configs, featureList, schema } from './features/settings/api';
import { slipping } from './features/slipping/api';
import { erasures, held, subjectList } from './features/subjects/api';
import { run as runStatement, saved as savedStatements, schema as sqlSchema } from './features/sql/api';
import { overview as symbolOverview } from './features/symbols/api';
import { draft as issueDraft, issue, settings as trackerSettings } from './features/trackers/api';
import { taskList } from './parts/tasks/api';
import { task } from './parts/tasks/manage';
import { tokens } from './features/tokens/api';
import { behind, bookmarks, breakdown, course as trend, groups, meta, type Question } from './parts/trends/api';
import type { Period } from './lib/period';
import { heatOf, pictures as heatPictures } from './features/heatmaps/api';
import { viewFigures, viewList, viewTotals } from './parts/views/api';
import { viewNames, viewSegments } from './parts/views/manage';
import { viewCourses } from './parts/views/courses';

/** An answer that the server gave, from the conversations that its own tests are held to. */
interface Recorded {
  /** The path, with the method that the path has several of. */
  address: string;
  params: URLSearchParams;
  body: unknown;
}

const golden = join(import.meta.dirname, '../../internal/wiretest/testdata/golden');

/** The successful JSON answers of a file of conversations. */
function recorded(file: string): Recorded[] {
  return readFileSync(join(golden, file), 'utf8')
    .split(/^# /m)
    .flatMap((block) => {
      const [asked = '', answer = ''] = block.split(/^<<< 200 application\/json.*$/m);
      const [, first = '', ...lines] = asked.split('\n');
      const [path = '', query = ''] = first.slice(first.indexOf(' ') + 1).split('?');
      const params = new URLSearchParams([query, ...lines.filter((line) => /^\w+=/.test(line))].join('&'));
      const shown = !lines.includes('keys'); // of others only the names of members are recorded
      return answer.trim() === '' || !shown ? [] : [{ address: addressOf(path, params), params, body: JSON.parse(answer) as unknown }];
    });
}

function addressOf(path: string, params: URLSearchParams): string {
  return [path, ...['method', 'action', 'calculate'].flatMap((name) => params.get(name) ?? [])].join(' ');
}

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((file) => /^(access|features|shell|components)\/.*\.tsx?$/.test(file) && !file.includes('.test.'));

const all = readdirSync(golden).flatMap(recorded);

const app: App = { _id: 'a', name: 'Shop', key: 'k', timezone: 'UTC', country: 'DE', category: '6', type: 'web', has_image: false };
const month: Period = { kind: 'preset', preset: '30days' };
const span = { from: '2031-05-01', to: '2031-05-03' };
const cut = { segment: '', value: '' };
const question: Question = { event: 'buy', measure: 't', filter: {}, by: ['sg.plan'], period: month, bucket: 'daily', before: undefined };
const returns: Returns = { start: ['buy'], first: true, back: ['buy'], mode: 'on', unit: 'day', filter: {}, by: '', period: month, ages: 3 };
const paid = { period: month, events: [], by: '' };
const ways = { period: month, filter: {}, by: 'up.cc', at: '' };
const view = { _id: 'v', view: '/home' };

/** The first page of a list. */
const first = <Row>(list: Listing<Row>) => pageOf(list, { search: '', sort: undefined, page: 1, size: 10 });

interface Ask {
  queryFn?: unknown;
}

const isPage = ({ body }: Recorded) => typeof body === 'object' && body !== null && 'aaData' in body;

/** Every read of the dashboard whose answers are recorded, by the address that it is of. */
const asks: [address: string, ask: Ask, of?: (recorded: Recorded) => boolean][] = [
  ['/o/users/me', me],
  ['/o/apps/mine', myApps],
  ['/o/system/plugins', modules],
  ['/o/apps/details', appDetails('a')],
  ['/o/apps/details', hasData('a')],
  ['/o/apps/details', appValues('a')],
  ['/o systemlogs', first(auditLog('a', {}))],
  ['/o/consent/search', first(consentHistory('a', {}))],
  ['/o/app_users/consents', first(consentNow('a', {}))],
  ['/o crashes', first(crashGroups('a', { preset: '', os: '', version: '' })), isPage],
  ['/o crashes', crashGroup('a', 'g'), ({ params }) => params.has('group')],
  ['/o crash_releases', crashReleases('a')],
  ['/o crash_velocity', velocity('a')],
  ['/o crash_rules', crashRules('a')],
  ['/o crash_variants', crashVariants('a', 'g')],
  ['/o/crashes/preview_rules', crashPreview('a', { algorithm: 1, stack: [], fingerprints: [] }), ({ body }) => typeof body === 'object' && body !== null && 'before' in body],
  ['/o user_crashes', crashesOf('a', '1'), isPage],
  ['/o crash_symbols_overview', symbolOverview('a')],
  ['/o crashes', knownCrashes('a'), ({ params }) => params.has('graph')],
  ['/o/populator/templates', templates('a'), ({ body }) => Array.isArray(body)],
  ['/o/populator/environment/list', environments('a')],
  ['/o/populator/environment/get', first(people('a', { _id: 'e', name: 'E', templateId: 't', createdAt: 0 }))],
  ['/o/tasks/list', loadOf('a')],
  ['/o/tasks/list', first(taskList('a', {}))],
  ['/o/tasks/task', task('a', 't')],
  ['/o get_event_groups', eventGroups('a')],
  ['/o get_events', eventList('a')],
  ['/o/analytics/compare', eventSums(app, month, span), ({ params }) => params.get('of') === 'events'],
  ['/o/analytics/compare', sums(app, month, span), ({ params }) => params.get('of') !== 'events'],
  ['/o/analytics/events', eventTrends(app, ['buy'], month, 'day'), ({ params }) => params.has('events')],
  ['/o/analytics/events', eventSegment(app, 'buy', 'plan', month), ({ params }) => params.has('segmentation')],
  ['/o/explore/properties', properties('a')],
  ['/o/explore/views', savedViews('a')],
  ['/o/properties', labels('a')],
  ['/o/calculated_metrics/metrics', formulas('a'), ({ params }) => !params.has('for_widgets')],
  ['/o/calculated_metrics/metric', usedBy('a', 'f'), ({ params }) => params.get('mode') === 'has_reports'],
  ['/o/calculated_metrics/check', checked('a', '1')],
  ['/o calculated_metrics', values(app, { formula: { text: '1' }, period: month, bucket: 'daily' }), ({ body }) => typeof body === 'object' && body !== null && 'data' in body],
  ['/o/analytics/metric', valuesOf('a', 'platforms')],
  ['/o/analytics/metric', metricRows(app, 'platforms', month)],
  ['/o/attribution/visits', campaignVisits(app, month, 'channel')],
  ['/o/attribution', credits(app, { period: month, event: '', model: 'last', window: 30, by: 'channel' })],
  ['/o/campaign', campaignList(app, month, false), ({ params }) => params.has('getTable')],
  ['/o get_cohorts', cohortList('a'), ({ body, params }) => Array.isArray(body) && !params.has('projection')],
  ['/o get_cohort', cohort('a', 'c')],
  ['/o get_cohort_list', cohortNames('a')],
  ['/o cohortdata', histories('a', ['c'])],
  ['/o/cohorts/preview', cohortPreview('a', { steps: [], user_segmentation: {} })],
  ['/o get_funnels', funnels('a'), ({ body }) => Array.isArray(body)],
  ['/o get_funnel', funnel('a', 'f')],
  ['/o funnel', analysis(app, 'f', ways), ({ body, params }) => !Array.isArray(body) && !params.has('instead') && !params.has('drivers')],
  ['/o funnel', instead(app, 'f', ways, 0, 1), ({ params }) => params.has('instead')],
  ['/o funnel', drivers(app, 'f', ways, []), ({ params }) => params.has('drivers')],
  ['/o funnel', reached(app, 'f', ways, 0, 2), ({ body }) => Array.isArray(body)],
  ['/o/flows list', flowList('a')],
  ['/o/flows/paths', paths(app, toSent(usualFlow), month)],
  ['/o segmentation', trend(app, question), ({ params }) => !params.has('projectionKey')],
  ['/o segmentation', breakdown(app, question), ({ params }) => params.has('projectionKey')],
  ['/o segmentation', groups(app, question), ({ params }) => params.get('list') === 'true'],
  ['/o segmentation', largest(app, 'buy', 'sg.plan', month), ({ params }) => params.get('list') === 'true'],
  ['/o segmentation', frequent('a', 'buy', 'sg.plan'), ({ params }) => params.get('list') === 'true'],
  ['/o segmentation_users', behind(app, question)],
  ['/o segmentation_meta', meta('a', 'buy'), ({ params }) => !params.has('property')],
  ['/o segmentation_meta', knownProperties('a', 'buy'), ({ params }) => !params.has('property')],
  ['/o segmentation_meta', searched('a', 'buy', 'sg.plan', 'x'), ({ params }) => params.has('property')],
  ['/o drill_bookmarks', bookmarks('a')],
  ['/o/concurrent_users', onlineNow([app])],
  ['/o concurrent_alerts', onlineAlerts('a')],
  ['/o/active_users/report', activeUsers(app, { period: month, events: ['[CLY]_session'], by: 'up.p', apps: [] })],
  ['/o/retention', report(app, returns)],
  ['/o/retention/people', whoReturned(app, returns, 0)],
  ['/o/retention/activity', activity(app, returns)],
  ['/o/performance', performance(app, month)],
  ['/o/performance/course', performanceCourse(app, month, 'lcp', 'day')],
  ['/o/performance/table', first(performanceGroups(app, month, 'lcp', 'name'))],
  ['/o/performance/trace', performanceTrace(app, month, 'device', 'x')],
  ['/o/compare/sums', appSums(app, month, [app])],
  ['/o/revenue/report', revenue(app, paid, 'day', undefined)],
  ['/o/revenue/ltv', lifetimes(app, { ...paid, unit: 'day', ages: 3 })],
  ['/o/server-stats/data-points', dataPoints('30days')],
  ['/o/server-stats/punch-card', punchCard('30days', '')],
  ['/o/system/observability', services],
  ['/o/ingest/outcomes', outcomes(app, month)],
  ['/o jobs', jobList('a')],
  ['/o/users/all', members],
  ['/o/users/permissions', features],
  ['/o/notes', notes(app, month)],
  ['/o/analytics/sessions', course(app, month, 'day')],
  ['/o/app_users/loyalty', loyalty(app)],
  ['/o/analytics/frequency', ranges(app, 'frequency', month)],
  ['/o/analytics/durations', ranges(app, 'durations', month)],
  ['/o times-of-day', timesOfDay(app, '[CLY]_session')],
  ['/o user_details', first(profileList('a')), isPage],
  ['/o user_details', profile('a', '1'), ({ params }) => params.has('uid')],
  ['/o user_details', first(inactiveSince('a', 0)), isPage],
  ['/o/configs', configs('a')],
  ['/o/plugins', featureList],
  ['/o/defined_events', definedEvents('a'), ({ body }) => Array.isArray(body)],
  ['/o/defined_events/uses', usesOf('a', 'buy')],
  ['/o/defined_events/preview', preview('a', [{ event: 'buy', query: {} }])],
  ['/o/slipping', slipping('a')],
  ['/o get_locations', placeList('a'), ({ body }) => Array.isArray(body)],
  ['/o lookup', locationOf('a', '10.0.0.1')],
  ['/o/places/cities', citiesOf('a', 'DE', ['Berlin'])],
  ['/o/places/database', database],
  ['/o/data_subjects', first(subjectList('a', undefined))],
  ['/o/data_subjects/held', held('a', '1')],
  ['/o/token/list', tokens],
  ['/o/sql/schema', sqlSchema('a')],
  ['/o/sql', { queryFn: ({ signal }: { signal: AbortSignal }) => runStatement(app, { sql: 'SELECT 1', period: month }, signal, () => undefined) }, ({ body, params }) => !params.has('form') && typeof body === 'object' && body !== null && 'columns' in body],
  ['/o/sql/queries', savedStatements('a')],
  ['/o/trackers', trackerSettings('a')],
  ['/o/trackers/issue', issue('a', 'g')],
  ['/o/trackers/draft', issueDraft('a', 'g')],
  ['/o/heatmaps', heatOf(app, 'v', 'all', month)],
  ['/o/heatmaps/pictures', heatPictures('a')],
  ['/o views getTable', first(viewList(app, month, cut))],
  ['/o views getTable', viewFigures(app, view, month, cut)],
  ['/o views getTotals', viewTotals(app, month, cut)],
  ['/o get_view_segments', viewSegments('a')],
  ['/o views', viewCourses(app, ['v'], month, 'day', cut), ({ params }) => params.has('selectedViews')],
  ['/o/users/sessions', sessions],
  ['/o systemlogs_meta', auditMeta('a')],
  ['/o logs', first(requestLog('a', {})), isPage],
  ['/o logs', logState('a'), isPage],
  ['/o logs', logged('a', 'r'), isPage],
  ['/o/errorlogs', logs],
  ['/o/configs/schema', schema],
  ['/o/data_subjects/erasures', first(erasures('a'))],
  ['/o views listNames', viewNames('a')],
  ['/o user_details eventsTable', timeline('a', '1', { event: 'all', search: '' })],
  ['/o user_details sessions', first(sessionsOf('a', '1'))],
  ['/o user_details graph', courseOf('a', '1', 'month')],
  ['/o user_details history', historyOf('a', '1')],
  ['/o/system/version', about],
  ['/o/system/overall', machine],
  ['/o/system/history', history],
];

/** What is asked beside the address that a read is of. */
const beside = new Set(['/o/system/plugins', '/o/ping', '/openapi.json']);

/** Has requests of an address answered with a body, and those beside it as recorded. Returns the addresses that are asked for. */
function answer(address: string, body: unknown): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const at = addressOf(pathname, searchParams);
    asked.push(at);
    const own = at === address || !beside.has(at);
    return Promise.resolve(new Response(JSON.stringify(own ? body : all.find((r) => r.address === at)?.body)));
  });
  return asked;
}

/** Makes a read. */
function run({ queryFn }: Ask): Promise<unknown> {
  const context = { client: new QueryClient(), queryKey: [], signal: new AbortController().signal, meta: undefined, pageParam: 0, direction: 'forward' };
  return Promise.resolve((queryFn as QueryFunction<unknown, unknown[], number>)(context as never));
}

afterEach(() => vi.unstubAllGlobals());

describe('the dashboard reads what the server answers', () => {
  it.each(asks)('%s', async (address, ask, of = () => true) => {
    const answers = all.filter((r) => r.address === address && of(r));
    expect(answers.length, `recorded answers of ${address}`).toBeGreaterThan(0);
    for (const { body } of answers) {
      const asked = answer(address, body);
      await run(ask);
      expect(asked.filter((at) => !beside.has(at) || at === address)).toEqual([address]);
    }
  });
});

/** Numbers that look random and are the same in each run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

type Place = [holder: Record<string, unknown>, key: string];

/** Every member and element within a value. */
function places(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key): Place[] => [[holder, key], ...places(holder[key])]);
}

const strange = [null, 'strange', 17, true, [], {}, [null], { strange: null }, ''];

describe('answers that are not what they should be', () => {
  it.each(asks)('of %s are read or refused, and nothing else', async (address, ask, of = () => true) => {
    const next = random(1);
    const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)];
    let refused = 0;
    for (const { body } of all.filter((r) => r.address === address && of(r))) {
      for (let round = 0; round < 40; round++) {
        let mutant = structuredClone(body);
        const at = pick(places(mutant));
        if (at === undefined || next() < 0.05) mutant = pick(strange);
        else if (next() < 0.5 && !Array.isArray(at[0])) Reflect.deleteProperty(at[0], at[1]);
        else at[0][at[1]] = pick(strange);
        const reported = vi.fn();
        vi.stubGlobal('reportError', reported);
        answer(address, mutant);
        const error = await run(ask).then(() => undefined, (e: unknown) => e);
        if (error === undefined) continue;
        expect(error, JSON.stringify(mutant)).toBeInstanceOf(AnswerError);
        expect((error as AnswerError).address.split('?')[0]).toBe(address.split(' ')[0]);
        expect(reported.mock.calls).toEqual([[error]]);
        refused++;
      }
    }
    expect(refused, 'some of them are refused').toBeGreaterThan(0);
  });

  it.each(asks)('of %s may have more than is known', async (address, ask, of = () => true) => {
    for (const { body } of all.filter((r) => r.address === address && of(r))) {
      const grown = structuredClone(body);
      answer(address, body);
      const before = await run(ask);
      for (const holder of new Set([[grown], ...places(grown)].map(([holder]) => holder))) {
        if (isRecord(holder)) holder.quipuNew = { strange: [1] };
      }
      answer(address, grown);
      expect(await run(ask).then(() => 'read', () => 'refused'), JSON.stringify(before)).toBe('read');
    }
  });
});

/** Whether a value is an object with fixed members. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && '_id' in value;
}

describe('/o/ping', () => {
  it.each([
    [{ result: 'Success' }, true],
    [{ result: 'No' }, false],
    [{}, false],
    ['strange', false],
  ])('with %j is health: %s', async (body, healthy) => {
    answer('/o/ping', body);
    vi.stubGlobal('reportError', vi.fn());
    const version = all.find((r) => r.address === '/o/system/version')?.body;
    const fetched = globalThis.fetch;
    vi.stubGlobal('fetch', (url: string) => (url.startsWith('/o/system/version') ? Promise.resolve(new Response(JSON.stringify(version))) : fetched(url)));
    expect(await run(about)).toMatchObject({ healthy });
  });
});

/** What stands between the bracket at a place and its counterpart. */
function bracketed(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if ('([{'.includes(text[at] ?? '')) depth++;
    else if (')]}'.includes(text[at] ?? '') && --depth === 0) return text.slice(from, at);
  }
  return text.slice(from);
}

/** The reads of a source, by address: of those whose method stands elsewhere, the path alone. */
function readsOf(source: string): string[] {
  const calls = [...source.matchAll(/\bread(?:<[^(]*>)?(\()\s*['`]/g)].map(({ index, 0: all }) => bracketed(source, index + all.indexOf('(')));
  const lists = [...source.matchAll(/\{(?=[^{}]*\bpath: ['`]\/o(?:\/|['`]))/g)].map(({ index }) => bracketed(source, index));
  return [...calls, ...lists].flatMap((call) => {
    const path = /['`](\/[^'`?]*)/.exec(call)?.[1];
    const named = (name: string) => new RegExp(`\\b${name}: '([^']+)'`).exec(call)?.[1] ?? [];
    return path === undefined ? [] : [[path, ...(path === '/o' ? ['method', 'action'].flatMap(named) : [])].join(' ')];
  });
}

describe('this test knows of every read', () => {
  const known = new Set(['/o/export/db', '/o/export/request', '/o/trackers/jira', ...asks.flatMap(([address]) => [address, address.split(' ')[0]])]);

  it.each(sources)('in %s', (file) => {
    expect(readsOf(readFileSync(join(import.meta.dirname, file), 'utf8')).filter((address) => !known.has(address) && !beside.has(address) && address !== '/o/analytics/${kind}')).toEqual([]);
  });

  it('finds their methods', () => {
    expect(readsOf("read('/o', v.object({ a: v.string() }), { app_id, method: 'x', action: 'y' }, signal); return { key: ['k'], path: '/o', params: { ...ask, method: 'z' } }; read('/o/me', Me)")).toEqual(['/o x y', '/o/me', '/o z']);
  });
});
