// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from './client.js';
import { ActiveusersOperations } from './groups/activeusers.js';
import { AnalyticsOperations } from './groups/analytics.js';
import { Analytics2Operations } from './groups/analytics2.js';
import { Analytics3Operations } from './groups/analytics3.js';
import { AppsOperations } from './groups/apps.js';
import { AppusersOperations } from './groups/appusers.js';
import { Appusers2Operations } from './groups/appusers2.js';
import { AttributionOperations } from './groups/attribution.js';
import { Attribution2Operations } from './groups/attribution2.js';
import { CmsOperations } from './groups/cms.js';
import { CohortsOperations } from './groups/cohorts.js';
import { Cohorts2Operations } from './groups/cohorts2.js';
import { CompareOperations } from './groups/compare.js';
import { CompliancehubOperations } from './groups/compliancehub.js';
import { ConcurrentusersOperations } from './groups/concurrentusers.js';
import { CrashesOperations } from './groups/crashes.js';
import { Crashes2Operations } from './groups/crashes2.js';
import { Crashes3Operations } from './groups/crashes3.js';
import { DatepresetsOperations } from './groups/datepresets.js';
import { DefinedeventsOperations } from './groups/definedevents.js';
import { DrillOperations } from './groups/drill.js';
import { ErrorlogsOperations } from './groups/errorlogs.js';
import { EventgroupsOperations } from './groups/eventgroups.js';
import { EventsOperations } from './groups/events.js';
import { ExploreOperations } from './groups/explore.js';
import { ExportOperations } from './groups/export.js';
import { FlowsOperations } from './groups/flows.js';
import { FormulasOperations } from './groups/formulas.js';
import { FunnelsOperations } from './groups/funnels.js';
import { IngestOperations } from './groups/ingest.js';
import { JobsOperations } from './groups/jobs.js';
import { LiveOperations } from './groups/live.js';
import { LocaleOperations } from './groups/locale.js';
import { LoggerOperations } from './groups/logger.js';
import { MembersOperations } from './groups/members.js';
import { Members2Operations } from './groups/members2.js';
import { NotesOperations } from './groups/notes.js';
import { OutcomesOperations } from './groups/outcomes.js';
import { PerformanceOperations } from './groups/performance.js';
import { PlacesOperations } from './groups/places.js';
import { PluginsOperations } from './groups/plugins.js';
import { PopulatorOperations } from './groups/populator.js';
import { PropertiesOperations } from './groups/properties.js';
import { RenderOperations } from './groups/render.js';
import { RetentionOperations } from './groups/retention.js';
import { RevenueOperations } from './groups/revenue.js';
import { SDKOperations } from './groups/sdk.js';
import { Sdk2Operations } from './groups/sdk2.js';
import { SentryOperations } from './groups/sentry.js';
import { ServerstatsOperations } from './groups/serverstats.js';
import { SlippingOperations } from './groups/slipping.js';
import { SqlOperations } from './groups/sql.js';
import { SymbolicationOperations } from './groups/symbolication.js';
import { Symbolication2Operations } from './groups/symbolication2.js';
import { SystemOperations } from './groups/system.js';
import { System2Operations } from './groups/system2.js';
import { SystemlogsOperations } from './groups/systemlogs.js';
import { SystemutilityOperations } from './groups/systemutility.js';
import { Systemutility2Operations } from './groups/systemutility2.js';
import { TasksOperations } from './groups/tasks.js';
import { TokensOperations } from './groups/tokens.js';
import { TrackersOperations } from './groups/trackers.js';
import { Trackers2Operations } from './groups/trackers2.js';
import { ViewsOperations } from './groups/views.js';

export * from './types.js';
export * from './groups/activeusers.js';
export * from './groups/analytics.js';
export * from './groups/analytics2.js';
export * from './groups/analytics3.js';
export * from './groups/apps.js';
export * from './groups/appusers.js';
export * from './groups/appusers2.js';
export * from './groups/attribution.js';
export * from './groups/attribution2.js';
export * from './groups/cms.js';
export * from './groups/cohorts.js';
export * from './groups/cohorts2.js';
export * from './groups/compare.js';
export * from './groups/compliancehub.js';
export * from './groups/concurrentusers.js';
export * from './groups/crashes.js';
export * from './groups/crashes2.js';
export * from './groups/crashes3.js';
export * from './groups/datepresets.js';
export * from './groups/definedevents.js';
export * from './groups/drill.js';
export * from './groups/errorlogs.js';
export * from './groups/eventgroups.js';
export * from './groups/events.js';
export * from './groups/explore.js';
export * from './groups/export.js';
export * from './groups/flows.js';
export * from './groups/formulas.js';
export * from './groups/funnels.js';
export * from './groups/ingest.js';
export * from './groups/jobs.js';
export * from './groups/live.js';
export * from './groups/locale.js';
export * from './groups/logger.js';
export * from './groups/members.js';
export * from './groups/members2.js';
export * from './groups/notes.js';
export * from './groups/outcomes.js';
export * from './groups/performance.js';
export * from './groups/places.js';
export * from './groups/plugins.js';
export * from './groups/populator.js';
export * from './groups/properties.js';
export * from './groups/render.js';
export * from './groups/retention.js';
export * from './groups/revenue.js';
export * from './groups/sdk.js';
export * from './groups/sdk2.js';
export * from './groups/sentry.js';
export * from './groups/serverstats.js';
export * from './groups/slipping.js';
export * from './groups/sql.js';
export * from './groups/symbolication.js';
export * from './groups/symbolication2.js';
export * from './groups/system.js';
export * from './groups/system2.js';
export * from './groups/systemlogs.js';
export * from './groups/systemutility.js';
export * from './groups/systemutility2.js';
export * from './groups/tasks.js';
export * from './groups/tokens.js';
export * from './groups/trackers.js';
export * from './groups/trackers2.js';
export * from './groups/views.js';

/** The operations of the API. */
export interface Quipu extends ActiveusersOperations, AnalyticsOperations, Analytics2Operations, Analytics3Operations, AppsOperations, AppusersOperations, Appusers2Operations, AttributionOperations, Attribution2Operations, CmsOperations, CohortsOperations, Cohorts2Operations, CompareOperations, CompliancehubOperations, ConcurrentusersOperations, CrashesOperations, Crashes2Operations, Crashes3Operations, DatepresetsOperations, DefinedeventsOperations, DrillOperations, ErrorlogsOperations, EventgroupsOperations, EventsOperations, ExploreOperations, ExportOperations, FlowsOperations, FormulasOperations, FunnelsOperations, IngestOperations, JobsOperations, LiveOperations, LocaleOperations, LoggerOperations, MembersOperations, Members2Operations, NotesOperations, OutcomesOperations, PerformanceOperations, PlacesOperations, PluginsOperations, PopulatorOperations, PropertiesOperations, RenderOperations, RetentionOperations, RevenueOperations, SDKOperations, Sdk2Operations, SentryOperations, ServerstatsOperations, SlippingOperations, SqlOperations, SymbolicationOperations, Symbolication2Operations, SystemOperations, System2Operations, SystemlogsOperations, SystemutilityOperations, Systemutility2Operations, TasksOperations, TokensOperations, TrackersOperations, Trackers2Operations, ViewsOperations {}

/** The operations of the API. */
export class Quipu extends Base {}

for (const group of [ActiveusersOperations, AnalyticsOperations, Analytics2Operations, Analytics3Operations, AppsOperations, AppusersOperations, Appusers2Operations, AttributionOperations, Attribution2Operations, CmsOperations, CohortsOperations, Cohorts2Operations, CompareOperations, CompliancehubOperations, ConcurrentusersOperations, CrashesOperations, Crashes2Operations, Crashes3Operations, DatepresetsOperations, DefinedeventsOperations, DrillOperations, ErrorlogsOperations, EventgroupsOperations, EventsOperations, ExploreOperations, ExportOperations, FlowsOperations, FormulasOperations, FunnelsOperations, IngestOperations, JobsOperations, LiveOperations, LocaleOperations, LoggerOperations, MembersOperations, Members2Operations, NotesOperations, OutcomesOperations, PerformanceOperations, PlacesOperations, PluginsOperations, PopulatorOperations, PropertiesOperations, RenderOperations, RetentionOperations, RevenueOperations, SDKOperations, Sdk2Operations, SentryOperations, ServerstatsOperations, SlippingOperations, SqlOperations, SymbolicationOperations, Symbolication2Operations, SystemOperations, System2Operations, SystemlogsOperations, SystemutilityOperations, Systemutility2Operations, TasksOperations, TokensOperations, TrackersOperations, Trackers2Operations, ViewsOperations]) {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(group.prototype))) {
    if (name !== 'constructor') Object.defineProperty(Quipu.prototype, name, member);
  }
}
