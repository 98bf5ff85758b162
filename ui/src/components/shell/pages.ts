import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import type { Me } from '../../features/account/api';
import { administers, may, readsSome } from '../../features/account/rights';
import * as icons from '../icons';

export const areas = ['figures', 'people', 'technology', 'app', 'server'] as const;
export type Area = (typeof areas)[number];

/** A page of the dashboard as menus and the palette list it. */
export interface PageLink {
  id: string;
  /** The path after the app's, or the whole path of a page that is about no app. */
  path: string;
  label: ParseKeys;
  icon: ComponentType<{ size?: number }>;
  area: Area;
  /** The feature that one must be allowed to read. */
  feature?: string;
  /** Who else sees it: administrators of the app, or of everything; or those who may read some app. */
  only?: 'app-admin' | 'admin' | 'reader';
  /** The part of the server that it belongs to, where that can be switched off. */
  module?: string;
  /** The key that opens it after "g". */
  key?: string;
}

/** Every page, in the order of the menu. */
export const pages: readonly PageLink[] = [
  { id: 'overview', path: '', label: 'nav.overview', icon: icons.ChartIcon, area: 'figures', feature: 'core', key: 'o' },
  { id: 'users', path: '/users', label: 'nav.users', icon: icons.PeopleIcon, area: 'figures', feature: 'core', key: 'u' },
  { id: 'sessions', path: '/sessions', label: 'nav.sessions', icon: icons.ClockIcon, area: 'figures', feature: 'core', key: 's' },
  { id: 'times', path: '/times', label: 'nav.times', icon: icons.GridIcon, area: 'figures', feature: 'times_of_day' },
  { id: 'events', path: '/events', label: 'nav.events', icon: icons.BoltIcon, area: 'figures', feature: 'core', key: 'e' },
  { id: 'views', path: '/views', label: 'nav.views', icon: icons.EyeIcon, area: 'figures', feature: 'views', module: 'views', key: 'v' },
  { id: 'live', path: '/live', label: 'nav.live', icon: icons.PulseIcon, area: 'figures', feature: 'events', key: 'l' },
  { id: 'explore', path: '/explore', label: 'nav.explore', icon: icons.FunnelIcon, area: 'figures', feature: 'core', key: 'x' },
  { id: 'profiles', path: '/profiles', label: 'nav.profiles', icon: icons.PersonIcon, area: 'people', feature: 'users', key: 'p' },
  { id: 'slipping', path: '/slipping', label: 'nav.slipping', icon: icons.HourglassIcon, area: 'people', feature: 'slipping_away_users', module: 'slipping-away-users' },
  { id: 'countries', path: '/countries', label: 'nav.countries', icon: icons.GlobeIcon, area: 'people', feature: 'core', key: 'c' },
  { id: 'cities', path: '/cities', label: 'nav.cities', icon: icons.PinIcon, area: 'people', feature: 'core' },
  { id: 'languages', path: '/languages', label: 'nav.languages', icon: icons.SpeechIcon, area: 'people', feature: 'core' },
  { id: 'sources', path: '/sources', label: 'nav.sources', icon: icons.LinkIcon, area: 'people', feature: 'core' },
  { id: 'technology', path: '/technology', label: 'nav.technology', icon: icons.DeviceIcon, area: 'technology', feature: 'core', key: 't' },
  { id: 'versions', path: '/versions', label: 'nav.versions', icon: icons.TagIcon, area: 'technology', feature: 'core' },
  { id: 'notes', path: '/notes', label: 'nav.notes', icon: icons.NoteIcon, area: 'app', feature: 'core', key: 'n' },
  { id: 'ingestion', path: '/ingestion', label: 'nav.ingestion', icon: icons.InboxIcon, area: 'app', feature: 'core', key: 'i' },
  { id: 'demo', path: '/demo', label: 'nav.demo', icon: icons.FlaskIcon, area: 'app', feature: 'populator' },
  { id: 'event-settings', path: '/event-settings', label: 'nav.eventManage', icon: icons.EditIcon, area: 'app', feature: 'core' },
  { id: 'consent', path: '/consent', label: 'nav.consent', icon: icons.CheckIcon, area: 'app', feature: 'compliance_hub', module: 'compliance-hub' },
  { id: 'subjects', path: '/subjects', label: 'nav.subjects', icon: icons.ShieldIcon, area: 'app', feature: 'users' },
  { id: 'requests', path: '/requests', label: 'nav.logger', icon: icons.ListIcon, area: 'app', feature: 'logger', module: 'logger', key: 'r' },
  { id: 'export', path: '/export', label: 'nav.export', icon: icons.DownloadIcon, area: 'app', feature: 'core' },
  { id: 'settings', path: '/settings', label: 'nav.settings', icon: icons.SettingsIcon, area: 'app' },
  { id: 'apps', path: '/manage/apps', label: 'nav.apps', icon: icons.AppsIcon, area: 'server', only: 'admin' },
  { id: 'members', path: '/manage/members', label: 'nav.members', icon: icons.ShieldIcon, area: 'server', only: 'admin', key: 'm' },
  { id: 'audit', path: '/manage/audit', label: 'nav.audit', icon: icons.HistoryIcon, area: 'server', only: 'admin', module: 'systemlogs' },
  { id: 'tasks', path: '/manage/tasks', label: 'nav.tasks', icon: icons.TasksIcon, area: 'server', only: 'reader', key: 'k' },
  { id: 'jobs', path: '/manage/jobs', label: 'nav.jobs', icon: icons.ClockIcon, area: 'server', only: 'admin' },
  { id: 'health', path: '/manage/health', label: 'nav.health', icon: icons.HealthIcon, area: 'server', only: 'admin', module: 'system-utility', key: 'h' },
  { id: 'points', path: '/manage/points', label: 'nav.points', icon: icons.GridIcon, area: 'server', only: 'reader', module: 'server-stats' },
  { id: 'logs', path: '/manage/logs', label: 'nav.logs', icon: icons.AlertIcon, area: 'server', only: 'admin', module: 'errorlogs' },
  { id: 'server', path: '/manage/settings', label: 'nav.server', icon: icons.SettingsIcon, area: 'server', only: 'admin' },
  { id: 'tokens', path: '/manage/tokens', label: 'nav.tokens', icon: icons.KeyIcon, area: 'server' },
  { id: 'account', path: '/manage/account', label: 'nav.account', icon: icons.PersonIcon, area: 'server' },
  { id: 'about', path: '/manage/about', label: 'nav.about', icon: icons.InfoIcon, area: 'server' },
];

/** The pages that a member may see, for an app or without one. Of what is switched off there are none, once that is known. */
export function pagesFor(member: Me | undefined, app: string | undefined, modules?: readonly string[]): PageLink[] {
  return pages.filter(({ area, feature, only, module }) => {
    if (member === undefined) return false;
    if (module !== undefined && modules?.includes(module) === false) return false;
    if (only === 'admin' && !member.global_admin) return false;
    if (only === 'reader' && !(member.global_admin ? app !== undefined : readsSome(member.permission))) return false;
    if (area === 'server') return true;
    if (app === undefined) return false;
    if (only === 'app-admin' && !administers(member, app)) return false;
    return feature === undefined || may(member, app, feature, 'r');
  });
}

/** The whole path of a page. */
export function pathOf(page: PageLink, app: string | undefined): string {
  return page.area === 'server' ? page.path : `/apps/${app ?? ''}${page.path}`;
}
