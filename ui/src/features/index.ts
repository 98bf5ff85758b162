import type first from '../i18n/en.json';
import type { Texts } from '../i18n';
import type later from '../i18n/en.later.json';
import type { PartTexts } from '../parts/texts';
import { about } from './about/feature';
import { account } from './account/feature';
import { activeusers } from './activeusers/feature';
import { apps } from './apps/feature';
import { audit } from './audit/feature';
import { campaigns } from './campaigns/feature';
import { cohorts } from './cohorts/feature';
import { compare } from './compare/feature';
import { consent } from './consent/feature';
import { crashes } from './crashes/feature';
import { demo } from './demo/feature';
import { eventmanage } from './eventmanage/feature';
import { events } from './events/feature';
import { explore } from './explore/feature';
import { exports } from './export/feature';
import { flows } from './flows/feature';
import { formulas } from './formulas/feature';
import { funnels } from './funnels/feature';
import { health } from './health/feature';
import { heatmaps } from './heatmaps/feature';
import { ingestion } from './ingestion/feature';
import { jobs } from './jobs/feature';
import { live } from './live/feature';
import { logger } from './logger/feature';
import { logs } from './logs/feature';
import { members } from './members/feature';
import { metrics } from './metrics/feature';
import { notes } from './notes/feature';
import { online } from './online/feature';
import { overview } from './overview/feature';
import { performance } from './performance/feature';
import { places } from './places/feature';
import { profiles } from './profiles/feature';
import { properties } from './properties/feature';
import { reference } from './reference/feature';
import { retention } from './retention/feature';
import { revenue } from './revenue/feature';
import { sql } from './sql/feature';
import { sessions } from './sessions/feature';
import { settings } from './settings/feature';
import { slipping } from './slipping/feature';
import { subjects } from './subjects/feature';
import { symbols } from './symbols/feature';
import { tasks } from './tasks/feature';
import { times } from './times/feature';
import { tokens } from './tokens/feature';
import { trackers } from './trackers/feature';
import { trends } from './trends/feature';
import { users } from './users/feature';
import { views } from './views/feature';

/** Every feature, in the order of the menu. What a feature has lies in its folder; it is part of the dashboard by its line here. */
export const features = [
  overview,
  users,
  activeusers,
  sessions,
  times,
  events,
  views,
  heatmaps,
  live,
  online,
  compare,
  trends,
  formulas,
  funnels,
  retention,
  revenue,
  sql,
  flows,
  campaigns,
  crashes,
  performance,
  explore,
  profiles,
  cohorts,
  slipping,
  metrics,
  places,
  notes,
  ingestion,
  demo,
  eventmanage,
  properties,
  consent,
  subjects,
  symbols,
  trackers,
  logger,
  exports,
  apps,
  members,
  audit,
  tasks,
  jobs,
  health,
  logs,
  settings,
  tokens,
  reference,
  account,
  about,
] as const;

/** The texts that the first page does without. */
export const laterTexts: Texts = { en: () => import('./texts.en'), de: () => import('./texts.de') };

type Listed = (typeof features)[number];

/** The routes of all features. */
export type FeatureRoute = Listed['routes'][number];

type Intersection<U> = (U extends unknown ? (part: U) => void : never) extends (all: infer I) => void ? I : never;
type TextsOf<F> = F extends { texts: { readonly like?: infer T } } ? T : never;

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof first & typeof later & PartTexts & Intersection<TextsOf<Listed>> };
  }
}
