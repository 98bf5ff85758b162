// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base, type Json, type Upload } from './client.js';

/** Parameters of {@link Quipu.getApiProjectEnvelope}. */
export interface GetApiProjectEnvelopeParams {
  /** Key of the app, where the SDK sends it in the address. */
  sentry_key?: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project: string;
}

/** Parameters of {@link Quipu.getApiProjectMinidump}. */
export interface GetApiProjectMinidumpParams {
  /** Key of the app, where the SDK sends it in the address. */
  sentry_key?: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project: string;
}

/** Parameters of {@link Quipu.getApiProjectStore}. */
export interface GetApiProjectStoreParams {
  /** Key of the app, where the SDK sends it in the address. */
  sentry_key?: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project: string;
}

/** Parameters of {@link Quipu.getAppimagesFile}. */
export interface GetAppimagesFileParams {
  file: string;
}

/** Parameters of {@link Quipu.getCampaignId}. */
export interface GetCampaignIdParams {
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.getCrashUrl}. */
export interface GetCrashUrlParams {
  url: string;
}

/** Parameters of {@link Quipu.postI}. */
export interface PostIParams {
  /** Identifies the request for at least 48 hours: a repeat gets the same answer and counts nothing. A random UUID at best. */
  'Idempotency-Key'?: string;
  /** Ids of advertising. */
  aid?: Json;
  /** Token for messages, Android. */
  android_token?: string;
  /** A trace: `type`, `name`, `apm_metrics`. */
  apm?: Json;
  /** Key of the app. */
  app_key: string;
  /** Where the user came from. */
  attribution_data?: Json;
  /** Version of the app. */
  av?: string;
  /** Starts a session. */
  begin_session?: boolean;
  /** Campaign that the user came by. */
  campaign_id?: string;
  /** User of the campaign. */
  campaign_user?: string;
  /** SHA-1 of the parameters and the salt of the app. */
  checksum?: string;
  /** SHA-256 of the parameters and the salt of the app, in hexadecimal. */
  checksum256?: string;
  /** City. */
  city?: string;
  /** Consents by feature. */
  consent?: Json;
  /** Country, two letters. */
  country_code?: string;
  /** A crash: `_error`, `_os`, `_app_version` and so on. */
  crash?: Json;
  /** Id of the device. */
  device_id: string;
  /** Day of the week on the device, 0 for Sunday. */
  dow?: number;
  /** Ends the session. */
  end_session?: boolean;
  /** Events: each with `key`, and `count`, `sum`, `dur`, `segmentation`, `timestamp`, `hour`, `dow`. */
  events?: Json;
  /** Health of the SDK. */
  hc?: Json;
  /** Hour on the device, 0 to 23. */
  hour?: number;
  /** Starts a new session although the last one has just ended. */
  ignore_cooldown?: boolean;
  /** Token for messages, iOS. */
  ios_token?: string;
  /** Address by which the place is found. */
  ip?: string;
  /** Address by which the place is found. */
  ip_address?: string;
  /** Name of a value of the call. */
  key?: string;
  /** Names of values of the call. */
  keys?: Json;
  /** Latitude and longitude, with a comma between. */
  location?: string;
  /** Call of the SDK: `ab`, `ab_opt_out`, `ab_enroll_variant`. */
  method?: string;
  /** What the device is: `_os`, `_os_version`, `_device`, `_app_version`, `_locale` and so on. */
  metrics?: Json;
  /** Id that the device had before: both users become one. */
  old_device_id?: string;
  /** The answer says what became of each item. */
  receipt?: boolean;
  /** Region. */
  region?: string;
  /** How many requests the queue of the client still holds. */
  rr?: number;
  /** Name of the SDK. */
  sdk_name?: string;
  /** Version of the SDK. */
  sdk_version?: string;
  /** Seconds since the last such request of the session. */
  session_duration?: number;
  /** Kind of the device id: 0 of the developer, 1 made by the SDK, 2 temporary. */
  t?: number;
  /** Kind of the token. */
  test_mode?: number;
  /** Moment of the request, ms since 1970; that of receipt without it. */
  timestamp?: number;
  /** Who sends messages: `FCM`, `HMS`. */
  token_provider?: string;
  /** Brings a token for messages. */
  token_session?: boolean;
  /** Distance of the device from UTC, in minutes. */
  tz?: number;
  /** Properties of the user: `name`, `email`, `custom` and so on. */
  user_details?: Json;
  /** Variant of the call. */
  variant?: string;
}

/** Parameters of {@link Quipu.postActiveUsersClearActiveUsersCache}. */
export interface PostActiveUsersClearActiveUsersCacheParams {
  /** For every app; for global administrators. */
  all_apps?: boolean;
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.postAdjust}. */
export interface PostAdjustParams {
  /** Ad group. */
  adgroup_name?: string;
  /** Id of the device at Adjust. */
  adjust_id?: string;
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Name of the campaign. */
  campaign_name?: string;
  /** When the ad was clicked, in seconds. */
  click_time?: string;
  /** Name of the creative. */
  creative_name?: string;
  /** Name of the event at Adjust. */
  event?: string;
  /** First tracker. */
  first_tracker_name?: string;
  /** When the app was installed, in seconds. */
  installed_at?: string;
  /** Last tracker. */
  last_tracker_name?: string;
  /** Ad network. */
  network_name?: string;
  /** Tracker before. */
  outdated_tracker_name?: string;
  /** Tracker. */
  tracker_name?: string;
}

/** Parameters of {@link Quipu.postAppUsersCreate}. */
export interface PostAppUsersCreateParams {
  /** Id of the app. */
  app_id: string;
  /** What is written or exported, as JSON. */
  data: Json;
}

/** Parameters of {@link Quipu.postAppUsersDelete}. */
export interface PostAppUsersDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Also where several, or what uses it, would be concerned. */
  force?: boolean;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query: Json;
  /** Fields that change, with their values. */
  update?: Json;
}

/** Parameters of {@link Quipu.postAppUsersDeleteExport}. */
export interface PostAppUsersDeleteExportParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postAppUsersDeleteExportId}. */
export interface PostAppUsersDeleteExportIdParams {
  /** Id of the document. */
  id: string;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postAppUsersExport}. */
export interface PostAppUsersExportParams {
  /** Id of the app. */
  app_id: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query: Json;
}

/** Parameters of {@link Quipu.postAppUsersUpdate}. */
export interface PostAppUsersUpdateParams {
  /** Id of the app. */
  app_id: string;
  /** Also where several, or what uses it, would be concerned. */
  force?: boolean;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query: Json;
  /** Fields that change, with their values. */
  update: Json;
}

/** Parameters of {@link Quipu.postAppsCreate}. */
export interface PostAppsCreateParams {
  /** A file. */
  app_image?: Upload;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postAppsDelete}. */
export interface PostAppsDeleteParams {
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postAppsReset}. */
export interface PostAppsResetParams {
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postAppsUpdate}. */
export interface PostAppsUpdateParams {
  /** Id of the app. */
  app_id?: string;
  /** A file. */
  app_image?: Upload;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postAppsUpdatePlugins}. */
export interface PostAppsUpdatePluginsParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args?: Json;
}

/** Parameters of {@link Quipu.postBulk}. */
export interface PostBulkParams {
  /** Identifies the request for at least 48 hours: a repeat gets the same answer and counts nothing. A random UUID at best. */
  'Idempotency-Key'?: string;
  /** Key of the app. */
  app_key?: string;
  /** The answer says what became of each item. */
  receipt?: boolean;
  /** The requests. */
  requests: Json;
}

/** Parameters of {@link Quipu.postCalculatedMetricsDelete}. */
export interface PostCalculatedMetricsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.postCalculatedMetricsSave}. */
export interface PostCalculatedMetricsSaveParams {
  /** Id of the app. */
  app_id: string;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric: string;
}

/** Parameters of {@link Quipu.postCampaignCosts}. */
export interface PostCampaignCostsParams {
  /** Id of the app. */
  app_id: string;
  /** The file as text: columns date, campaign and cost. */
  data?: string;
  /** A file. */
  file?: Upload;
}

/** Parameters of {@link Quipu.postCampaignCreate}. */
export interface PostCampaignCreateParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCampaignDelete}. */
export interface PostCampaignDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCampaignHide}. */
export interface PostCampaignHideParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCampaignShow}. */
export interface PostCampaignShowParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCampaignUpdate}. */
export interface PostCampaignUpdateParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCmsClear}. */
export interface PostCmsClearParams {
  /** Id of the document. */
  _id?: string;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postCmsSaveEntries}. */
export interface PostCmsSaveEntriesParams {
  /** Id of the app. */
  app_id: string;
  /** Entries of content. */
  entries: Json;
}

/** Parameters of {@link Quipu.postCohortsAdd}. */
export interface PostCohortsAddParams {
  /** Id of the app. */
  app_id: string;
  /** Description of the cohort. */
  cohort_desc?: string;
  /** Name of the cohort. */
  cohort_name: string;
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** Steps, in their order. */
  steps?: Json;
  /** Which kind. */
  type?: string;
  /** Filter of users. */
  user_segmentation?: Json;
  /** Who sees it. */
  visibility?: "global" | "private";
}

/** Parameters of {@link Quipu.postCohortsAddUsers}. */
export interface PostCohortsAddUsersParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort. */
  cohort: string;
  /** A file. */
  file?: Upload;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Ids in a text, separated by commas, blanks or lines. */
  text?: string;
  /** Numbers of users. */
  uids?: Json;
}

/** Parameters of {@link Quipu.postCohortsCleanup}. */
export interface PostCohortsCleanupParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postCohortsDelete}. */
export interface PostCohortsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
}

/** Parameters of {@link Quipu.postCohortsDetailMetrics}. */
export interface PostCohortsDetailMetricsParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
  /** Metrics that pages of the cohort show. */
  detail_metrics: Json;
}

/** Parameters of {@link Quipu.postCohortsEdit}. */
export interface PostCohortsEditParams {
  /** Id of the app. */
  app_id: string;
  /** Description of the cohort. */
  cohort_desc?: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
  /** Name of the cohort. */
  cohort_name?: string;
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** Steps, in their order. */
  steps?: Json;
  /** Filter of users. */
  user_segmentation?: Json;
  /** Who sees it. */
  visibility?: "global" | "private";
}

/** Parameters of {@link Quipu.postCohortsFixuid}. */
export interface PostCohortsFixuidParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postCohortsGroup}. */
export interface PostCohortsGroupParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
  /** Groups that it is in. */
  groups: Json;
}

/** Parameters of {@link Quipu.postCohortsRecalculate}. */
export interface PostCohortsRecalculateParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
}

/** Parameters of {@link Quipu.postCohortsRemoveUsers}. */
export interface PostCohortsRemoveUsersParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort. */
  cohort: string;
  /** A file. */
  file?: Upload;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Ids in a text, separated by commas, blanks or lines. */
  text?: string;
  /** Numbers of users. */
  uids?: Json;
}

/** Parameters of {@link Quipu.postCohortsResetRealTimeData}. */
export interface PostCohortsResetRealTimeDataParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postConcurrentAlertDelete}. */
export interface PostConcurrentAlertDeleteParams {
  /** Id of the alert. */
  alertId: string;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postConcurrentAlertSave}. */
export interface PostConcurrentAlertSaveParams {
  /** The alert, as the reference of users online describes it. */
  alert: Json;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postConcurrentAlertStatus}. */
export interface PostConcurrentAlertStatusParams {
  /** Id of the app. */
  app_id: string;
  /** State that is looked for. */
  status?: string;
}

/** Parameters of {@link Quipu.postConcurrentUsersMaxReset}. */
export interface PostConcurrentUsersMaxResetParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postConfigs}. */
export interface PostConfigsParams {
  /** Settings by feature and name: `{"api":{"metric_limit":1000}}`. */
  configs: Json;
}

/** Parameters of {@link Quipu.postCrashSymbolsAddSymbol}. */
export interface PostCrashSymbolsAddSymbolParams {
  /** Id of the app. */
  app_id: string;
  /** Version or build that the files are of. */
  build: string;
  /** A note about the files. */
  note?: string;
  /** Platform: `android`, `ios`, `javascript` and so on. */
  platform: string;
  /** Version of the tool that made the files. */
  sym_tool_ver?: string;
  /** A file. */
  symbols?: Upload;
}

/** Parameters of {@link Quipu.postCrashSymbolsEditSymbol}. */
export interface PostCrashSymbolsEditSymbolParams {
  /** Id of the app. */
  app_id: string;
  /** Version or build that the files are of. */
  build?: string;
  /** Ids of files that stay. */
  keepSymbols?: Json;
  /** A note about the files. */
  note?: string;
  /** Platform: `android`, `ios`, `javascript` and so on. */
  platform?: string;
  /** Version of the tool that made the files. */
  sym_tool_ver?: string;
  /** Id of the build's files. */
  symbol_id: string;
  /** A file. */
  symbols?: Upload;
}

/** Parameters of {@link Quipu.postCrashSymbolsRemoveSymbol}. */
export interface PostCrashSymbolsRemoveSymbolParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.postCrashSymbolsSymbolicatationResult}. */
export interface PostCrashSymbolsSymbolicatationResultParams {
  /** Id of the job. */
  jobId: string;
  /** The result. */
  symbRes: string;
  /** Marks a test. */
  symbolication_test?: string;
}

/** Parameters of {@link Quipu.postCrashSymbolsSymbolicate}. */
export interface PostCrashSymbolsSymbolicateParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash group. */
  crashgroup_id: string;
  /** Where the result is sent. */
  return_url?: string;
  /** Id of the build's files. */
  symbol_id?: string;
}

/** Parameters of {@link Quipu.postCrashSymbolsUploadSymbol}. */
export interface PostCrashSymbolsUploadSymbolParams {
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Version or build that the files are of. */
  build: string;
  /** A note about the files. */
  note?: string;
  /** Platform: `android`, `ios`, `javascript` and so on. */
  platform: string;
  /** Version of the tool that made the files. */
  sym_tool_ver?: string;
  /** A file. */
  symbols?: Upload;
}

/** Parameters of {@link Quipu.postCrashesAddComment}. */
export interface PostCrashesAddCommentParams {
  /** Id of the app. */
  app_id?: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesDelete}. */
export interface PostCrashesDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesDeleteComment}. */
export interface PostCrashesDeleteCommentParams {
  /** Id of the app. */
  app_id?: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesEditComment}. */
export interface PostCrashesEditCommentParams {
  /** Id of the app. */
  app_id?: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesHide}. */
export interface PostCrashesHideParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesMerge}. */
export interface PostCrashesMergeParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesModifyShare}. */
export interface PostCrashesModifyShareParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesResolve}. */
export interface PostCrashesResolveParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesResolving}. */
export interface PostCrashesResolvingParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesRules}. */
export interface PostCrashesRulesParams {
  /** Id of the app. */
  app_id: string;
  /** Rules for crash groups: `algorithm`, `stack` and `fingerprints`; see docs/reference/crashes.md. */
  rules: Json;
  /** Version of the rules for crash groups that were changed. */
  version?: number;
}

/** Parameters of {@link Quipu.postCrashesShare}. */
export interface PostCrashesShareParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesShow}. */
export interface PostCrashesShowParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesSplit}. */
export interface PostCrashesSplitParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesUnresolve}. */
export interface PostCrashesUnresolveParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesUnshare}. */
export interface PostCrashesUnshareParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesView}. */
export interface PostCrashesViewParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postDataSubjectsErase}. */
export interface PostDataSubjectsEraseParams {
  /** Id of the app. */
  app_id: string;
  /** Why, for the audit log. */
  reason?: string;
  /** Number of the user. */
  uid: string;
}

/** Parameters of {@link Quipu.postDataSubjectsExport}. */
export interface PostDataSubjectsExportParams {
  /** Id of the app. */
  app_id: string;
  /** Why, for the audit log. */
  reason?: string;
  /** Number of the user. */
  uid: string;
}

/** Parameters of {@link Quipu.postDatePresetsCreate}. */
export interface PostDatePresetsCreateParams {
  /** Id of the app. */
  app_id: string;
  /** Whether today does not count. */
  exclude_current_day?: boolean;
  /** Whether the preset is a favourite. */
  fav?: boolean;
  /** Name. */
  name: string;
  /** Id of the date preset. */
  preset_id?: string;
  /** A range of days: a period, or a list of two. */
  range: Json;
  /** Who sees the preset. */
  share_with: "all-users" | "selected-users" | "none";
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** E-mail addresses of members who may see it. */
  shared_email_view?: Json;
  /** Groups whose members may change it. */
  shared_user_groups_edit?: Json;
  /** Groups whose members may see it. */
  shared_user_groups_view?: Json;
  /** Place in the list. */
  sort_order?: number;
}

/** Parameters of {@link Quipu.postDatePresetsDelete}. */
export interface PostDatePresetsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Whether today does not count. */
  exclude_current_day?: boolean;
  /** Whether the preset is a favourite. */
  fav?: boolean;
  /** Name. */
  name?: string;
  /** Id of the date preset. */
  preset_id: string;
  /** A range of days: a period, or a list of two. */
  range?: Json;
  /** Who sees the preset. */
  share_with?: "all-users" | "selected-users" | "none";
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** E-mail addresses of members who may see it. */
  shared_email_view?: Json;
  /** Groups whose members may change it. */
  shared_user_groups_edit?: Json;
  /** Groups whose members may see it. */
  shared_user_groups_view?: Json;
  /** Place in the list. */
  sort_order?: number;
}

/** Parameters of {@link Quipu.postDatePresetsUpdate}. */
export interface PostDatePresetsUpdateParams {
  /** Id of the app. */
  app_id: string;
  /** Whether today does not count. */
  exclude_current_day?: boolean;
  /** Whether the preset is a favourite. */
  fav?: boolean;
  /** Name. */
  name?: string;
  /** Id of the date preset. */
  preset_id: string;
  /** A range of days: a period, or a list of two. */
  range?: Json;
  /** Who sees the preset. */
  share_with?: "all-users" | "selected-users" | "none";
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** E-mail addresses of members who may see it. */
  shared_email_view?: Json;
  /** Groups whose members may change it. */
  shared_user_groups_edit?: Json;
  /** Groups whose members may see it. */
  shared_user_groups_view?: Json;
  /** Place in the list. */
  sort_order?: number;
}

/** Parameters of {@link Quipu.postDefinedEventsCreate}. */
export interface PostDefinedEventsCreateParams {
  /** Id of the app. */
  app_id: string;
  /** Description. */
  description?: string;
  /** Keys of events. */
  events: Json;
  /** Whether it stands in no menus. */
  hide?: boolean;
  /** Id of the document. */
  id?: string;
  /** Name. */
  name: string;
}

/** Parameters of {@link Quipu.postDefinedEventsDelete}. */
export interface PostDefinedEventsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Also where several, or what uses it, would be concerned. */
  force?: boolean;
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.postDefinedEventsUpdate}. */
export interface PostDefinedEventsUpdateParams {
  /** Id of the app. */
  app_id: string;
  /** Description. */
  description?: string;
  /** Keys of events. */
  events?: Json;
  /** Whether it stands in no menus. */
  hide?: boolean;
  /** Id of the document. */
  id: string;
  /** Name. */
  name?: string;
}

/** Parameters of {@link Quipu.postDrillAddBookmark}. */
export interface PostDrillAddBookmarkParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the bookmark. */
  bookmark_id?: string;
  /** The property that the bookmark divides by. */
  by_val?: string;
  /** The property as the page shows it. */
  by_val_text?: string;
  /** Description. */
  desc: string;
  /** Key of an event. */
  event_key: string;
  /** Whether all members of the app see it. */
  global: boolean;
  /** Name. */
  name: string;
  /** Where the bookmark is shown. */
  namespace?: string;
  /** The filter of the bookmark. */
  query_obj: Json;
  /** The filter as pages show it. */
  query_text?: string;
  /** How the bookmark is shown. */
  visualization?: string;
}

/** Parameters of {@link Quipu.postDrillCleanupMeta}. */
export interface PostDrillCleanupMetaParams {
  /** For all that the app has, rather than for one event. */
  all?: boolean;
  /** For every app; for global administrators. */
  all_apps?: boolean;
  /** Id of the app. */
  app_id?: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Which of several requests of this path. */
  method?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the view. */
  view_id?: string;
  /** Whether the answer waits until it is done. */
  wait_to_finish?: boolean;
}

/** Parameters of {@link Quipu.postDrillDeleteBookmark}. */
export interface PostDrillDeleteBookmarkParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the bookmark. */
  bookmark_id: string;
}

/** Parameters of {@link Quipu.postDrillEditBookmark}. */
export interface PostDrillEditBookmarkParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the bookmark. */
  bookmark_id: string;
  /** The property that the bookmark divides by. */
  by_val: string;
  /** The property as the page shows it. */
  by_val_text: string;
  /** Description. */
  desc: string;
  /** Key of an event. */
  event_key: string;
  /** Whether all members of the app see it. */
  global: boolean;
  /** Name. */
  name: string;
  /** Where the bookmark is shown. */
  namespace?: string;
  /** The filter of the bookmark. */
  query_obj: Json;
  /** The filter as pages show it. */
  query_text: string;
  /** How the bookmark is shown. */
  visualization?: string;
}

/** Parameters of {@link Quipu.postDrillRecheckLists}. */
export interface PostDrillRecheckListsParams {
  /** For all that the app has, rather than for one event. */
  all?: boolean;
  /** For every app; for global administrators. */
  all_apps?: boolean;
  /** Id of the app. */
  app_id?: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Which of several requests of this path. */
  method?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the view. */
  view_id?: string;
  /** Whether the answer waits until it is done. */
  wait_to_finish?: boolean;
}

/** Parameters of {@link Quipu.postDrillRegenerateMeta}. */
export interface PostDrillRegenerateMetaParams {
  /** For all that the app has, rather than for one event. */
  all?: boolean;
  /** For every app; for global administrators. */
  all_apps?: boolean;
  /** Id of the app. */
  app_id?: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Which of several requests of this path. */
  method?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the view. */
  view_id?: string;
  /** Whether the answer waits until it is done. */
  wait_to_finish?: boolean;
}

/** Parameters of {@link Quipu.postDrillRegeneration}. */
export interface PostDrillRegenerationParams {
  /** For all that the app has, rather than for one event. */
  all?: boolean;
  /** For every app; for global administrators. */
  all_apps?: boolean;
  /** Id of the app. */
  app_id?: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Which of several requests of this path. */
  method: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the view. */
  view_id?: string;
  /** Whether the answer waits until it is done. */
  wait_to_finish?: boolean;
}

/** Parameters of {@link Quipu.postErrorlogs}. */
export interface PostErrorlogsParams {
  /** Which log. */
  log: "api" | "dashboard";
}

/** Parameters of {@link Quipu.postEventGroupsCreate}. */
export interface PostEventGroupsCreateParams {
  /** Id of the app. */
  app_id?: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postEventGroupsDelete}. */
export interface PostEventGroupsDeleteParams {
  /** Id of the app. */
  app_id?: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postEventGroupsUpdate}. */
export interface PostEventGroupsUpdateParams {
  /** Id of the app. */
  app_id?: string;
  /** What is written, as one JSON object. */
  args?: Json;
  /** Keys of events in the order in which menus list them. */
  event_order?: Json;
  /** State that is looked for. */
  status?: string;
  /** Ids of groups whose state changes. */
  update_status?: Json;
}

/** Parameters of {@link Quipu.postEventsChangeVisibility}. */
export interface PostEventsChangeVisibilityParams {
  /** Id of the app. */
  app_id: string;
  /** Keys of events. */
  events: Json;
  /** Whether events are shown or hidden. */
  set_visibility: "show" | "hide";
}

/** Parameters of {@link Quipu.postEventsDeleteEvents}. */
export interface PostEventsDeleteEventsParams {
  /** Id of the app. */
  app_id: string;
  /** Keys of events. */
  events: Json;
}

/** Parameters of {@link Quipu.postEventsEditMap}. */
export interface PostEventsEditMapParams {
  /** Id of the app. */
  app_id: string;
  /** Names, descriptions and visibility of events by key. */
  event_map?: Json;
  /** Keys of events in the order in which menus list them. */
  event_order?: Json;
  /** Events and properties that the overview of events shows. */
  event_overview?: Json;
  /** Segments that are left out, by event. */
  omitted_segments?: Json;
}

/** Parameters of {@link Quipu.postEventsWhitelistSegments}. */
export interface PostEventsWhitelistSegmentsParams {
  /** Id of the app. */
  app_id: string;
  /** Segments that are kept, by event. */
  whitelisted_segments: Json;
}

/** Parameters of {@link Quipu.postExploreViewsDelete}. */
export interface PostExploreViewsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the view. */
  view_id: string;
}

/** Parameters of {@link Quipu.postExploreViewsSave}. */
export interface PostExploreViewsSaveParams {
  /** Id of the app. */
  app_id: string;
  /** Name. */
  name: string;
  /** The page that the view is of. */
  page?: string;
  /** Whether all members of the app see it. */
  shared?: boolean;
  /** State of the page, as the dashboard writes it. */
  state: string;
  /** Id of the view. */
  view_id?: string;
}

/** Parameters of {@link Quipu.postFeedbackInput}. */
export interface PostFeedbackInputParams {
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Version of the app. */
  av?: string;
  /** Id of the device, as clients send it. */
  device_id: string;
  /** Day of the week on the device, 0 for Sunday. */
  dow?: number;
  /** Keys of events. */
  events: Json;
  /** Hour on the device. */
  hour?: number;
  /** How many requests the queue of the client still holds. */
  rr?: number;
  /** Name of the SDK. */
  sdk_name?: string;
  /** Version of the SDK. */
  sdk_version?: string;
  /** Kind of the event. */
  t?: number;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the device from UTC, in minutes. */
  tz?: number;
}

/** Parameters of {@link Quipu.postFeedbackInputs}. */
export interface PostFeedbackInputsParams {
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Version of the app. */
  av?: string;
  /** Id of the device, as clients send it. */
  device_id: string;
  /** Day of the week on the device, 0 for Sunday. */
  dow?: number;
  /** Keys of events. */
  events: Json;
  /** Hour on the device. */
  hour?: number;
  /** How many requests the queue of the client still holds. */
  rr?: number;
  /** Name of the SDK. */
  sdk_name?: string;
  /** Version of the SDK. */
  sdk_version?: string;
  /** Kind of the event. */
  t?: number;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the device from UTC, in minutes. */
  tz?: number;
}

/** Parameters of {@link Quipu.postFlowsCalculate}. */
export interface PostFlowsCalculateParams {
  /** Id of the document. */
  _id: string;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postFlowsCreate}. */
export interface PostFlowsCreateParams {
  /** Id of the app. */
  app_id: string;
  /** Whether the flow is not calculated. */
  disabled?: boolean;
  /** The event that paths end at. */
  end?: Json;
  /** Events that paths leave out. */
  exclude?: Json;
  /** Name. */
  name: string;
  /** Options of the calculation. */
  options?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** The event that starts it. */
  start?: Json;
  /** Which kind. */
  type?: string;
  /** Filter of users. */
  user_segmentation?: Json;
}

/** Parameters of {@link Quipu.postFlowsDelete}. */
export interface PostFlowsDeleteParams {
  /** Id of the document. */
  _id: string;
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postFlowsEdit}. */
export interface PostFlowsEditParams {
  /** Id of the document. */
  _id: string;
  /** Id of the app. */
  app_id: string;
  /** Whether the flow is not calculated. */
  disabled?: boolean;
  /** The event that paths end at. */
  end?: Json;
  /** Events that paths leave out. */
  exclude?: Json;
  /** Name. */
  name?: string;
  /** Options of the calculation. */
  options?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** The event that starts it. */
  start?: Json;
  /** Which kind. */
  type?: string;
  /** Filter of users. */
  user_segmentation?: Json;
}

/** Parameters of {@link Quipu.postFlowsUpdateDisabled}. */
export interface PostFlowsUpdateDisabledParams {
  /** Id of the app. */
  app_id: string;
  /** What is written or exported, as JSON. */
  data: Json;
}

/** Parameters of {@link Quipu.postFunnelsAdd}. */
export interface PostFunnelsAddParams {
  /** Id of the app. */
  app_id: string;
  /** Description of the funnel. */
  funnel_desc?: string;
  /** Name of the funnel. */
  funnel_name: string;
  /** Whether steps must happen in one session: `session-independent` or `same-session`. */
  funnel_type?: string;
  /** Options of the calculation. */
  options?: Json;
  /** Filters of the steps. */
  queries?: Json;
  /** Filters of the steps as pages show them. */
  queryTexts?: Json;
  /** How steps are grouped: `and`, `or`. */
  stepGroups?: Json;
  /** Steps, in their order. */
  steps: Json;
}

/** Parameters of {@link Quipu.postFunnelsDelete}. */
export interface PostFunnelsDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the funnel. */
  funnel_id: string;
}

/** Parameters of {@link Quipu.postFunnelsEdit}. */
export interface PostFunnelsEditParams {
  /** Id of the app. */
  app_id: string;
  /** The funnel by its id: `{"ID":{…}}`. */
  funnel_map: Json;
}

/** Parameters of {@link Quipu.postFunnelsGroup}. */
export interface PostFunnelsGroupParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the funnel. */
  funnel_id: string;
  /** Groups that it is in. */
  groups: Json;
}

/** Parameters of {@link Quipu.postNotesDelete}. */
export interface PostNotesDeleteParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the note. */
  note_id: string;
}

/** Parameters of {@link Quipu.postNotesSave}. */
export interface PostNotesSaveParams {
  /** Id of the app. */
  app_id?: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postPlugins}. */
export interface PostPluginsParams {
  /** Features by code, `true` to switch on. */
  plugin: Json;
}

/** Parameters of {@link Quipu.postPopulatorEnvironmentSave}. */
export interface PostPopulatorEnvironmentSaveParams {
  /** Id of the app. */
  app_id: string;
  /** Whether the environment itself is stored, too. */
  setEnviromentInformationOnce?: boolean;
  /** How many users. */
  users: number;
}

/** Parameters of {@link Quipu.postPopulatorLoad}. */
export interface PostPopulatorLoadParams {
  /** Id of the app. */
  app_id: string;
  /** Over how many days, up to today. */
  days?: number;
  /** Name of the environment. */
  environment_name?: string;
  /** Id of the template. */
  template_id: string;
  /** How many users. */
  users?: number;
}

/** Parameters of {@link Quipu.postPopulatorTemplatesCreate}. */
export interface PostPopulatorTemplatesCreateParams {
  /** Id of the app. */
  app_id: string;
  /** How users of the template behave: times between runs and sequences. */
  behavior?: Json;
  /** Keys of events. */
  events?: Json;
  /** Whether the template is offered first. */
  isDefault?: boolean;
  /** Name of the member who edits. */
  lastEditedBy?: string;
  /** Name. */
  name: string;
  /** Platforms of the users of the template. */
  platformType: Json;
  /** Sequences of events that users go through. */
  sequences?: Json;
  /** How many users the template makes. */
  uniqueUserCount: number;
  /** How many users. */
  users?: number;
  /** Views that users see. */
  views?: Json;
}

/** Parameters of {@link Quipu.postPopulatorTemplatesEdit}. */
export interface PostPopulatorTemplatesEditParams {
  /** Id of the app. */
  app_id: string;
  /** How users of the template behave: times between runs and sequences. */
  behavior?: Json;
  /** Keys of events. */
  events?: Json;
  /** When the template was made, ms. */
  generated_on?: number;
  /** Whether the template is offered first. */
  isDefault?: boolean;
  /** Name. */
  name: string;
  /** Platforms of the users of the template. */
  platformType: Json;
  /** Sequences of events that users go through. */
  sequences?: Json;
  /** Id of the template. */
  template_id: string;
  /** How many users the template makes. */
  uniqueUserCount: number;
  /** How many users. */
  users?: number;
  /** Views that users see. */
  views?: Json;
}

/** Parameters of {@link Quipu.postPopulatorTemplatesRemove}. */
export interface PostPopulatorTemplatesRemoveParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the template. */
  template_id: string;
}

/** Parameters of {@link Quipu.postSdk}. */
export interface PostSdkParams {
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Id of the device, as clients send it. */
  device_id: string;
  /** Name of one value. */
  key?: string;
  /** Names of values. */
  keys?: Json;
  /** Which of several requests of this path. */
  method: string;
  /** How many requests the queue of the client still holds. */
  rr?: number;
}

/** Parameters of {@link Quipu.postSdkConfigUpdateEnforcement}. */
export interface PostSdkConfigUpdateEnforcementParams {
  /** Id of the app. */
  app_id: string;
  /** Which settings of SDKs are enforced, by name. */
  enforcement: Json;
}

/** Parameters of {@link Quipu.postSdkConfigUpdateParameter}. */
export interface PostSdkConfigUpdateParameterParams {
  /** Id of the app. */
  app_id: string;
  /** Settings of SDKs by name. */
  parameter: Json;
}

/** Parameters of {@link Quipu.postSqlDelete}. */
export interface PostSqlDeleteParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the saved query. */
  query_id: string;
}

/** Parameters of {@link Quipu.postSqlSave}. */
export interface PostSqlSaveParams {
  /** Id of the app. */
  app_id: string;
  /** How the page shows the result. */
  chart?: "table" | "line" | "bar";
  /** Name. */
  name: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the saved query. */
  query_id?: string;
  /** Whether all members of the app see it. */
  shared?: boolean;
  /** The statement. */
  sql: string;
}

/** Parameters of {@link Quipu.postSystemlogs}. */
export interface PostSystemlogsParams {
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action: string;
  /** What is written or exported, as JSON. */
  data?: Json;
}

/** Parameters of {@link Quipu.postTasksDelete}. */
export interface PostTasksDeleteParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.postTasksEdit}. */
export interface PostTasksEditParams {
  /** Id of the app. */
  app_id?: string;
  /** Whether the result is calculated again by itself. */
  autoRefresh?: boolean;
  /** Whether all members of the app see it. */
  global?: boolean;
  /** The period in words. */
  period_desc?: string;
  /** Description of the report. */
  report_desc?: string;
  /** Name of the report. */
  report_name?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.postTasksName}. */
export interface PostTasksNameParams {
  /** Id of the app. */
  app_id?: string;
  /** Name. */
  name?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.postTasksUpdate}. */
export interface PostTasksUpdateParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.postTokenCreate}. */
export interface PostTokenCreateParams {
  /** Id of the app that the token is for, or several. */
  app?: string;
  /** Ids of apps: a JSON list, or separated by commas. */
  apps?: string;
  /** Paths that the token is for: texts or patterns. */
  endpoint?: string;
  /** Parameters that requests with the token must have. */
  endpointquery?: Json;
  /** Whether the token may be used more than once. */
  multi?: boolean;
  /** What the token is for. */
  purpose?: string;
  /** Seconds until the token ends; 0 for never. */
  ttl?: number;
}

/** Parameters of {@link Quipu.postTokenDelete}. */
export interface PostTokenDeleteParams {
  /** The token. */
  tokenid: string;
}

/** Parameters of {@link Quipu.postUserconfigs}. */
export interface PostUserconfigsParams {
  /** Settings by feature and name: `{"api":{"metric_limit":1000}}`. */
  configs: Json;
}

/** Parameters of {@link Quipu.postUsersApiKeyRotate}. */
export interface PostUsersApiKeyRotateParams {
  /** Id of the member; the caller without it. */
  user_id?: string;
}

/** Parameters of {@link Quipu.postUsersCreate}. */
export interface PostUsersCreateParams {
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postUsersDelete}. */
export interface PostUsersDeleteParams {
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postUsersDeleteOwnAccount}. */
export interface PostUsersDeleteOwnAccountParams {
  /** The password of the caller. */
  password: string;
}

/** Parameters of {@link Quipu.postUsersPassword}. */
export interface PostUsersPasswordParams {
  /** The new password. */
  new_pwd: string;
  /** The present password. */
  old_pwd: string;
  /** Whether the member gets a new key. */
  rotate_key?: boolean;
}

/** Parameters of {@link Quipu.postUsersSessionsEnd}. */
export interface PostUsersSessionsEndParams {
  /** Ends all sessions but that of the caller. */
  others?: boolean;
  /** Id of the session. */
  session_id?: string;
}

/** Parameters of {@link Quipu.postUsersUpdate}. */
export interface PostUsersUpdateParams {
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postUsersUpdateHomeSettings}. */
export interface PostUsersUpdateHomeSettingsParams {
  /** Id of the app. */
  app_id?: string;
  /** What the home page shows. */
  homeSettings: Json;
}

/** Parameters of {@link Quipu.postViews}. */
export interface PostViewsParams {
  /** Id of the app. */
  app_id: string;
  /** What is written or exported, as JSON. */
  data?: Json;
  /** Which of several requests of this path. */
  method: string;
  /** Names of segments that are left out. */
  omit_list?: Json;
  /** Id of the view. */
  view_id?: string;
}

/** Parameters of {@link Quipu.getImagesScreenshotsFile}. */
export interface GetImagesScreenshotsFileParams {
  file: string;
}

/** Parameters of {@link Quipu.getActions}. */
export interface GetActionsParams {
  /** Id of the app. */
  app_id: string;
  /** Name of a view, or of a page of the dashboard. */
  view: string;
  /** Widths of screens: `{"minWidth":0,"maxWidth":767}`. */
  device: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period: string;
  /** Clicks, or how far pages are scrolled. */
  actionType: "click" | "scroll";
  /** Name of a segment. */
  segment?: string;
}

/** Parameters of {@link Quipu.getActiveUsers}. */
export interface GetActiveUsersParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getActiveUsersReport}. */
export interface GetActiveUsersReportParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Keys of events. */
  events?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** The property that results are divided by. */
  breakdown?: string;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getAnalytics}. */
export interface GetAnalyticsParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getAnalyticsCompare}. */
export interface GetAnalyticsCompareParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsCountries}. */
export interface GetAnalyticsCountriesParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsDashboard}. */
export interface GetAnalyticsDashboardParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsDurations}. */
export interface GetAnalyticsDurationsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsEvents}. */
export interface GetAnalyticsEventsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsEventsOverview}. */
export interface GetAnalyticsEventsOverviewParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsEventsTop}. */
export interface GetAnalyticsEventsTopParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsFrequency}. */
export interface GetAnalyticsFrequencyParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsLoyalty}. */
export interface GetAnalyticsLoyaltyParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsMetric}. */
export interface GetAnalyticsMetricParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsSessions}. */
export interface GetAnalyticsSessionsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsTops}. */
export interface GetAnalyticsTopsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getAnalyticsTail}. */
export interface GetAnalyticsTailParams {
  /** Id of the app. */
  app_id?: string;
  tail: string;
}

/** Parameters of {@link Quipu.getAppUsersConsents}. */
export interface GetAppUsersConsentsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** How many rows at most. */
  limit?: number;
  /** How many rows are left out at the start. */
  skip?: number;
  /** The `cursor` of the answer before; rows behind it follow. */
  cursor?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
}

/** Parameters of {@link Quipu.getAppUsersDownload}. */
export interface GetAppUsersDownloadParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getAppUsersDownloadId}. */
export interface GetAppUsersDownloadIdParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.getAppUsersLoyalty}. */
export interface GetAppUsersLoyaltyParams {
  /** Id of the app. */
  app_id: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
}

/** Parameters of {@link Quipu.getAppUsersPicture}. */
export interface GetAppUsersPictureParams {
  /** Id of the app. */
  app_id: string;
  /** Number of the user. */
  uid?: string;
  /** Id of a device of the user. */
  did?: string;
}

/** Parameters of {@link Quipu.getAppsAll}. */
export interface GetAppsAllParams {
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getAppsDetails}. */
export interface GetAppsDetailsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getAppsMine}. */
export interface GetAppsMineParams {
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getAppsPlugins}. */
export interface GetAppsPluginsParams {
  /** Id of the app. */
  app_id?: string;
  /** Name. */
  name?: string;
}

/** Parameters of {@link Quipu.getAttribution}. */
export interface GetAttributionParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Key of the event that is a conversion; first sessions unless one is sent. */
  event?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Which of several touches a conversion is credited to. */
  model?: "first" | "last" | "linear";
  /** How many days before a conversion a touch may be, 1 to 180. */
  window?: number;
  /** What conversions are credited to. */
  by?: "channel" | "source" | "medium" | "campaign" | "content" | "keyword" | "id";
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getAttributionVisits}. */
export interface GetAttributionVisitsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What visits are counted by. */
  by?: "channel" | "source" | "medium" | "campaign" | "content" | "keyword" | "id";
}

/** Parameters of {@link Quipu.getBatch}. */
export interface GetBatchParams {
  /** Addresses of the reads, below `/o`, at most 16. */
  requests: Json;
}

/** Parameters of {@link Quipu.getCalculatedMetricsCheck}. */
export interface GetCalculatedMetricsCheckParams {
  /** Id of the app. */
  app_id: string;
  /** The formula, as an object. */
  formula: Json;
}

/** Parameters of {@link Quipu.getCalculatedMetricsMetric}. */
export interface GetCalculatedMetricsMetricParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  _id?: string;
  /** Which form of the calculation. */
  mode?: string;
  /** Id of the calculated metric. */
  metric_id?: string;
  /** Metrics that boards may show. */
  for_widgets?: boolean;
}

/** Parameters of {@link Quipu.getCalculatedMetricsMetrics}. */
export interface GetCalculatedMetricsMetricsParams {
  /** Id of the app. */
  app_id: string;
  /** Metrics that boards may show. */
  for_widgets?: boolean;
}

/** Parameters of {@link Quipu.getCampaign}. */
export interface GetCampaignParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Id of a campaign. */
  camp_id?: string;
  /** Answers with a list. */
  list?: string;
  /** Ids of campaigns whose days are wanted. */
  data?: Json;
  /** Answers with a table. */
  getTable?: boolean;
  /** `campaign-hidden` for hidden campaigns. */
  filter?: string;
}

/** Parameters of {@link Quipu.getCmsEntries}. */
export interface GetCmsEntriesParams {
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Id of the document. */
  _id: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
}

/** Parameters of {@link Quipu.getCohortsPreview}. */
export interface GetCohortsPreviewParams {
  /** Id of the app. */
  app_id: string;
  /** Steps, in their order. */
  steps?: Json;
  /** Filter of users. */
  user_segmentation?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getCompareApps}. */
export interface GetCompareAppsParams {
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Ids of apps: a JSON list, or separated by commas. */
  apps: string;
}

/** Parameters of {@link Quipu.getCompareEvents}. */
export interface GetCompareEventsParams {
  /** Id of the app. */
  app_id?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Keys of events. */
  events: Json;
}

/** Parameters of {@link Quipu.getConcurrentUsers}. */
export interface GetConcurrentUsersParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getConfigs}. */
export interface GetConfigsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getConsentCurrent}. */
export interface GetConsentCurrentParams {
  /** Id of the app. */
  app_id: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
}

/** Parameters of {@link Quipu.getConsentSearch}. */
export interface GetConsentSearchParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** How many rows at most. */
  limit?: number;
  /** How many rows are left out at the start. */
  skip?: number;
  /** The `cursor` of the answer before; rows behind it follow. */
  cursor?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
}

/** Parameters of {@link Quipu.getConsentSearchOld}. */
export interface GetConsentSearchOldParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** How many rows at most. */
  limit?: number;
  /** How many rows are left out at the start. */
  skip?: number;
  /** The `cursor` of the answer before; rows behind it follow. */
  cursor?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
}

/** Parameters of {@link Quipu.getCrashesDownloadBinary}. */
export interface GetCrashesDownloadBinaryParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash report. */
  crash_id: string;
}

/** Parameters of {@link Quipu.getCrashesDownloadStacktrace}. */
export interface GetCrashesDownloadStacktraceParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash report. */
  crash_id: string;
}

/** Parameters of {@link Quipu.getCrashesPreviewRules}. */
export interface GetCrashesPreviewRulesParams {
  /** Id of the app. */
  app_id: string;
  /** Rules for crash groups: `algorithm`, `stack` and `fingerprints`; see docs/reference/crashes.md. */
  rules: Json;
  /** Version of the rules for crash groups that were changed. */
  version?: number;
}

/** Parameters of {@link Quipu.getDataSubjects}. */
export interface GetDataSubjectsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Name, e-mail address, user id or device id of the person. */
  by: string;
}

/** Parameters of {@link Quipu.getDataSubjectsErasures}. */
export interface GetDataSubjectsErasuresParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getDataSubjectsHeld}. */
export interface GetDataSubjectsHeldParams {
  /** Id of the app. */
  app_id: string;
  /** Number of the user. */
  uid: string;
}

/** Parameters of {@link Quipu.getDatePresetsGetAll}. */
export interface GetDatePresetsGetAllParams {
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getDatePresetsGetById}. */
export interface GetDatePresetsGetByIdParams {
  /** Id of the date preset. */
  preset_id: string;
  /** Name. */
  name?: string;
  /** A range of days: a period, or a list of two. */
  range?: Json;
  /** Who sees the preset. */
  share_with?: "all-users" | "selected-users" | "none";
  /** E-mail addresses of members who may change it. */
  shared_email_edit?: Json;
  /** E-mail addresses of members who may see it. */
  shared_email_view?: Json;
  /** Groups whose members may change it. */
  shared_user_groups_edit?: Json;
  /** Groups whose members may see it. */
  shared_user_groups_view?: Json;
  /** Whether today does not count. */
  exclude_current_day?: boolean;
  /** Whether the preset is a favourite. */
  fav?: boolean;
  /** Place in the list. */
  sort_order?: number;
}

/** Parameters of {@link Quipu.getDefinedEvents}. */
export interface GetDefinedEventsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getDefinedEventsPreview}. */
export interface GetDefinedEventsPreviewParams {
  /** Id of the app. */
  app_id: string;
  /** Keys of events. */
  events: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getDefinedEventsUses}. */
export interface GetDefinedEventsUsesParams {
  /** Id of the app. */
  app_id: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event: string;
}

/** Parameters of {@link Quipu.getErrorlogs}. */
export interface GetErrorlogsParams {
  /** Which log. */
  log?: "api" | "dashboard";
  /** How many bytes from the end are read. */
  bytes?: number;
  /** Answers with a file. */
  download?: boolean;
}

/** Parameters of {@link Quipu.getExplain}. */
export interface GetExplainParams {
  /** Address of the read, below `/o`. */
  read: string;
}

/** Parameters of {@link Quipu.getExploreCount}. */
export interface GetExploreCountParams {
  /** Id of the app. */
  app_id: string;
  /** Keys of events. */
  events: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Start, in milliseconds since 1970; 0 for no bound. */
  from?: number;
  /** End, in milliseconds since 1970; 0 for no bound. */
  to?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getExploreProperties}. */
export interface GetExplorePropertiesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getExploreViews}. */
export interface GetExploreViewsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Description. */
  desc?: boolean;
}

/** Parameters of {@link Quipu.getExportData}. */
export interface GetExportDataParams {
  /** Which kind. */
  type?: string;
  /** Name of the file, without extension. */
  filename?: string;
  /** What is written or exported, as JSON. */
  data: Json;
  /** The text is exported as it is. */
  raw?: boolean;
}

/** Parameters of {@link Quipu.getExportDb}. */
export interface GetExportDbParams {
  /** Which kind. */
  type?: string;
  /** Name of the file, without extension. */
  filename?: string;
  /** Name of what is exported: `app_users` with the id of the app behind it, `events`, `drill_events`, or a collection of documents. */
  collection: string;
  /** The data base of the wire that the collection is in. */
  db?: "countly" | "countly_drill";
  /** Id of the app. */
  app_id?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  project?: Json;
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** How many rows are left out at the start. */
  skip?: number;
  /** How many rows at most. */
  limit?: number;
  /** Whether rows are numbered. */
  get_index?: boolean;
  /** Titles of columns by field. */
  columnNames?: Json;
  /** How fields are written, by field. */
  formatFields?: Json;
}

/** Parameters of {@link Quipu.getExportDownload}. */
export interface GetExportDownloadParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getExportDownloadId}. */
export interface GetExportDownloadIdParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.getExportRequest}. */
export interface GetExportRequestParams {
  /** Which kind. */
  type?: string;
  /** Name of the file, without extension. */
  filename?: string;
  /** Path of the answer that is exported, below `/o`, with or without a query. */
  path: string;
  /** Where the rows stand in the answer that is exported. */
  prop?: string;
  /** What is written or exported, as JSON. */
  data?: Json;
  /** Id of the app. */
  app_id?: string;
  /** Which of several requests of this path. */
  method?: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** Titles of columns by field. */
  columnNames?: Json;
  /** How fields are written, by field. */
  mapper?: Json;
}

/** Parameters of {@link Quipu.postExportRequestQuery}. */
export interface PostExportRequestQueryParams {
  /** Id of the app. */
  app_id?: string;
  /** Titles of columns by field. */
  columnNames?: Json;
  /** What is written or exported, as JSON. */
  data?: Json;
  /** Name of the file, without extension. */
  filename?: string;
  /** How fields are written, by field. */
  mapper?: Json;
  /** Which of several requests of this path. */
  method?: string;
  /** Path of the answer that is exported, below `/o`, with or without a query. */
  path: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
  /** Where the rows stand in the answer that is exported. */
  prop?: string;
  /** Which kind. */
  type?: string;
  /** Label of the task. */
  type_name?: string;
}

/** Parameters of {@link Quipu.getFeedbackMultipleWidgetsById}. */
export interface GetFeedbackMultipleWidgetsByIdParams {
  /** Ids of widgets. */
  widgets: Json;
}

/** Parameters of {@link Quipu.getFeedbackWidget}. */
export interface GetFeedbackWidgetParams {
  /** Id of the widget. */
  widget_id: string;
}

/** Parameters of {@link Quipu.getFlows}. */
export interface GetFlowsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Which of several requests of this path. */
  method?: string;
  /** Id of the document. */
  _id?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
}

/** Parameters of {@link Quipu.getFlowsPaths}. */
export interface GetFlowsPathsParams {
  /** Id of the app. */
  app_id: string;
  /** Name. */
  name?: string;
  /** Which kind. */
  type?: string;
  /** The event that starts it. */
  start: Json;
  /** The event that paths end at. */
  end?: Json;
  /** Events that paths leave out. */
  exclude?: Json;
  /** Filter of users. */
  user_segmentation?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Whether the flow is not calculated. */
  disabled?: boolean;
  /** Options of the calculation. */
  options?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getIngestOutcomes}. */
export interface GetIngestOutcomesParams {
  /** Id of the app. */
  app_id?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
}

/** Parameters of {@link Quipu.getInspectorProfile}. */
export interface GetInspectorProfileParams {
  /** Name of the profile. */
  profile: string;
}

/** Parameters of {@link Quipu.getInternalEvents}. */
export interface GetInternalEventsParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getKeywords}. */
export interface GetKeywordsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
}

/** Parameters of {@link Quipu.getLiveFeed}. */
export interface GetLiveFeedParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getLiveNow}. */
export interface GetLiveNowParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getLiveTiles}. */
export interface GetLiveTilesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodAllApps}. */
export interface GetMethodAllAppsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getMethodAppVersions}. */
export interface GetMethodAppVersionsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodBrowser}. */
export interface GetMethodBrowserParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodCalculatedMetrics}. */
export interface GetMethodCalculatedMetricsParams {
  /** Id of the app. */
  app_id: string;
  /** Which form of the calculation. */
  mode: string;
  /** Id of the calculated metric. */
  metric_id?: string;
  /** The formula, as an object. */
  formula?: Json;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** With the value of the period before. */
  previous?: boolean;
  /** Answers with the metric beside its value. */
  metric_details?: boolean;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodCarriers}. */
export interface GetMethodCarriersParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodCities}. */
export interface GetMethodCitiesParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodCohortdata}. */
export interface GetMethodCohortdataParams {
  /** Id of the app. */
  app_id: string;
  /** Ids of cohorts. */
  cohorts: Json;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
}

/** Parameters of {@link Quipu.getMethodCohortstate}. */
export interface GetMethodCohortstateParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCollectionInfo}. */
export interface GetMethodCollectionInfoParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodConcurrent}. */
export interface GetMethodConcurrentParams {
  /** Id of the app. */
  app_id?: string;
  /** Ids of the apps whose figures are read. */
  r_apps?: Json;
  /** Which form of the calculation. */
  mode?: string;
  /** Whether users in their first session are counted apart. */
  add_new?: string;
}

/** Parameters of {@link Quipu.getMethodConcurrentAlerts}. */
export interface GetMethodConcurrentAlertsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postMethodConfigUpload}. */
export interface PostMethodConfigUploadParams {
  /** Id of the app. */
  app_id: string;
  /** Settings of SDKs. */
  config: Json;
}

/** Parameters of {@link Quipu.getMethodConsents}. */
export interface GetMethodConsentsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
}

/** Parameters of {@link Quipu.getMethodCountries}. */
export interface GetMethodCountriesParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodCrashJobs}. */
export interface GetMethodCrashJobsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Platform: `android`, `ios`, `javascript` and so on. */
  platform?: string;
  /** State that is looked for. */
  status?: string;
  /** Which form of the list. */
  outputFormat?: "full" | "list" | "table";
}

/** Parameters of {@link Quipu.getMethodCrashReleases}. */
export interface GetMethodCrashReleasesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashReport}. */
export interface GetMethodCrashReportParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash report. */
  report_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashRules}. */
export interface GetMethodCrashRulesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashSymbols}. */
export interface GetMethodCrashSymbolsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashSymbolsOverview}. */
export interface GetMethodCrashSymbolsOverviewParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashVariants}. */
export interface GetMethodCrashVariantsParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
}

/** Parameters of {@link Quipu.getMethodCrashVelocity}. */
export interface GetMethodCrashVelocityParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodCrashes}. */
export interface GetMethodCrashesParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group?: string;
  /** Answers with the users who had the crash. */
  userlist?: boolean;
  /** Answers with a list. */
  list?: boolean;
  /** Answers with the figures of crashes by day. */
  graph?: boolean;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Operating system. */
  os?: string;
  /** Version of the app. */
  app_version?: string;
}

/** Parameters of {@link Quipu.getMethodDensity}. */
export interface GetMethodDensityParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodDeviceDetails}. */
export interface GetMethodDeviceDetailsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodDevices}. */
export interface GetMethodDevicesParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodDownloadSymbol}. */
export interface GetMethodDownloadSymbolParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the build's files. */
  symbol_id: string;
  /** Id of one file of several. */
  file_id?: string;
}

/** Parameters of {@link Quipu.getMethodDrillBookmark}. */
export interface GetMethodDrillBookmarkParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  _id: string;
}

/** Parameters of {@link Quipu.getMethodDrillBookmarks}. */
export interface GetMethodDrillBookmarksParams {
  /** Id of the app. */
  app_id: string;
  /** Key of an event. */
  event_key?: string;
  /** With `1`, bookmarks of the app whatever its event. */
  app_level?: "0" | "1";
  /** Ids of apps: a JSON list, or separated by commas. */
  apps?: string;
  /** Where the bookmark is shown. */
  namespace?: string;
  /** Answers with how many there are alone. */
  only_count?: boolean;
}

/** Parameters of {@link Quipu.getMethodEvents}. */
export interface GetMethodEventsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodFunnel}. */
export interface GetMethodFunnelParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Id of the funnel. */
  funnel: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Id of a saved filter. */
  filter_id?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id?: string;
  /** The last step that counts, from 0. */
  end_step?: number;
  /** Number of the step whose users are listed, from 0. */
  users_for_step?: number;
  /** Two steps: the users who left between them. */
  users_between_steps?: Json;
  /** Text that the answer repeats, by which clients match answers with requests. */
  echo?: string;
  /** The property that results are divided by. */
  breakdown?: string;
  /** The step whose event has the property, from 0. */
  breakdown_step?: number;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** The value of the property whose group the others are compared with. */
  breakdown_base?: string;
  /** Figures by when users began, in units of this size. */
  trend?: "hour" | "day" | "week" | "month";
  /** `N|M`, from 0: what those did next who reached step N and not step M. */
  instead?: string;
  /** `true`, or `N|M`, from 0: what separates those who reached step M from those who reached only step N. */
  drivers?: string;
  /** Paths of the properties that are looked at. */
  drivers_by?: Json;
  /** Seconds before an attempt in which events are looked for; 0 = none. */
  drivers_back?: number;
  /** How many differences are listed. */
  drivers_limit?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodFunneldata}. */
export interface GetMethodFunneldataParams {
  /** Id of the app. */
  app_id: string;
  /** Ids of funnels. */
  funnels: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodGeodata}. */
export interface GetMethodGeodataParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodGetCohort}. */
export interface GetMethodGetCohortParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort. */
  cohort: string;
}

/** Parameters of {@link Quipu.getMethodGetCohortList}. */
export interface GetMethodGetCohortListParams {
  /** Id of the app. */
  app_id: string;
  /** Which kind. */
  type?: string;
}

/** Parameters of {@link Quipu.getMethodGetCohortMetrics}. */
export interface GetMethodGetCohortMetricsParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the cohort, of several as a JSON list where many are meant. */
  cohort_id: string;
  /** Names of metrics. */
  metrics: Json;
}

/** Parameters of {@link Quipu.getMethodGetCohorts}. */
export interface GetMethodGetCohortsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Which form of the list. */
  outputFormat?: "full" | "list" | "table";
  /** Which kind. */
  type?: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group?: string;
  /** Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these. */
  projection?: Json;
}

/** Parameters of {@link Quipu.getMethodGetEventGroup}. */
export interface GetMethodGetEventGroupParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the document. */
  _id?: string;
}

/** Parameters of {@link Quipu.getMethodGetEventGroups}. */
export interface GetMethodGetEventGroupsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getMethodGetEvents}. */
export interface GetMethodGetEventsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodGetFunnel}. */
export interface GetMethodGetFunnelParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the funnel. */
  funnel: string;
}

/** Parameters of {@link Quipu.getMethodGetFunnels}. */
export interface GetMethodGetFunnelsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group?: string;
  /** Which form of the list. */
  outputFormat?: "full" | "list" | "table";
}

/** Parameters of {@link Quipu.getMethodGetPeriodObj}. */
export interface GetMethodGetPeriodObjParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodGetViewCount}. */
export interface GetMethodGetViewCountParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodGetViewSegments}. */
export interface GetMethodGetViewSegmentsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodJobs}. */
export interface GetMethodJobsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Name. */
  name?: string;
}

/** Parameters of {@link Quipu.getMethodKeywords}. */
export interface GetMethodKeywordsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
}

/** Parameters of {@link Quipu.getMethodLangs}. */
export interface GetMethodLangsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodLive}. */
export interface GetMethodLiveParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodLocations}. */
export interface GetMethodLocationsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodLogs}. */
export interface GetMethodLogsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
}

/** Parameters of {@link Quipu.getMethodNotes}. */
export interface GetMethodNotesParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Ids of the apps of the notes. */
  notes_apps?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Who sees the notes: `private`, `shared`, `public`. */
  note_type?: string;
  /** Ids of categories. */
  category?: string;
}

/** Parameters of {@link Quipu.getMethodReports}. */
export interface GetMethodReportsParams {
  /** Id of the app. */
  app_id: string;
  /** Ids of crash reports. */
  report_ids?: Json;
  /** Id of the crash report. */
  report_id?: string;
}

/** Parameters of {@link Quipu.getMethodRetention}. */
export interface GetMethodRetentionParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period: string;
  /** Unit of the table. */
  rettype?: "daily" | "weekly" | "monthly";
  /** Key of the event that users come back with. */
  evt?: string;
  /** A range of days: a period, or a list of two. */
  range?: Json;
  /** How many units. */
  span?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodSdkConfig}. */
export interface GetMethodSdkConfigParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodSdkEnforcement}. */
export interface GetMethodSdkEnforcementParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodSdks}. */
export interface GetMethodSdksParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodSegmentation}. */
export interface GetMethodSegmentationParams {
  /** Id of the app. */
  app_id: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event: string;
  /** A filter, in the language of queries. */
  queryObject: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket: string;
  /** The property that results are divided by; a list for several. */
  projectionKey?: Json;
  /** Answers with a list. */
  list?: string;
  /** How many rows at most. */
  limit?: number;
  /** How many rows are left out at the start. */
  skip?: number;
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** The measure by which values are ranked. */
  sortGraphBy?: string;
  /** Ids of cohorts. */
  cohorts?: Json;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Steps, in their order. */
  steps?: Json;
  /** What is measured, such as `[{"agg":"sum","prop":"sum"}]`. */
  measures?: Json;
  /** Upper limits of the groups that numbers are put into. */
  bins?: Json;
  /** What the values beyond the limit are called. */
  other?: string;
  /** The period that is compared with, and how. */
  compare?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodSegmentationMeta}. */
export interface GetMethodSegmentationMetaParams {
  /** Id of the app. */
  app_id: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event: string;
  /** Name of a property. */
  property?: string;
  /** Text that is searched for. */
  search?: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodSegmentationUsers}. */
export interface GetMethodSegmentationUsersParams {
  /** Id of the app. */
  app_id: string;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** A filter, in the language of queries. */
  queryObject?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** The property that results are divided by; a list for several. */
  projectionKey?: Json;
  /** Ids of cohorts. */
  cohorts?: Json;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Steps, in their order. */
  steps?: Json;
  /** Upper limits of the groups that numbers are put into. */
  bins?: Json;
  /** The bucket of a series whose users are listed, as the series names it. */
  at?: string;
  /** Groups that it is in. */
  groups?: Json;
  /** Groups that users must not be in. */
  not_groups?: Json;
  /** How many rows at most. */
  limit?: number;
  /** How many rows are left out at the start. */
  skip?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodSessions}. */
export interface GetMethodSessionsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodSources}. */
export interface GetMethodSourcesParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodSystemlogs}. */
export interface GetMethodSystemlogsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
}

/** Parameters of {@link Quipu.getMethodSystemlogsMeta}. */
export interface GetMethodSystemlogsMetaParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodTimesOfDay}. */
export interface GetMethodTimesOfDayParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type: string;
}

/** Parameters of {@link Quipu.getMethodTopEvents}. */
export interface GetMethodTopEventsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodTotalUsers}. */
export interface GetMethodTotalUsersParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodUserCounts}. */
export interface GetMethodUserCountsParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getMethodUserCrashes}. */
export interface GetMethodUserCrashesParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Number of the user. */
  uid: string;
  /** Whether the groups are described. */
  names?: boolean;
}

/** Parameters of {@link Quipu.getMethodUserDetails}. */
export interface GetMethodUserDetailsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Number of the user. */
  uid?: string;
  /** Id of a device of the user. */
  did?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Id of the cohort whose members are listed. */
  profile_group?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodUserFunnels}. */
export interface GetMethodUserFunnelsParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Number of the user. */
  uid: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getMethodUsers}. */
export interface GetMethodUsersParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** Width of the points of a series. */
  step?: string;
  /** A second period, whose figures stand beside the first. */
  against?: string;
  /** Which figure is compared. */
  of?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Name of the metric: `_os`, `_device`, `_app_version` and so on. */
  metric?: string;
  /** Names of metrics. */
  metrics?: Json;
  /** Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server. */
  event?: string;
  /** Keys of events. */
  events?: Json;
  /** Name of the segmentation of the event. */
  segmentation?: string;
  /** Answers with sums rather than the time line. */
  overview?: boolean;
  /** The part of the dashboard that the answer is for. */
  loadFor?: string;
  /** How many rows at most. */
  limit?: number;
  /** Days of the week and hours: `weekdays`, `weekends`, or a period. */
  date_range?: string;
  /** Key of the event whose times are counted. */
  tod_type?: string;
}

/** Parameters of {@link Quipu.getMethodViews}. */
export interface GetMethodViewsParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`. */
  action?: string;
  /** Name of a segment. */
  segment?: string;
  /** Value of the segment. */
  segmentVal?: string;
  /** Ids of views. */
  selectedViews?: Json;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
}

/** Parameters of {@link Quipu.getNotes}. */
export interface GetNotesParams {
  /** Id of the app. */
  app_id?: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Ids of the apps of the notes. */
  notes_apps?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Who sees the notes: `private`, `shared`, `public`. */
  note_type?: string;
  /** Ids of categories. */
  category?: string;
}

/** Parameters of {@link Quipu.getPopulatorEnvironmentCheck}. */
export interface GetPopulatorEnvironmentCheckParams {
  /** Id of the app. */
  app_id: string;
  /** Name of the environment. */
  environment_name: string;
}

/** Parameters of {@link Quipu.getPopulatorEnvironmentGet}. */
export interface GetPopulatorEnvironmentGetParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Id of the template. */
  template_id: string;
  /** Id of the environment. */
  environment_id: string;
}

/** Parameters of {@link Quipu.getPopulatorEnvironmentList}. */
export interface GetPopulatorEnvironmentListParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.postPopulatorEnvironmentRemove}. */
export interface PostPopulatorEnvironmentRemoveParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the environment. */
  environment_id: string;
  /** Id of the template. */
  template_id: string;
}

/** Parameters of {@link Quipu.getPopulatorTemplates}. */
export interface GetPopulatorTemplatesParams {
  /** Id of the app. */
  app_id: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** Id of the template. */
  template_id?: string;
  /** Platform of templates. */
  platform_type?: string;
}

/** Parameters of {@link Quipu.postRender}. */
export interface PostRenderParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the document. */
  id?: string;
  /** The page of the dashboard. */
  route?: string;
  /** Name of a view, or of a page of the dashboard. */
  view?: string;
}

/** Parameters of {@link Quipu.getRetention}. */
export interface GetRetentionParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** The event that starts it. */
  start?: Json;
  /** The event that users come back with. */
  return?: Json;
  /** Which occurrence of the start counts: each, or the first ever. */
  start_type?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Which form of the calculation. */
  mode?: string;
  /** Unit of time. */
  unit?: "daily" | "weekly" | "monthly";
  /** Groups of days, such as `[[0,0],[1,6],[7,29]]`. */
  brackets?: Json;
  /** How many units. */
  span?: number;
  /** A user who comes back later counts for each unit before, too. */
  rolling?: boolean;
  /** The property that results are divided by. */
  breakdown?: string;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** The property whose sums are shown in place of users. */
  value?: string;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getRetentionActivity}. */
export interface GetRetentionActivityParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Keys of events. */
  events?: Json;
  /** Unit of time. */
  unit?: "daily" | "weekly" | "monthly";
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getRetentionPeople}. */
export interface GetRetentionPeopleParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** The event that starts it. */
  start?: Json;
  /** The event that users come back with. */
  return?: Json;
  /** Which occurrence of the start counts: each, or the first ever. */
  start_type?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Which form of the calculation. */
  mode?: string;
  /** Unit of time. */
  unit?: "daily" | "weekly" | "monthly";
  /** Groups of days, such as `[[0,0],[1,6],[7,29]]`. */
  brackets?: Json;
  /** How many units. */
  span?: number;
  /** A user who comes back later counts for each unit before, too. */
  rolling?: boolean;
  /** The property that results are divided by. */
  breakdown?: string;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** The property whose sums are shown in place of users. */
  value?: string;
  /** The row of the table whose users are listed. */
  cohort?: string;
  /** Number of the group of days. */
  bracket?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getRevenue}. */
export interface GetRevenueParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Moment that the period is counted from, in s or ms since 1970. */
  timestamp?: number;
  /** Distance of the client from UTC, in minutes west. */
  periodOffset?: number;
  /** Keys of events. */
  events?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getRevenueLtv}. */
export interface GetRevenueLtvParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Keys of events. */
  events?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Unit of time. */
  unit?: "daily" | "weekly" | "monthly";
  /** Ages in units, at which values are shown. */
  ages?: Json;
  /** The property that results are divided by. */
  breakdown?: string;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getRevenueReport}. */
export interface GetRevenueReportParams {
  /** Id of the app. */
  app_id: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Zone of days and hours, an IANA name or an offset; that of the app without it. */
  timezone?: string;
  /** Keys of events. */
  events?: Json;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  filter?: Json;
  /** Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`. */
  bucket?: string;
  /** The property that results are divided by. */
  breakdown?: string;
  /** How many values of the property are shown; the others are one group. */
  breakdown_limit?: number;
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** The period that is compared with, and how. */
  compare?: Json;
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getSdk}. */
export interface GetSdkParams {
  /** How many requests the queue of the client still holds. */
  rr?: number;
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Id of the device, as clients send it. */
  device_id: string;
  /** Which of several requests of this path. */
  method: string;
  /** Names of values. */
  keys?: Json;
  /** Name of one value. */
  key?: string;
}

/** Parameters of {@link Quipu.getSdkContent}. */
export interface GetSdkContentParams {
  /** How many requests the queue of the client still holds. */
  rr?: number;
  /** Key of the app, as clients send it. */
  app_key: string;
  /** Id of the device, as clients send it. */
  device_id: string;
  /** Sizes of the screen: `{"portrait":{"width":390,"height":844}}`. */
  resolution: Json;
}

/** Parameters of {@link Quipu.getServerStatsDataPoints}. */
export interface GetServerStatsDataPointsParams {
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the app; all apps without it. */
  selected_app?: string;
}

/** Parameters of {@link Quipu.getServerStatsPunchCard}. */
export interface GetServerStatsPunchCardParams {
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the app; all apps without it. */
  selected_app?: string;
}

/** Parameters of {@link Quipu.getServerStatsTop}. */
export interface GetServerStatsTopParams {
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Id of the app; all apps without it. */
  selected_app?: string;
}

/** Parameters of {@link Quipu.getSlipping}. */
export interface GetSlippingParams {
  /** Id of the app. */
  app_id: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
}

/** Parameters of {@link Quipu.getSql}. */
export interface GetSqlParams {
  /** Id of the app. */
  app_id: string;
  /** The statement. */
  sql: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** How many rows at most. */
  limit?: number;
  /** The form of rows. */
  form?: "lists" | "objects";
  /** Name of the report. */
  report_name?: string;
  /** Description of the report. */
  report_desc?: string;
  /** The period in words. */
  period_desc?: string;
}

/** Parameters of {@link Quipu.getSqlQueries}. */
export interface GetSqlQueriesParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getSqlSchema}. */
export interface GetSqlSchemaParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getSurveysNpsWidget}. */
export interface GetSurveysNpsWidgetParams {
  /** Id of the widget. */
  widget_id?: string;
  /** Ids of widgets. */
  widget_ids?: string;
}

/** Parameters of {@link Quipu.getSurveysRatingWidget}. */
export interface GetSurveysRatingWidgetParams {
  /** Id of the widget. */
  widget_id?: string;
  /** Ids of widgets. */
  widget_ids?: string;
}

/** Parameters of {@link Quipu.getSurveysSurveyWidget}. */
export interface GetSurveysSurveyWidgetParams {
  /** Id of the widget. */
  widget_id?: string;
  /** Ids of widgets. */
  widget_ids?: string;
}

/** Parameters of {@link Quipu.getSymbolicationTestSymbolicationConnection}. */
export interface GetSymbolicationTestSymbolicationConnectionParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getSymbolicationTestSymbolicationEndpoints}. */
export interface GetSymbolicationTestSymbolicationEndpointsParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getSymbolicationTestSymbolicationKey}. */
export interface GetSymbolicationTestSymbolicationKeyParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getSymbolicationTestSymbolicationReturnConnection}. */
export interface GetSymbolicationTestSymbolicationReturnConnectionParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.getSystemHealthcheck}. */
export interface GetSystemHealthcheckParams {
  /** The conditions that must hold, as JSON or by name. */
  test: string;
}

/** Parameters of {@link Quipu.getSystemKafkaEvents}. */
export interface GetSystemKafkaEventsParams {
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getTasksAll}. */
export interface GetTasksAllParams {
  /** Id of the app. */
  app_id?: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Ids of apps, separated by commas. */
  app_ids?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Tasks that read rows, or those that do not. */
  data_source?: "drill" | "non_drill";
}

/** Parameters of {@link Quipu.getTasksCheck}. */
export interface GetTasksCheckParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.getTasksCount}. */
export interface GetTasksCountParams {
  /** Id of the app. */
  app_id?: string;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Ids of apps, separated by commas. */
  app_ids?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Tasks that read rows, or those that do not. */
  data_source?: "drill" | "non_drill";
}

/** Parameters of {@link Quipu.getTasksList}. */
export interface GetTasksListParams {
  /** Id of the app. */
  app_id?: string;
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
  /** A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`. */
  query?: Json;
  /** Ids of apps, separated by commas. */
  app_ids?: string;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Tasks that read rows, or those that do not. */
  data_source?: "drill" | "non_drill";
}

/** Parameters of {@link Quipu.getTasksTask}. */
export interface GetTasksTaskParams {
  /** Id of the app. */
  app_id?: string;
  /** Id of the task; the result of a task is answered at once. */
  task_id: string;
}

/** Parameters of {@link Quipu.getTokenCheck}. */
export interface GetTokenCheckParams {
  /** The token. */
  token: string;
}

/** Parameters of {@link Quipu.getTokenList}. */
export interface GetTokenListParams {
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getUsersAll}. */
export interface GetUsersAllParams {
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getUsersId}. */
export interface GetUsersIdParams {
  /** Id of the document. */
  id: string;
}

/** Parameters of {@link Quipu.getUsersPermissions}. */
export interface GetUsersPermissionsParams {
  /** Id of the app. */
  app_id?: string;
}

/** Parameters of {@link Quipu.postUsersResetTimeban}. */
export interface PostUsersResetTimebanParams {
  /** User name of the member. */
  username: string;
}

/** Parameters of {@link Quipu.getUsersSessions}. */
export interface GetUsersSessionsParams {
  /** How many rows are left out at the start. */
  iDisplayStart?: number;
  /** How many rows at most; a negative number for as many as the list allows. */
  iDisplayLength?: number;
  /** Text that rows are searched for. */
  sSearch?: string;
  /** Number of the column that rows are sorted by. */
  iSortCol_0?: number;
  /** Direction of sorting. */
  sSortDir_0?: "asc" | "desc";
  /** Order: `{"name":-1}`, or the name of a column. */
  sort?: Json;
  /** Number that the answer repeats; where a list has another form, it makes it a table. */
  sEcho?: number;
}

/** Parameters of {@link Quipu.getPixel}. */
export interface GetPixelParams {
  /** Key of the app. */
  app_key: string;
  /** Id of the device. */
  device_id: string;
}

/** The operations of the API. */
export class Quipu extends Base {
  /** Key of a member by name and password. The answer is the key as text.
   * `GET /api-key` */
  getAPIKey(): Promise<Blob> {
    return this.raw('GET', '/api-key');
  }

  /** Take what SDKs of Sentry send. Needs no credentials of a member.
   * `GET /api/{project}/envelope` */
  getApiProjectEnvelope(p: GetApiProjectEnvelopeParams): Promise<Blob> {
    return this.raw('GET', '/api/{project}/envelope', p, { sentry_key: 'query', project: 'path' });
  }

  /** Take a minidump as Crashpad and SDKs of Sentry upload it. Needs no credentials of a member.
   * `GET /api/{project}/minidump` */
  getApiProjectMinidump(p: GetApiProjectMinidumpParams): Promise<Blob> {
    return this.raw('GET', '/api/{project}/minidump', p, { sentry_key: 'query', project: 'path' });
  }

  /** Take an event of older SDKs of Sentry. Needs no credentials of a member.
   * `GET /api/{project}/store` */
  getApiProjectStore(p: GetApiProjectStoreParams): Promise<Blob> {
    return this.raw('GET', '/api/{project}/store', p, { sentry_key: 'query', project: 'path' });
  }

  /** Icon of an app. Needs no credentials of a member.
   * `GET /appimages/{file}` */
  getAppimagesFile(p: GetAppimagesFileParams): Promise<Blob> {
    return this.raw('GET', '/appimages/{file}', p, { file: 'path' });
  }

  /** Follow the link of a campaign. Needs no credentials of a member.
   * `GET /campaign/{id}` */
  getCampaignId(p: GetCampaignIdParams): Promise<Blob> {
    return this.raw('GET', '/campaign/{id}', p, { id: 'path' });
  }

  /** Public page of a shared crash. Needs no credentials of a member.
   * `GET /crash/{url}` */
  getCrashUrl(p: GetCrashUrlParams): Promise<Blob> {
    return this.raw('GET', '/crash/{url}', p, { url: 'path' });
  }

  /** Page of a feedback widget. Needs no credentials of a member.
   * `GET /feedback` */
  getFeedback(): Promise<Blob> {
    return this.raw('GET', '/feedback');
  }

  /** Page of a widget for recommendations. Needs no credentials of a member.
   * `GET /feedback/nps` */
  getFeedbackNps(): Promise<Blob> {
    return this.raw('GET', '/feedback/nps');
  }

  /** Page of a widget for ratings. Needs no credentials of a member.
   * `GET /feedback/rating` */
  getFeedbackRating(): Promise<Blob> {
    return this.raw('GET', '/feedback/rating');
  }

  /** Page of a survey. Needs no credentials of a member.
   * `GET /feedback/survey` */
  getFeedbackSurvey(): Promise<Blob> {
    return this.raw('GET', '/feedback/survey');
  }

  /** Send a request of a client. Sessions, events, crashes and properties of one user. The answer comes when the request is on disk.
   * `POST /i` */
  postI(p: PostIParams): Promise<Stored> {
    return this.call('POST', '/i', p, { 'Idempotency-Key': 'header', aid: 'body', android_token: 'body', apm: 'body', app_key: 'body', attribution_data: 'body', av: 'body', begin_session: 'body', campaign_id: 'body', campaign_user: 'body', checksum: 'body', checksum256: 'body', city: 'body', consent: 'body', country_code: 'body', crash: 'body', device_id: 'body', dow: 'body', end_session: 'body', events: 'body', hc: 'body', hour: 'body', ignore_cooldown: 'body', ios_token: 'body', ip: 'body', ip_address: 'body', key: 'body', keys: 'body', location: 'body', method: 'body', metrics: 'body', old_device_id: 'body', receipt: 'body', region: 'body', rr: 'body', sdk_name: 'body', sdk_version: 'body', session_duration: 'body', t: 'body', test_mode: 'body', timestamp: 'body', token_provider: 'body', token_session: 'body', tz: 'body', user_details: 'body', variant: 'body' });
  }

  /** Forget remembered answers. Needs the right to read `active_users`. Global administrators may leave out `app_id`.
   * `POST /i/active_users/clear_active_users_cache` */
  postActiveUsersClearActiveUsersCache(p: PostActiveUsersClearActiveUsersCacheParams = {}): Promise<Result> {
    return this.call('POST', '/i/active_users/clear_active_users_cache', p, { all_apps: 'body', app_id: 'body' });
  }

  /** Take a postback of Adjust. Needs no credentials of a member.
   * `POST /i/adjust` */
  postAdjust(p: PostAdjustParams): Promise<Json> {
    return this.call('POST', '/i/adjust', p, { adgroup_name: 'body', adjust_id: 'body', app_key: 'body', campaign_name: 'body', click_time: 'body', creative_name: 'body', event: 'body', first_tracker_name: 'body', installed_at: 'body', last_tracker_name: 'body', network_name: 'body', outdated_tracker_name: 'body', tracker_name: 'body' });
  }

  /** Create a user. Needs the right to create `core`.
   * `POST /i/app_users/create` */
  postAppUsersCreate(p: PostAppUsersCreateParams): Promise<Result> {
    return this.call('POST', '/i/app_users/create', p, { app_id: 'body', data: 'body' });
  }

  /** Delete users. Needs the right to delete `core`.
   * `POST /i/app_users/delete` */
  postAppUsersDelete(p: PostAppUsersDeleteParams): Promise<Result> {
    return this.call('POST', '/i/app_users/delete', p, { app_id: 'body', force: 'body', query: 'body', update: 'body' });
  }

  /** Delete an export of a user whose name is missing. Needs the right to update `users`.
   * `POST /i/app_users/deleteExport` */
  postAppUsersDeleteExport(p: PostAppUsersDeleteExportParams): Promise<Result> {
    return this.call('POST', '/i/app_users/deleteExport', p, { app_id: 'body' });
  }

  /** Delete an export of a user. Needs the right to update `users`.
   * `POST /i/app_users/deleteExport/{id}` */
  postAppUsersDeleteExportId(p: PostAppUsersDeleteExportIdParams): Promise<Result> {
    return this.call('POST', '/i/app_users/deleteExport/{id}', p, { id: 'path', app_id: 'body' });
  }

  /** Export all data of users. Needs the right to update `users`.
   * `POST /i/app_users/export` */
  postAppUsersExport(p: PostAppUsersExportParams): Promise<Json> {
    return this.call('POST', '/i/app_users/export', p, { app_id: 'body', query: 'body' });
  }

  /** Change users. Needs the right to update `core`.
   * `POST /i/app_users/update` */
  postAppUsersUpdate(p: PostAppUsersUpdateParams): Promise<Result> {
    return this.call('POST', '/i/app_users/update', p, { app_id: 'body', force: 'body', query: 'body', update: 'body' });
  }

  /** Create an app. For global administrators. Files stand in a form beside the parameters.
   * `POST /i/apps/create` */
  postAppsCreate(p: PostAppsCreateParams): Promise<AppsCreated> {
    return this.call('POST', '/i/apps/create', p, { app_image: 'body', args: 'body' });
  }

  /** Delete an app with its data. For global administrators.
   * `POST /i/apps/delete` */
  postAppsDelete(p: PostAppsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/apps/delete', p, { args: 'body' });
  }

  /** Delete data of an app. For global administrators.
   * `POST /i/apps/reset` */
  postAppsReset(p: PostAppsResetParams): Promise<Result> {
    return this.call('POST', '/i/apps/reset', p, { args: 'body' });
  }

  /** Change an app. For administrators of the app. The app is the field `app_id` of `args`, or else the parameter `app_id`. Files stand in a form beside the parameters.
   * `POST /i/apps/update` */
  postAppsUpdate(p: PostAppsUpdateParams): Promise<Json> {
    return this.call('POST', '/i/apps/update', p, { app_id: 'body', app_image: 'body', args: 'body' });
  }

  /** Change settings of an app. For administrators of the app.
   * `POST /i/apps/update/plugins` */
  postAppsUpdatePlugins(p: PostAppsUpdatePluginsParams): Promise<Json> {
    return this.call('POST', '/i/apps/update/plugins', p, { app_id: 'body', args: 'body' });
  }

  /** Send several requests of clients. Each is a request as of `/i`; `app_key` and other parameters beside `requests` hold for those that have none. The answer is success when all were looked at; what became of each is in `/o/ingest/outcomes`.
   * `POST /i/bulk` */
  postBulk(p: PostBulkParams): Promise<Stored> {
    return this.call('POST', '/i/bulk', p, { 'Idempotency-Key': 'header', app_key: 'body', receipt: 'body', requests: 'body' });
  }

  /** Delete a calculated metric. Needs the right to delete `formulas`.
   * `POST /i/calculated_metrics/delete` */
  postCalculatedMetricsDelete(p: PostCalculatedMetricsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/calculated_metrics/delete', p, { app_id: 'body', id: 'body' });
  }

  /** Create or change a calculated metric. Needs the right to create `formulas`.
   * `POST /i/calculated_metrics/save` */
  postCalculatedMetricsSave(p: PostCalculatedMetricsSaveParams): Promise<FormulasSaved> {
    return this.call('POST', '/i/calculated_metrics/save', p, { app_id: 'body', metric: 'body' });
  }

  /** Import what campaigns cost. Needs the right to update `attribution`. Files stand in a form beside the parameters.
   * `POST /i/campaign/costs` */
  postCampaignCosts(p: PostCampaignCostsParams): Promise<AttributionCostsRes | Json> {
    return this.call('POST', '/i/campaign/costs', p, { app_id: 'body', data: 'body', file: 'body' });
  }

  /** Create a campaign. Needs the right to create `attribution`.
   * `POST /i/campaign/create` */
  postCampaignCreate(p: PostCampaignCreateParams): Promise<Result> {
    return this.call('POST', '/i/campaign/create', p, { app_id: 'body', args: 'body' });
  }

  /** Delete a campaign with its clicks. Needs the right to delete `attribution`.
   * `POST /i/campaign/delete` */
  postCampaignDelete(p: PostCampaignDeleteParams): Promise<Result> {
    return this.call('POST', '/i/campaign/delete', p, { app_id: 'body', args: 'body' });
  }

  /** Hide a campaign. Needs the right to update `attribution`.
   * `POST /i/campaign/hide` */
  postCampaignHide(p: PostCampaignHideParams): Promise<Result> {
    return this.call('POST', '/i/campaign/hide', p, { app_id: 'body', args: 'body' });
  }

  /** Show a hidden campaign. Needs the right to update `attribution`.
   * `POST /i/campaign/show` */
  postCampaignShow(p: PostCampaignShowParams): Promise<Result> {
    return this.call('POST', '/i/campaign/show', p, { app_id: 'body', args: 'body' });
  }

  /** Change a campaign. Needs the right to update `attribution`.
   * `POST /i/campaign/update` */
  postCampaignUpdate(p: PostCampaignUpdateParams): Promise<Result> {
    return this.call('POST', '/i/campaign/update', p, { app_id: 'body', args: 'body' });
  }

  /** Delete entries of content. Needs the right to delete `core`.
   * `POST /i/cms/clear` */
  postCmsClear(p: PostCmsClearParams): Promise<Result> {
    return this.call('POST', '/i/cms/clear', p, { _id: 'body', app_id: 'body' });
  }

  /** Store entries of content. Needs the right to create `core`.
   * `POST /i/cms/save_entries` */
  postCmsSaveEntries(p: PostCmsSaveEntriesParams): Promise<Result> {
    return this.call('POST', '/i/cms/save_entries', p, { app_id: 'body', entries: 'body' });
  }

  /** Create a cohort or a profile group. Needs the right to create `cohorts` or `profile_groups`.
   * `POST /i/cohorts/add` */
  postCohortsAdd(p: PostCohortsAddParams): Promise<CohortsAdded> {
    return this.call('POST', '/i/cohorts/add', p, { app_id: 'body', cohort_desc: 'body', cohort_name: 'body', shared_email_edit: 'body', steps: 'body', type: 'body', user_segmentation: 'body', visibility: 'body' });
  }

  /** Put users into a profile group. Needs the right to update `profile_groups`. Files stand in a form beside the parameters.
   * `POST /i/cohorts/add_users` */
  postCohortsAddUsers(p: PostCohortsAddUsersParams): Promise<CohortsReport> {
    return this.call('POST', '/i/cohorts/add_users', p, { app_id: 'body', cohort: 'body', file: 'body', query: 'body', text: 'body', uids: 'body' });
  }

  /** Remove what deleted cohorts left on users. Needs the right to update `cohorts`.
   * `POST /i/cohorts/cleanup` */
  postCohortsCleanup(p: PostCohortsCleanupParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/cleanup', p, { app_id: 'body' });
  }

  /** Delete a cohort. Needs the right to delete `cohorts` or `profile_groups`.
   * `POST /i/cohorts/delete` */
  postCohortsDelete(p: PostCohortsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/delete', p, { app_id: 'body', cohort_id: 'body' });
  }

  /** Choose the metrics that the page of a cohort shows. Needs the right to update `cohorts`.
   * `POST /i/cohorts/detail_metrics` */
  postCohortsDetailMetrics(p: PostCohortsDetailMetricsParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/detail_metrics', p, { app_id: 'body', cohort_id: 'body', detail_metrics: 'body' });
  }

  /** Change a cohort. Needs the right to create `cohorts` or `profile_groups`.
   * `POST /i/cohorts/edit` */
  postCohortsEdit(p: PostCohortsEditParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/edit', p, { app_id: 'body', cohort_desc: 'body', cohort_id: 'body', cohort_name: 'body', shared_email_edit: 'body', steps: 'body', user_segmentation: 'body', visibility: 'body' });
  }

  /** Accepted for compatibility; nothing is to be repaired. Needs the right to update `cohorts`.
   * `POST /i/cohorts/fixuid` */
  postCohortsFixuid(p: PostCohortsFixuidParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/fixuid', p, { app_id: 'body' });
  }

  /** Put a cohort into groups. Needs the right to update `cohorts`.
   * `POST /i/cohorts/group` */
  postCohortsGroup(p: PostCohortsGroupParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/group', p, { app_id: 'body', cohort_id: 'body', groups: 'body' });
  }

  /** Calculate a cohort again. Needs the right to update `cohorts`.
   * `POST /i/cohorts/recalculate` */
  postCohortsRecalculate(p: PostCohortsRecalculateParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/recalculate', p, { app_id: 'body', cohort_id: 'body' });
  }

  /** Take users out of a profile group. Needs the right to update `profile_groups`. Files stand in a form beside the parameters.
   * `POST /i/cohorts/remove_users` */
  postCohortsRemoveUsers(p: PostCohortsRemoveUsersParams): Promise<CohortsReport> {
    return this.call('POST', '/i/cohorts/remove_users', p, { app_id: 'body', cohort: 'body', file: 'body', query: 'body', text: 'body', uids: 'body' });
  }

  /** Accepted for compatibility; nothing is kept that could be reset. Needs the right to update `cohorts`.
   * `POST /i/cohorts/resetRealTimeData` */
  postCohortsResetRealTimeData(p: PostCohortsResetRealTimeDataParams): Promise<Result> {
    return this.call('POST', '/i/cohorts/resetRealTimeData', p, { app_id: 'body' });
  }

  /** Delete an alert. Needs the right to delete `alerts`.
   * `POST /i/concurrent_alert/delete` */
  postConcurrentAlertDelete(p: PostConcurrentAlertDeleteParams): Promise<Result> {
    return this.call('POST', '/i/concurrent_alert/delete', p, { alertId: 'body', app_id: 'body' });
  }

  /** Keep or change an alert. Needs the right to create `alerts`.
   * `POST /i/concurrent_alert/save` */
  postConcurrentAlertSave(p: PostConcurrentAlertSaveParams): Promise<Json> {
    return this.call('POST', '/i/concurrent_alert/save', p, { alert: 'body', app_id: 'body' });
  }

  /** Switch alerts on and off. Needs the right to update `alerts`.
   * `POST /i/concurrent_alert/status` */
  postConcurrentAlertStatus(p: PostConcurrentAlertStatusParams): Promise<boolean> {
    return this.call('POST', '/i/concurrent_alert/status', p, { app_id: 'body', status: 'body' });
  }

  /** Forget the most users ever online. Needs the right to update `concurrent_users`.
   * `POST /i/concurrent_users_max/reset` */
  postConcurrentUsersMaxReset(p: PostConcurrentUsersMaxResetParams): Promise<Result> {
    return this.call('POST', '/i/concurrent_users_max/reset', p, { app_id: 'body' });
  }

  /** Change settings of the server. For global administrators.
   * `POST /i/configs` */
  postConfigs(p: PostConfigsParams): Promise<Record<string, Record<string, Json>>> {
    return this.call('POST', '/i/configs', p, { configs: 'body' });
  }

  /** Upload symbol files of a build. Needs the right to create `crashes`. Files stand in a form beside the parameters.
   * `POST /i/crash_symbols/add_symbol` */
  postCrashSymbolsAddSymbol(p: PostCrashSymbolsAddSymbolParams): Promise<SymbolicationAdded> {
    return this.call('POST', '/i/crash_symbols/add_symbol', p, { app_id: 'body', build: 'body', note: 'body', platform: 'body', sym_tool_ver: 'body', symbols: 'body' });
  }

  /** Change or replace symbol files of a build. Needs the right to update `crashes`. Files stand in a form beside the parameters.
   * `POST /i/crash_symbols/edit_symbol` */
  postCrashSymbolsEditSymbol(p: PostCrashSymbolsEditSymbolParams): Promise<Result> {
    return this.call('POST', '/i/crash_symbols/edit_symbol', p, { app_id: 'body', build: 'body', keepSymbols: 'body', note: 'body', platform: 'body', sym_tool_ver: 'body', symbol_id: 'body', symbols: 'body' });
  }

  /** Delete symbol files of a build. Needs the right to delete `crashes`.
   * `POST /i/crash_symbols/remove_symbol` */
  postCrashSymbolsRemoveSymbol(p: PostCrashSymbolsRemoveSymbolParams): Promise<Result> {
    return this.call('POST', '/i/crash_symbols/remove_symbol', p, { app_id: 'body', id: 'body' });
  }

  /** Take the result of a symbolication server. Needs no credentials of a member.
   * `POST /i/crash_symbols/symbolicatation_result` */
  postCrashSymbolsSymbolicatationResult(p: PostCrashSymbolsSymbolicatationResultParams): Promise<Json> {
    return this.call('POST', '/i/crash_symbols/symbolicatation_result', p, { jobId: 'body', symbRes: 'body', symbolication_test: 'body' });
  }

  /** Symbolicate a crash group. Needs the right to update `crashes`.
   * `POST /i/crash_symbols/symbolicate` */
  postCrashSymbolsSymbolicate(p: PostCrashSymbolsSymbolicateParams): Promise<Result> {
    return this.call('POST', '/i/crash_symbols/symbolicate', p, { app_id: 'body', crashgroup_id: 'body', return_url: 'body', symbol_id: 'body' });
  }

  /** Upload symbol files by the key of the app. Needs no credentials of a member. Files stand in a form beside the parameters.
   * `POST /i/crash_symbols/upload_symbol` */
  postCrashSymbolsUploadSymbol(p: PostCrashSymbolsUploadSymbolParams): Promise<SymbolicationAdded> {
    return this.call('POST', '/i/crash_symbols/upload_symbol', p, { app_key: 'body', build: 'body', note: 'body', platform: 'body', sym_tool_ver: 'body', symbols: 'body' });
  }

  /** Comment on a crash group. Needs the right to create `crashes`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/crashes/add_comment` */
  postCrashesAddComment(p: PostCrashesAddCommentParams): Promise<Json> {
    return this.call('POST', '/i/crashes/add_comment', p, { app_id: 'body', args: 'body' });
  }

  /** Delete crash groups. Needs the right to delete `crashes`.
   * `POST /i/crashes/delete` */
  postCrashesDelete(p: PostCrashesDeleteParams): Promise<Json> {
    return this.call('POST', '/i/crashes/delete', p, { app_id: 'body', args: 'body' });
  }

  /** Delete a comment on a crash group. Needs the right to delete `crashes`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/crashes/delete_comment` */
  postCrashesDeleteComment(p: PostCrashesDeleteCommentParams): Promise<Json> {
    return this.call('POST', '/i/crashes/delete_comment', p, { app_id: 'body', args: 'body' });
  }

  /** Change a comment on a crash group. Needs the right to update `crashes`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/crashes/edit_comment` */
  postCrashesEditComment(p: PostCrashesEditCommentParams): Promise<Json> {
    return this.call('POST', '/i/crashes/edit_comment', p, { app_id: 'body', args: 'body' });
  }

  /** Hide crash groups. Needs the right to update `crashes`.
   * `POST /i/crashes/hide` */
  postCrashesHide(p: PostCrashesHideParams): Promise<Json> {
    return this.call('POST', '/i/crashes/hide', p, { app_id: 'body', args: 'body' });
  }

  /** Merge crash groups into the first of them. Needs the right to update `crashes`.
   * `POST /i/crashes/merge` */
  postCrashesMerge(p: PostCrashesMergeParams): Promise<Json> {
    return this.call('POST', '/i/crashes/merge', p, { app_id: 'body', args: 'body' });
  }

  /** Choose what the public page of a crash group shows. Needs the right to update `crashes`.
   * `POST /i/crashes/modify_share` */
  postCrashesModifyShare(p: PostCrashesModifyShareParams): Promise<Json> {
    return this.call('POST', '/i/crashes/modify_share', p, { app_id: 'body', args: 'body' });
  }

  /** Mark crash groups as resolved. Needs the right to update `crashes`.
   * `POST /i/crashes/resolve` */
  postCrashesResolve(p: PostCrashesResolveParams): Promise<Json> {
    return this.call('POST', '/i/crashes/resolve', p, { app_id: 'body', args: 'body' });
  }

  /** Mark crash groups as being resolved. Needs the right to update `crashes`.
   * `POST /i/crashes/resolving` */
  postCrashesResolving(p: PostCrashesResolvingParams): Promise<Json> {
    return this.call('POST', '/i/crashes/resolving', p, { app_id: 'body', args: 'body' });
  }

  /** Change the rules for crash groups, by a task. Needs the right to update `crashes`.
   * `POST /i/crashes/rules` */
  postCrashesRules(p: PostCrashesRulesParams): Promise<CrashesTaskRes> {
    return this.call('POST', '/i/crashes/rules', p, { app_id: 'body', rules: 'body', version: 'body' });
  }

  /** Publish the page of a crash group. Needs the right to update `crashes`.
   * `POST /i/crashes/share` */
  postCrashesShare(p: PostCrashesShareParams): Promise<Json> {
    return this.call('POST', '/i/crashes/share', p, { app_id: 'body', args: 'body' });
  }

  /** Show hidden crash groups. Needs the right to update `crashes`.
   * `POST /i/crashes/show` */
  postCrashesShow(p: PostCrashesShowParams): Promise<Json> {
    return this.call('POST', '/i/crashes/show', p, { app_id: 'body', args: 'body' });
  }

  /** Split variants off a crash group. Needs the right to update `crashes`.
   * `POST /i/crashes/split` */
  postCrashesSplit(p: PostCrashesSplitParams): Promise<Json> {
    return this.call('POST', '/i/crashes/split', p, { app_id: 'body', args: 'body' });
  }

  /** Mark crash groups as unresolved. Needs the right to update `crashes`.
   * `POST /i/crashes/unresolve` */
  postCrashesUnresolve(p: PostCrashesUnresolveParams): Promise<Json> {
    return this.call('POST', '/i/crashes/unresolve', p, { app_id: 'body', args: 'body' });
  }

  /** Withdraw the public page of a crash group. Needs the right to update `crashes`.
   * `POST /i/crashes/unshare` */
  postCrashesUnshare(p: PostCrashesUnshareParams): Promise<Json> {
    return this.call('POST', '/i/crashes/unshare', p, { app_id: 'body', args: 'body' });
  }

  /** Mark crash groups as seen. Needs the right to update `crashes`.
   * `POST /i/crashes/view` */
  postCrashesView(p: PostCrashesViewParams): Promise<Json> {
    return this.call('POST', '/i/crashes/view', p, { app_id: 'body', args: 'body' });
  }

  /** Erase all data of a person. Needs the right to delete `users`.
   * `POST /i/data_subjects/erase` */
  postDataSubjectsErase(p: PostDataSubjectsEraseParams): Promise<AppusersStarted> {
    return this.call('POST', '/i/data_subjects/erase', p, { app_id: 'body', reason: 'body', uid: 'body' });
  }

  /** Export all data of a person. Needs the right to update `users`.
   * `POST /i/data_subjects/export` */
  postDataSubjectsExport(p: PostDataSubjectsExportParams): Promise<AppusersStarted> {
    return this.call('POST', '/i/data_subjects/export', p, { app_id: 'body', reason: 'body', uid: 'body' });
  }

  /** Create a date preset. Needs the right to create `core`.
   * `POST /i/date_presets/create` */
  postDatePresetsCreate(p: PostDatePresetsCreateParams): Promise<Record<string, Json>> {
    return this.call('POST', '/i/date_presets/create', p, { app_id: 'body', exclude_current_day: 'body', fav: 'body', name: 'body', preset_id: 'body', range: 'body', share_with: 'body', shared_email_edit: 'body', shared_email_view: 'body', shared_user_groups_edit: 'body', shared_user_groups_view: 'body', sort_order: 'body' });
  }

  /** Delete a date preset. Needs the right to delete `core`.
   * `POST /i/date_presets/delete` */
  postDatePresetsDelete(p: PostDatePresetsDeleteParams): Promise<DatepresetsDeleted> {
    return this.call('POST', '/i/date_presets/delete', p, { app_id: 'body', exclude_current_day: 'body', fav: 'body', name: 'body', preset_id: 'body', range: 'body', share_with: 'body', shared_email_edit: 'body', shared_email_view: 'body', shared_user_groups_edit: 'body', shared_user_groups_view: 'body', sort_order: 'body' });
  }

  /** Change a date preset. Needs the right to update `core`.
   * `POST /i/date_presets/update` */
  postDatePresetsUpdate(p: PostDatePresetsUpdateParams): Promise<Result> {
    return this.call('POST', '/i/date_presets/update', p, { app_id: 'body', exclude_current_day: 'body', fav: 'body', name: 'body', preset_id: 'body', range: 'body', share_with: 'body', shared_email_edit: 'body', shared_email_view: 'body', shared_user_groups_edit: 'body', shared_user_groups_view: 'body', sort_order: 'body' });
  }

  /** Create a defined event. Needs the right to create `defined_events`.
   * `POST /i/defined_events/create` */
  postDefinedEventsCreate(p: PostDefinedEventsCreateParams): Promise<Result> {
    return this.call('POST', '/i/defined_events/create', p, { app_id: 'body', description: 'body', events: 'body', hide: 'body', id: 'body', name: 'body' });
  }

  /** Delete a defined event. Needs the right to delete `defined_events`.
   * `POST /i/defined_events/delete` */
  postDefinedEventsDelete(p: PostDefinedEventsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/defined_events/delete', p, { app_id: 'body', force: 'body', id: 'body' });
  }

  /** Change a defined event. Needs the right to update `defined_events`.
   * `POST /i/defined_events/update` */
  postDefinedEventsUpdate(p: PostDefinedEventsUpdateParams): Promise<Result> {
    return this.call('POST', '/i/defined_events/update', p, { app_id: 'body', description: 'body', events: 'body', hide: 'body', id: 'body', name: 'body' });
  }

  /** Create a bookmark. Needs the right to read `drill`.
   * `POST /i/drill/add_bookmark` */
  postDrillAddBookmark(p: PostDrillAddBookmarkParams): Promise<Result> {
    return this.call('POST', '/i/drill/add_bookmark', p, { app_id: 'body', bookmark_id: 'body', by_val: 'body', by_val_text: 'body', desc: 'body', event_key: 'body', global: 'body', name: 'body', namespace: 'body', query_obj: 'body', query_text: 'body', visualization: 'body' });
  }

  /** Remove properties that no row has. Needs the right to update `drill`. Global administrators may leave out `app_id`.
   * `POST /i/drill/cleanup_meta` */
  postDrillCleanupMeta(p: PostDrillCleanupMetaParams = {}): Promise<Result> {
    return this.call('POST', '/i/drill/cleanup_meta', p, { all: 'body', all_apps: 'body', app_id: 'body', event: 'body', method: 'body', period: 'body', view_id: 'body', wait_to_finish: 'body' });
  }

  /** Delete a bookmark. Needs the right to read `drill`.
   * `POST /i/drill/delete_bookmark` */
  postDrillDeleteBookmark(p: PostDrillDeleteBookmarkParams): Promise<Result> {
    return this.call('POST', '/i/drill/delete_bookmark', p, { app_id: 'body', bookmark_id: 'body' });
  }

  /** Change a bookmark. Needs the right to read `drill`.
   * `POST /i/drill/edit_bookmark` */
  postDrillEditBookmark(p: PostDrillEditBookmarkParams): Promise<Result> {
    return this.call('POST', '/i/drill/edit_bookmark', p, { app_id: 'body', bookmark_id: 'body', by_val: 'body', by_val_text: 'body', desc: 'body', event_key: 'body', global: 'body', name: 'body', namespace: 'body', query_obj: 'body', query_text: 'body', visualization: 'body' });
  }

  /** Check which properties have too many values for a list. Needs the right to update `drill`. Global administrators may leave out `app_id`.
   * `POST /i/drill/recheck_lists` */
  postDrillRecheckLists(p: PostDrillRecheckListsParams = {}): Promise<Result> {
    return this.call('POST', '/i/drill/recheck_lists', p, { all: 'body', all_apps: 'body', app_id: 'body', event: 'body', method: 'body', period: 'body', view_id: 'body', wait_to_finish: 'body' });
  }

  /** Find the properties of events again. Needs the right to update `drill`. Global administrators may leave out `app_id`.
   * `POST /i/drill/regenerate_meta` */
  postDrillRegenerateMeta(p: PostDrillRegenerateMetaParams = {}): Promise<Result> {
    return this.call('POST', '/i/drill/regenerate_meta', p, { all: 'body', all_apps: 'body', app_id: 'body', event: 'body', method: 'body', period: 'body', view_id: 'body', wait_to_finish: 'body' });
  }

  /** Start one of the repairs of properties. Needs the right to create `drill`. Global administrators may leave out `app_id`.
   * `POST /i/drill/regeneration` */
  postDrillRegeneration(p: PostDrillRegenerationParams): Promise<Json> {
    return this.call('POST', '/i/drill/regeneration', p, { all: 'body', all_apps: 'body', app_id: 'body', event: 'body', method: 'body', period: 'body', view_id: 'body', wait_to_finish: 'body' });
  }

  /** Clear a log. For global administrators.
   * `POST /i/errorlogs` */
  postErrorlogs(p: PostErrorlogsParams): Promise<Result> {
    return this.call('POST', '/i/errorlogs', p, { log: 'body' });
  }

  /** Create an event group. Needs the right to create `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/event_groups/create` */
  postEventGroupsCreate(p: PostEventGroupsCreateParams): Promise<Result> {
    return this.call('POST', '/i/event_groups/create', p, { app_id: 'body', args: 'body' });
  }

  /** Delete event groups. Needs the right to delete `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/event_groups/delete` */
  postEventGroupsDelete(p: PostEventGroupsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/event_groups/delete', p, { app_id: 'body', args: 'body' });
  }

  /** Change, order or switch event groups. Needs the right to update `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/event_groups/update` */
  postEventGroupsUpdate(p: PostEventGroupsUpdateParams = {}): Promise<Result> {
    return this.call('POST', '/i/event_groups/update', p, { app_id: 'body', args: 'body', event_order: 'body', status: 'body', update_status: 'body' });
  }

  /** Show or hide events. Needs the right to update `events`.
   * `POST /i/events/change_visibility` */
  postEventsChangeVisibility(p: PostEventsChangeVisibilityParams): Promise<Result> {
    return this.call('POST', '/i/events/change_visibility', p, { app_id: 'body', events: 'body', set_visibility: 'body' });
  }

  /** Delete events with their data. Needs the right to delete `events`.
   * `POST /i/events/delete_events` */
  postEventsDeleteEvents(p: PostEventsDeleteEventsParams): Promise<Result> {
    return this.call('POST', '/i/events/delete_events', p, { app_id: 'body', events: 'body' });
  }

  /** Name, describe and order events. Needs the right to update `events`.
   * `POST /i/events/edit_map` */
  postEventsEditMap(p: PostEventsEditMapParams): Promise<Result> {
    return this.call('POST', '/i/events/edit_map', p, { app_id: 'body', event_map: 'body', event_order: 'body', event_overview: 'body', omitted_segments: 'body' });
  }

  /** Choose the segments that are kept. Needs the right to update `events`.
   * `POST /i/events/whitelist_segments` */
  postEventsWhitelistSegments(p: PostEventsWhitelistSegmentsParams): Promise<Result> {
    return this.call('POST', '/i/events/whitelist_segments', p, { app_id: 'body', whitelisted_segments: 'body' });
  }

  /** Delete a saved view. Needs the right to read `core`.
   * `POST /i/explore/views/delete` */
  postExploreViewsDelete(p: PostExploreViewsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/explore/views/delete', p, { app_id: 'body', view_id: 'body' });
  }

  /** Save a view. Needs the right to read `core`.
   * `POST /i/explore/views/save` */
  postExploreViewsSave(p: PostExploreViewsSaveParams): Promise<Result> {
    return this.call('POST', '/i/explore/views/save', p, { app_id: 'body', name: 'body', page: 'body', shared: 'body', state: 'body', view_id: 'body' });
  }

  /** Store the answer to a widget. Needs no credentials of a member.
   * `POST /i/feedback/input` */
  postFeedbackInput(p: PostFeedbackInputParams): Promise<Json> {
    return this.call('POST', '/i/feedback/input', p, { app_key: 'body', av: 'body', device_id: 'body', dow: 'body', events: 'body', hour: 'body', rr: 'body', sdk_name: 'body', sdk_version: 'body', t: 'body', timestamp: 'body', tz: 'body' });
  }

  /** Store answers to widgets. Needs no credentials of a member.
   * `POST /i/feedback/inputs` */
  postFeedbackInputs(p: PostFeedbackInputsParams): Promise<Json> {
    return this.call('POST', '/i/feedback/inputs', p, { app_key: 'body', av: 'body', device_id: 'body', dow: 'body', events: 'body', hour: 'body', rr: 'body', sdk_name: 'body', sdk_version: 'body', t: 'body', timestamp: 'body', tz: 'body' });
  }

  /** Calculate a flow. Needs the right to create `flows`.
   * `POST /i/flows/calculate` */
  postFlowsCalculate(p: PostFlowsCalculateParams): Promise<Result> {
    return this.call('POST', '/i/flows/calculate', p, { _id: 'body', app_id: 'body' });
  }

  /** Create a flow. Needs the right to create `flows`.
   * `POST /i/flows/create` */
  postFlowsCreate(p: PostFlowsCreateParams): Promise<Result> {
    return this.call('POST', '/i/flows/create', p, { app_id: 'body', disabled: 'body', end: 'body', exclude: 'body', name: 'body', options: 'body', period: 'body', start: 'body', type: 'body', user_segmentation: 'body' });
  }

  /** Delete a flow. Needs the right to create `flows`.
   * `POST /i/flows/delete` */
  postFlowsDelete(p: PostFlowsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/flows/delete', p, { _id: 'body', app_id: 'body' });
  }

  /** Change a flow. Needs the right to create `flows`.
   * `POST /i/flows/edit` */
  postFlowsEdit(p: PostFlowsEditParams): Promise<Result> {
    return this.call('POST', '/i/flows/edit', p, { _id: 'body', app_id: 'body', disabled: 'body', end: 'body', exclude: 'body', name: 'body', options: 'body', period: 'body', start: 'body', type: 'body', user_segmentation: 'body' });
  }

  /** Switch flows on or off. Needs the right to create `flows`.
   * `POST /i/flows/updateDisabled` */
  postFlowsUpdateDisabled(p: PostFlowsUpdateDisabledParams): Promise<Result> {
    return this.call('POST', '/i/flows/updateDisabled', p, { app_id: 'body', data: 'body' });
  }

  /** Create a funnel. Needs the right to create `funnels`.
   * `POST /i/funnels/add` */
  postFunnelsAdd(p: PostFunnelsAddParams): Promise<Result> {
    return this.call('POST', '/i/funnels/add', p, { app_id: 'body', funnel_desc: 'body', funnel_name: 'body', funnel_type: 'body', options: 'body', queries: 'body', queryTexts: 'body', stepGroups: 'body', steps: 'body' });
  }

  /** Delete a funnel. Needs the right to delete `funnels`.
   * `POST /i/funnels/delete` */
  postFunnelsDelete(p: PostFunnelsDeleteParams): Promise<Result> {
    return this.call('POST', '/i/funnels/delete', p, { app_id: 'body', funnel_id: 'body' });
  }

  /** Change a funnel. Needs the right to update `funnels`.
   * `POST /i/funnels/edit` */
  postFunnelsEdit(p: PostFunnelsEditParams): Promise<Result> {
    return this.call('POST', '/i/funnels/edit', p, { app_id: 'body', funnel_map: 'body' });
  }

  /** Put a funnel into groups. Needs the right to update `funnels`.
   * `POST /i/funnels/group` */
  postFunnelsGroup(p: PostFunnelsGroupParams): Promise<Result> {
    return this.call('POST', '/i/funnels/group', p, { app_id: 'body', funnel_id: 'body', groups: 'body' });
  }

  /** Start the inspector. For global administrators.
   * `POST /i/inspector/start` */
  postInspectorStart(): Promise<Result> {
    return this.call('POST', '/i/inspector/start');
  }

  /** Stop the inspector. For global administrators.
   * `POST /i/inspector/stop` */
  postInspectorStop(): Promise<Result> {
    return this.call('POST', '/i/inspector/stop');
  }

  /** Delete a note. Needs the right to delete `core`. Global administrators may leave out `app_id`.
   * `POST /i/notes/delete` */
  postNotesDelete(p: PostNotesDeleteParams): Promise<Result> {
    return this.call('POST', '/i/notes/delete', p, { app_id: 'body', note_id: 'body' });
  }

  /** Create or change a note. Needs the right to create `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/notes/save` */
  postNotesSave(p: PostNotesSaveParams): Promise<Result> {
    return this.call('POST', '/i/notes/save', p, { app_id: 'body', args: 'body' });
  }

  /** Switch features on or off. For global administrators.
   * `POST /i/plugins` */
  postPlugins(p: PostPluginsParams): Promise<Json> {
    return this.call('POST', '/i/plugins', p, { plugin: 'body' });
  }

  /** Store users of an environment. Needs the right to create `populator`.
   * `POST /i/populator/environment/save` */
  postPopulatorEnvironmentSave(p: PostPopulatorEnvironmentSaveParams): Promise<Result> {
    return this.call('POST', '/i/populator/environment/save', p, { app_id: 'body', setEnviromentInformationOnce: 'body', users: 'body' });
  }

  /** Load demo data into an app. Needs the right to create `populator`.
   * `POST /i/populator/load` */
  postPopulatorLoad(p: PostPopulatorLoadParams): Promise<Result> {
    return this.call('POST', '/i/populator/load', p, { app_id: 'body', days: 'body', environment_name: 'body', template_id: 'body', users: 'body' });
  }

  /** Create a template of demo data. Needs the right to create `populator`.
   * `POST /i/populator/templates/create` */
  postPopulatorTemplatesCreate(p: PostPopulatorTemplatesCreateParams): Promise<Result> {
    return this.call('POST', '/i/populator/templates/create', p, { app_id: 'body', behavior: 'body', events: 'body', isDefault: 'body', lastEditedBy: 'body', name: 'body', platformType: 'body', sequences: 'body', uniqueUserCount: 'body', users: 'body', views: 'body' });
  }

  /** Change a template of demo data. Needs the right to update `populator`.
   * `POST /i/populator/templates/edit` */
  postPopulatorTemplatesEdit(p: PostPopulatorTemplatesEditParams): Promise<Result> {
    return this.call('POST', '/i/populator/templates/edit', p, { app_id: 'body', behavior: 'body', events: 'body', generated_on: 'body', isDefault: 'body', name: 'body', platformType: 'body', sequences: 'body', template_id: 'body', uniqueUserCount: 'body', users: 'body', views: 'body' });
  }

  /** Delete a template of demo data. Needs the right to delete `populator`.
   * `POST /i/populator/templates/remove` */
  postPopulatorTemplatesRemove(p: PostPopulatorTemplatesRemoveParams): Promise<Result> {
    return this.call('POST', '/i/populator/templates/remove', p, { app_id: 'body', template_id: 'body' });
  }

  /** Download all profiles. For global administrators.
   * `POST /i/profiler/download-all` */
  postProfilerDownloadAll(): Promise<Blob> {
    return this.raw('POST', '/i/profiler/download-all');
  }

  /** List profiles. For global administrators.
   * `POST /i/profiler/list-files` */
  postProfilerListFiles(): Promise<Result> {
    return this.call('POST', '/i/profiler/list-files');
  }

  /** Start the profiler. For global administrators.
   * `POST /i/profiler/start` */
  postProfilerStart(): Promise<Result> {
    return this.call('POST', '/i/profiler/start');
  }

  /** Stop the profiler. For global administrators.
   * `POST /i/profiler/stop` */
  postProfilerStop(): Promise<Result> {
    return this.call('POST', '/i/profiler/stop');
  }

  /** Download a profile of the heap. For global administrators.
   * `POST /i/profiler/take-heap-snapshot` */
  postProfilerTakeHeapSnapshot(): Promise<Blob> {
    return this.raw('POST', '/i/profiler/take-heap-snapshot');
  }

  /** Answer what SDKs ask for or report. Needs no credentials of a member.
   * `POST /i/sdk` */
  postSdk(p: PostSdkParams): Promise<Json> {
    return this.call('POST', '/i/sdk', p, { app_key: 'body', device_id: 'body', key: 'body', keys: 'body', method: 'body', rr: 'body' });
  }

  /** Choose which settings of SDKs are enforced. Needs the right to update `sdk`.
   * `POST /i/sdk-config/update-enforcement` */
  postSdkConfigUpdateEnforcement(p: PostSdkConfigUpdateEnforcementParams): Promise<Result> {
    return this.call('POST', '/i/sdk-config/update-enforcement', p, { app_id: 'body', enforcement: 'body' });
  }

  /** Change settings of SDKs. Needs the right to update `sdk`.
   * `POST /i/sdk-config/update-parameter` */
  postSdkConfigUpdateParameter(p: PostSdkConfigUpdateParameterParams): Promise<Result> {
    return this.call('POST', '/i/sdk-config/update-parameter', p, { app_id: 'body', parameter: 'body' });
  }

  /** Delete a saved query. Needs the right to delete `sql`.
   * `POST /i/sql/delete` */
  postSqlDelete(p: PostSqlDeleteParams): Promise<Result> {
    return this.call('POST', '/i/sql/delete', p, { app_id: 'body', query_id: 'body' });
  }

  /** Keep a query, or change one. Needs the right to create `sql`.
   * `POST /i/sql/save` */
  postSqlSave(p: PostSqlSaveParams): Promise<Result> {
    return this.call('POST', '/i/sql/save', p, { app_id: 'body', chart: 'body', name: 'body', period: 'body', query_id: 'body', shared: 'body', sql: 'body' });
  }

  /** Write an entry of the audit log. For every member.
   * `POST /i/systemlogs` */
  postSystemlogs(p: PostSystemlogsParams): Promise<Result> {
    return this.call('POST', '/i/systemlogs', p, { action: 'body', data: 'body' });
  }

  /** Delete a task. Needs the right to delete `core`. Global administrators may leave out `app_id`.
   * `POST /i/tasks/delete` */
  postTasksDelete(p: PostTasksDeleteParams): Promise<Result> {
    return this.call('POST', '/i/tasks/delete', p, { app_id: 'body', task_id: 'body' });
  }

  /** Change a task. Needs the right to update `core`. Global administrators may leave out `app_id`.
   * `POST /i/tasks/edit` */
  postTasksEdit(p: PostTasksEditParams): Promise<Result> {
    return this.call('POST', '/i/tasks/edit', p, { app_id: 'body', autoRefresh: 'body', global: 'body', period_desc: 'body', report_desc: 'body', report_name: 'body', task_id: 'body' });
  }

  /** Name a task. Needs the right to update `core`. Global administrators may leave out `app_id`.
   * `POST /i/tasks/name` */
  postTasksName(p: PostTasksNameParams): Promise<Result> {
    return this.call('POST', '/i/tasks/name', p, { app_id: 'body', name: 'body', task_id: 'body' });
  }

  /** Run a task again. Needs the right to update `core`. Global administrators may leave out `app_id`.
   * `POST /i/tasks/update` */
  postTasksUpdate(p: PostTasksUpdateParams): Promise<Result> {
    return this.call('POST', '/i/tasks/update', p, { app_id: 'body', task_id: 'body' });
  }

  /** Create a token. For every member. Tokens that are limited to apps may be used.
   * `POST /i/token/create` */
  postTokenCreate(p: PostTokenCreateParams = {}): Promise<Result> {
    return this.call('POST', '/i/token/create', p, { app: 'body', apps: 'body', endpoint: 'body', endpointquery: 'body', multi: 'body', purpose: 'body', ttl: 'body' });
  }

  /** Delete a token. For every member. Tokens that are limited to apps may be used.
   * `POST /i/token/delete` */
  postTokenDelete(p: PostTokenDeleteParams): Promise<Result> {
    return this.call('POST', '/i/token/delete', p, { tokenid: 'body' });
  }

  /** Change settings of the caller. For global administrators.
   * `POST /i/userconfigs` */
  postUserconfigs(p: PostUserconfigsParams): Promise<Record<string, Record<string, Json>>> {
    return this.call('POST', '/i/userconfigs', p, { configs: 'body' });
  }

  /** Replace the API key of a member. For every member.
   * `POST /i/users/api_key/rotate` */
  postUsersApiKeyRotate(p: PostUsersApiKeyRotateParams = {}): Promise<MembersRotated> {
    return this.call('POST', '/i/users/api_key/rotate', p, { user_id: 'body' });
  }

  /** Create a member. For global administrators.
   * `POST /i/users/create` */
  postUsersCreate(p: PostUsersCreateParams): Promise<MembersAccount> {
    return this.call('POST', '/i/users/create', p, { args: 'body' });
  }

  /** Delete members. For global administrators.
   * `POST /i/users/delete` */
  postUsersDelete(p: PostUsersDeleteParams): Promise<Result> {
    return this.call('POST', '/i/users/delete', p, { args: 'body' });
  }

  /** Delete the account of the caller. For global administrators.
   * `POST /i/users/deleteOwnAccount` */
  postUsersDeleteOwnAccount(p: PostUsersDeleteOwnAccountParams): Promise<Result> {
    return this.call('POST', '/i/users/deleteOwnAccount', p, { password: 'body' });
  }

  /** Change the password of the caller. For every member.
   * `POST /i/users/password` */
  postUsersPassword(p: PostUsersPasswordParams): Promise<Result> {
    return this.call('POST', '/i/users/password', p, { new_pwd: 'body', old_pwd: 'body', rotate_key: 'body' });
  }

  /** End sessions of the caller. For every member.
   * `POST /i/users/sessions/end` */
  postUsersSessionsEnd(p: PostUsersSessionsEndParams = {}): Promise<Result> {
    return this.call('POST', '/i/users/sessions/end', p, { others: 'body', session_id: 'body' });
  }

  /** Change a member. For global administrators.
   * `POST /i/users/update` */
  postUsersUpdate(p: PostUsersUpdateParams): Promise<Result> {
    return this.call('POST', '/i/users/update', p, { args: 'body' });
  }

  /** Change the home page of the caller. For global administrators.
   * `POST /i/users/updateHomeSettings` */
  postUsersUpdateHomeSettings(p: PostUsersUpdateHomeSettingsParams): Promise<Result> {
    return this.call('POST', '/i/users/updateHomeSettings', p, { app_id: 'body', homeSettings: 'body' });
  }

  /** Rename, delete or trim views. Needs the right to read `views`.
   * `POST /i/views` */
  postViews(p: PostViewsParams): Promise<Json> {
    return this.call('POST', '/i/views', p, { app_id: 'body', data: 'body', method: 'body', omit_list: 'body', view_id: 'body' });
  }

  /** A picture that was taken of the dashboard. For every member.
   * `GET /images/screenshots/{file}` */
  getImagesScreenshotsFile(p: GetImagesScreenshotsFileParams): Promise<Blob> {
    return this.raw('GET', '/images/screenshots/{file}', p, { file: 'path' });
  }

  /** Whether the process runs. For probes of monitoring.
   * `GET /livez` */
  getLivez(): Promise<Blob> {
    return this.raw('GET', '/livez');
  }

  /** Clicks and scrolling on a page. Needs the right to read `views`.
   * `GET /o/actions` */
  getActions(p: GetActionsParams): Promise<ViewsActionsRes> {
    return this.call('GET', '/o/actions', p, { app_id: 'query', view: 'query', device: 'query', period: 'query', actionType: 'query', segment: 'query' });
  }

  /** Active users by day. Needs the right to read `active_users`. A read that takes too long goes on as a task.
   * `GET /o/active_users`. A read that takes too long throws a PendingError. */
  getActiveUsers(p: GetActiveUsersParams): Promise<ActiveusersTable | Json> {
    return this.call('GET', '/o/active_users', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', filter: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Active users by day, week and month, with averages and groups. Needs the right to read `active_users`. A read that takes too long goes on as a task.
   * `GET /o/active_users/report`. A read that takes too long throws a PendingError. */
  getActiveUsersReport(p: GetActiveUsersReportParams): Promise<ActiveusersReport | Json> {
    return this.call('GET', '/o/active_users/report', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', events: 'query', filter: 'query', breakdown: 'query', breakdown_limit: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Fault of an unknown read. Needs no credentials of a member.
   * `GET /o/analytics` */
  getAnalytics(p: GetAnalyticsParams = {}): Promise<Json> {
    return this.call('GET', '/o/analytics', p, { app_id: 'query' });
  }

  /** Figures of a period beside those of another. Needs the right to read `core`.
   * `GET /o/analytics/compare` */
  getAnalyticsCompare(p: GetAnalyticsCompareParams): Promise<Json> {
    return this.call('GET', '/o/analytics/compare', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Countries with the most users. Needs the right to read `core`.
   * `GET /o/analytics/countries` */
  getAnalyticsCountries(p: GetAnalyticsCountriesParams): Promise<Record<string, Array<QueryCountryRow>>> {
    return this.call('GET', '/o/analytics/countries', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Summary of three periods. Needs the right to read `core`.
   * `GET /o/analytics/dashboard` */
  getAnalyticsDashboard(p: GetAnalyticsDashboardParams): Promise<Record<string, QuerySummary | Json>> {
    return this.call('GET', '/o/analytics/dashboard', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Sessions by duration. Needs the right to read `core`.
   * `GET /o/analytics/durations` */
  getAnalyticsDurations(p: GetAnalyticsDurationsParams): Promise<Array<AnalyticsDurationRow>> {
    return this.call('GET', '/o/analytics/durations', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures of an event. Needs the right to read `core`.
   * `GET /o/analytics/events` */
  getAnalyticsEvents(p: GetAnalyticsEventsParams): Promise<Json> {
    return this.call('GET', '/o/analytics/events', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Summary of events. Needs the right to read `core`.
   * `GET /o/analytics/events/overview` */
  getAnalyticsEventsOverview(p: GetAnalyticsEventsOverviewParams): Promise<Record<string, QueryEventOverview | Json>> {
    return this.call('GET', '/o/analytics/events/overview', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Events with the most occurrences. Needs the right to read `core`.
   * `GET /o/analytics/events/top` */
  getAnalyticsEventsTop(p: GetAnalyticsEventsTopParams): Promise<Array<QueryTopEvent>> {
    return this.call('GET', '/o/analytics/events/top', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Sessions by time since the one before. Needs the right to read `core`.
   * `GET /o/analytics/frequency` */
  getAnalyticsFrequency(p: GetAnalyticsFrequencyParams): Promise<Array<AnalyticsFrequencyRow>> {
    return this.call('GET', '/o/analytics/frequency', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Sessions by number of the session. Needs the right to read `core`.
   * `GET /o/analytics/loyalty` */
  getAnalyticsLoyalty(p: GetAnalyticsLoyaltyParams): Promise<Array<AnalyticsLoyaltyRow>> {
    return this.call('GET', '/o/analytics/loyalty', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by value of a metric. Needs the right to read `core`.
   * `GET /o/analytics/metric` */
  getAnalyticsMetric(p: GetAnalyticsMetricParams): Promise<Array<QueryMetricRow>> {
    return this.call('GET', '/o/analytics/metric', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures of sessions. Needs the right to read `core`.
   * `GET /o/analytics/sessions` */
  getAnalyticsSessions(p: GetAnalyticsSessionsParams): Promise<Array<QuerySessionRow>> {
    return this.call('GET', '/o/analytics/sessions', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Most frequent values of metrics. Needs the right to read `core`.
   * `GET /o/analytics/tops` */
  getAnalyticsTops(p: GetAnalyticsTopsParams): Promise<Json> {
    return this.call('GET', '/o/analytics/tops', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Fault of an unknown read. Needs no credentials of a member.
   * `GET /o/analytics/{tail}` */
  getAnalyticsTail(p: GetAnalyticsTailParams): Promise<Json> {
    return this.call('GET', '/o/analytics/{tail}', p, { app_id: 'query', tail: 'path' });
  }

  /** Consents of users. Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
   * `GET /o/app_users/consents` */
  getAppUsersConsents(p: GetAppUsersConsentsParams): Promise<Json> {
    return this.call('GET', '/o/app_users/consents', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', query: 'query', filter: 'query', project: 'query', projection: 'query', limit: 'query', skip: 'query', cursor: 'query', period: 'query' });
  }

  /** Fault of a download without a name. Needs the right to read `users`.
   * `GET /o/app_users/download` */
  getAppUsersDownload(p: GetAppUsersDownloadParams): Promise<Blob> {
    return this.raw('GET', '/o/app_users/download', p, { app_id: 'query' });
  }

  /** Download an export of users. Needs the right to read `users`.
   * `GET /o/app_users/download/{id}` */
  getAppUsersDownloadId(p: GetAppUsersDownloadIdParams): Promise<Blob> {
    return this.raw('GET', '/o/app_users/download/{id}', p, { app_id: 'query', id: 'path' });
  }

  /** Users by number of sessions. Needs the right to read `core`.
   * `GET /o/app_users/loyalty` */
  getAppUsersLoyalty(p: GetAppUsersLoyaltyParams): Promise<AppusersLoyaltyRes> {
    return this.call('GET', '/o/app_users/loyalty', p, { app_id: 'query', query: 'query' });
  }

  /** Uploaded picture of a user. Needs the right to read `users`.
   * `GET /o/app_users/picture` */
  getAppUsersPicture(p: GetAppUsersPictureParams): Promise<Blob> {
    return this.raw('GET', '/o/app_users/picture', p, { app_id: 'query', uid: 'query', did: 'query' });
  }

  /** List all apps. For global administrators. The answer is a list, which pages, sorts and searches.
   * `GET /o/apps/all` */
  getAppsAll(p: GetAppsAllParams = {}): Promise<Json> {
    return this.call('GET', '/o/apps/all', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** An app with its members. For administrators of the app.
   * `GET /o/apps/details` */
  getAppsDetails(p: GetAppsDetailsParams): Promise<AppsDetails> {
    return this.call('GET', '/o/apps/details', p, { app_id: 'query' });
  }

  /** List apps of the caller. For every member. The answer is a list, which pages, sorts and searches. Tokens that are limited to apps may be used.
   * `GET /o/apps/mine` */
  getAppsMine(p: GetAppsMineParams = {}): Promise<Json> {
    return this.call('GET', '/o/apps/mine', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** Settings of an app. For global administrators.
   * `GET /o/apps/plugins` */
  getAppsPlugins(p: GetAppsPluginsParams = {}): Promise<Json> {
    return this.call('GET', '/o/apps/plugins', p, { app_id: 'query', name: 'query' });
  }

  /** What conversions are credited to. Needs the right to read `attribution`. A read that takes too long goes on as a task.
   * `GET /o/attribution`. A read that takes too long throws a PendingError. */
  getAttribution(p: GetAttributionParams): Promise<AttributionReportRes | Json> {
    return this.call('GET', '/o/attribution', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', event: 'query', filter: 'query', model: 'query', window: 'query', by: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Where visits come from. Needs the right to read `attribution`.
   * `GET /o/attribution/visits` */
  getAttributionVisits(p: GetAttributionVisitsParams): Promise<AttributionVisitsRes | Json> {
    return this.call('GET', '/o/attribution/visits', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', by: 'query' });
  }

  /** Make several reads. For every member. Tokens that are limited to apps may be used.
   * `GET /o/batch` */
  getBatch(p: GetBatchParams): Promise<Json> {
    return this.call('GET', '/o/batch', p, { requests: 'query' });
  }

  /** Check a formula. Needs the right to read `formulas`.
   * `GET /o/calculated_metrics/check` */
  getCalculatedMetricsCheck(p: GetCalculatedMetricsCheckParams): Promise<FormulasChecked> {
    return this.call('GET', '/o/calculated_metrics/check', p, { app_id: 'query', formula: 'query' });
  }

  /** A calculated metric. Needs the right to read `formulas`.
   * `GET /o/calculated_metrics/metric` */
  getCalculatedMetricsMetric(p: GetCalculatedMetricsMetricParams): Promise<Json> {
    return this.call('GET', '/o/calculated_metrics/metric', p, { app_id: 'query', _id: 'query', mode: 'query', metric_id: 'query', for_widgets: 'query' });
  }

  /** List calculated metrics. Needs the right to read `formulas`.
   * `GET /o/calculated_metrics/metrics` */
  getCalculatedMetricsMetrics(p: GetCalculatedMetricsMetricsParams): Promise<Json> {
    return this.call('GET', '/o/calculated_metrics/metrics', p, { app_id: 'query', for_widgets: 'query' });
  }

  /** Campaigns and their figures. Needs the right to read `attribution`. The answer is a list, which pages, sorts and searches.
   * `GET /o/campaign` */
  getCampaign(p: GetCampaignParams): Promise<Json> {
    return this.call('GET', '/o/campaign', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', camp_id: 'query', list: 'query', data: 'query', getTable: 'query', filter: 'query' });
  }

  /** Entries of content. For every member. The answer is a list, which pages, sorts and searches.
   * `GET /o/cms/entries` */
  getCmsEntries(p: GetCmsEntriesParams): Promise<Json> {
    return this.call('GET', '/o/cms/entries', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', _id: 'query', query: 'query' });
  }

  /** How many users a definition finds. Needs the right to read `cohorts`. A read that takes too long goes on as a task.
   * `GET /o/cohorts/preview`. A read that takes too long throws a PendingError. */
  getCohortsPreview(p: GetCohortsPreviewParams): Promise<CohortsPreviewRes> {
    return this.call('GET', '/o/cohorts/preview', p, { app_id: 'query', steps: 'query', user_segmentation: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Compare apps. For every member. Tokens that are limited to apps may be used.
   * `GET /o/compare/apps` */
  getCompareApps(p: GetCompareAppsParams): Promise<Array<CompareAppRow>> {
    return this.call('GET', '/o/compare/apps', p, { period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', apps: 'query' });
  }

  /** Compare events. Needs the right to read `compare`. Global administrators may leave out `app_id`.
   * `GET /o/compare/events` */
  getCompareEvents(p: GetCompareEventsParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/compare/events', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', events: 'query' });
  }

  /** Users online: now, lately and at most. Needs the right to read `concurrent_users`.
   * `GET /o/concurrent_users` */
  getConcurrentUsers(p: GetConcurrentUsersParams): Promise<ConcurrentusersOverview | Json> {
    return this.call('GET', '/o/concurrent_users', p, { app_id: 'query' });
  }

  /** Settings of the server. For administrators of the app.
   * `GET /o/configs` */
  getConfigs(p: GetConfigsParams): Promise<Record<string, Record<string, Json>>> {
    return this.call('GET', '/o/configs', p, { app_id: 'query' });
  }

  /** What can be set. For every member.
   * `GET /o/configs/schema` */
  getConfigsSchema(): Promise<Record<string, Record<string, SettingsDeclaration>>> {
    return this.call('GET', '/o/configs/schema');
  }

  /** Consents of a user. Needs the right to read `compliance_hub`.
   * `GET /o/consent/current` */
  getConsentCurrent(p: GetConsentCurrentParams): Promise<Record<string, boolean>> {
    return this.call('GET', '/o/consent/current', p, { app_id: 'query', query: 'query', filter: 'query' });
  }

  /** Changes of consents. Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
   * `GET /o/consent/search` */
  getConsentSearch(p: GetConsentSearchParams): Promise<CompliancehubChangesTable> {
    return this.call('GET', '/o/consent/search', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', query: 'query', filter: 'query', project: 'query', projection: 'query', limit: 'query', skip: 'query', cursor: 'query', period: 'query' });
  }

  /** Changes of consents, by their age. Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
   * `GET /o/consent/searchOld` */
  getConsentSearchOld(p: GetConsentSearchOldParams): Promise<Json> {
    return this.call('GET', '/o/consent/searchOld', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', query: 'query', filter: 'query', project: 'query', projection: 'query', limit: 'query', skip: 'query', cursor: 'query', period: 'query' });
  }

  /** Versions of the program. For every member.
   * `GET /o/countly_version` */
  getCountlyVersion(): Promise<Result> {
    return this.call('GET', '/o/countly_version');
  }

  /** Download the dump of a crash. Needs the right to read `crashes`.
   * `GET /o/crashes/download_binary` */
  getCrashesDownloadBinary(p: GetCrashesDownloadBinaryParams): Promise<Blob> {
    return this.raw('GET', '/o/crashes/download_binary', p, { app_id: 'query', crash_id: 'query' });
  }

  /** Download the stack of a crash. Needs the right to read `crashes`.
   * `GET /o/crashes/download_stacktrace` */
  getCrashesDownloadStacktrace(p: GetCrashesDownloadStacktraceParams): Promise<Blob> {
    return this.raw('GET', '/o/crashes/download_stacktrace', p, { app_id: 'query', crash_id: 'query' });
  }

  /** What rules for crash groups would change. Needs the right to read `crashes`.
   * `GET /o/crashes/preview_rules` */
  getCrashesPreviewRules(p: GetCrashesPreviewRulesParams): Promise<Json> {
    return this.call('GET', '/o/crashes/preview_rules', p, { app_id: 'query', rules: 'query', version: 'query' });
  }

  /** Find a person. Needs the right to read `users`. The answer is a list, which pages, sorts and searches.
   * `GET /o/data_subjects` */
  getDataSubjects(p: GetDataSubjectsParams): Promise<Json> {
    return this.call('GET', '/o/data_subjects', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', by: 'query' });
  }

  /** List erasures. Needs the right to read `users`. The answer is a list, which pages, sorts and searches.
   * `GET /o/data_subjects/erasures` */
  getDataSubjectsErasures(p: GetDataSubjectsErasuresParams): Promise<Json> {
    return this.call('GET', '/o/data_subjects/erasures', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** What is held of a person. Needs the right to read `users`.
   * `GET /o/data_subjects/held` */
  getDataSubjectsHeld(p: GetDataSubjectsHeldParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/data_subjects/held', p, { app_id: 'query', uid: 'query' });
  }

  /** List date presets. For every member. The answer is a list, which pages, sorts and searches.
   * `GET /o/date_presets/getAll` */
  getDatePresetsGetAll(p: GetDatePresetsGetAllParams = {}): Promise<Json> {
    return this.call('GET', '/o/date_presets/getAll', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** A date preset. For every member.
   * `GET /o/date_presets/getById` */
  getDatePresetsGetById(p: GetDatePresetsGetByIdParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/date_presets/getById', p, { preset_id: 'query', name: 'query', range: 'query', share_with: 'query', shared_email_edit: 'query', shared_email_view: 'query', shared_user_groups_edit: 'query', shared_user_groups_view: 'query', exclude_current_day: 'query', fav: 'query', sort_order: 'query' });
  }

  /** List defined events. Needs the right to read `core`. The answer is a list, which pages, sorts and searches.
   * `GET /o/defined_events` */
  getDefinedEvents(p: GetDefinedEventsParams): Promise<Json> {
    return this.call('GET', '/o/defined_events', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** Figures of a defined event before it is saved. Needs the right to read `drill`. A read that takes too long goes on as a task.
   * `GET /o/defined_events/preview`. A read that takes too long throws a PendingError. */
  getDefinedEventsPreview(p: GetDefinedEventsPreviewParams): Promise<QueryFigures> {
    return this.call('GET', '/o/defined_events/preview', p, { app_id: 'query', events: 'query', period: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** What uses a defined event. Needs the right to read `core`.
   * `GET /o/defined_events/uses` */
  getDefinedEventsUses(p: GetDefinedEventsUsesParams): Promise<Record<string, DefinedeventsUsesOf | Json>> {
    return this.call('GET', '/o/defined_events/uses', p, { app_id: 'query', event: 'query' });
  }

  /** Send a test message. For global administrators.
   * `POST /o/email_test` */
  postEmailTest(): Promise<Result> {
    return this.call('POST', '/o/email_test');
  }

  /** Read logs. For global administrators.
   * `GET /o/errorlogs` */
  getErrorlogs(p: GetErrorlogsParams = {}): Promise<Json> {
    return this.call('GET', '/o/errorlogs', p, { log: 'query', bytes: 'query', download: 'query' });
  }

  /** Make a read, and say what was done for it. For global administrators.
   * `GET /o/explain` */
  getExplain(p: GetExplainParams): Promise<Json> {
    return this.call('GET', '/o/explain', p, { read: 'query' });
  }

  /** Count users and events. Needs the right to read `events`. A read that takes too long goes on as a task.
   * `GET /o/explore/count`. A read that takes too long throws a PendingError. */
  getExploreCount(p: GetExploreCountParams): Promise<ExploreCountRes> {
    return this.call('GET', '/o/explore/count', p, { app_id: 'query', events: 'query', query: 'query', from: 'query', to: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Properties of an app. Needs the right to read `core`.
   * `GET /o/explore/properties` */
  getExploreProperties(p: GetExplorePropertiesParams): Promise<ExplorePropertiesRes> {
    return this.call('GET', '/o/explore/properties', p, { app_id: 'query' });
  }

  /** List saved views. Needs the right to read `core`. The answer is a list, which pages, sorts and searches.
   * `GET /o/explore/views` */
  getExploreViews(p: GetExploreViewsParams): Promise<Json> {
    return this.call('GET', '/o/explore/views', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', desc: 'query' });
  }

  /** Export rows that are sent. For every member. Tokens that are limited to apps may be used.
   * `GET /o/export/data` */
  getExportData(p: GetExportDataParams): Promise<Blob> {
    return this.raw('GET', '/o/export/data', p, { type: 'query', filename: 'query', data: 'query', raw: 'query' });
  }

  /** Export a collection. For every member. Tokens that are limited to apps may be used.
   * `GET /o/export/db` */
  getExportDb(p: GetExportDbParams): Promise<Blob> {
    return this.raw('GET', '/o/export/db', p, { type: 'query', filename: 'query', collection: 'query', db: 'query', app_id: 'query', filter: 'query', query: 'query', projection: 'query', project: 'query', sort: 'query', skip: 'query', limit: 'query', get_index: 'query', columnNames: 'query', formatFields: 'query' });
  }

  /** Fault of a download without a name. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/export/download` */
  getExportDownload(p: GetExportDownloadParams = {}): Promise<Blob> {
    return this.raw('GET', '/o/export/download', p, { app_id: 'query' });
  }

  /** Download an export. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/export/download/{id}` */
  getExportDownloadId(p: GetExportDownloadIdParams): Promise<Blob> {
    return this.raw('GET', '/o/export/download/{id}', p, { app_id: 'query', id: 'path' });
  }

  /** Export the answer of a read. For every member. Tokens that are limited to apps may be used.
   * `GET /o/export/request` */
  getExportRequest(p: GetExportRequestParams): Promise<Blob> {
    return this.raw('GET', '/o/export/request', p, { type: 'query', filename: 'query', path: 'query', prop: 'query', data: 'query', app_id: 'query', method: 'query', projection: 'query', columnNames: 'query', mapper: 'query' });
  }

  /** Export the answer of a read as a task. For every member. Tokens that are limited to apps may be used.
   * `POST /o/export/requestQuery` */
  postExportRequestQuery(p: PostExportRequestQueryParams): Promise<Json> {
    return this.call('POST', '/o/export/requestQuery', p, { app_id: 'body', columnNames: 'body', data: 'body', filename: 'body', mapper: 'body', method: 'body', path: 'body', projection: 'body', prop: 'body', type: 'body', type_name: 'body' });
  }

  /** Several widgets. Needs no credentials of a member.
   * `GET /o/feedback/multiple-widgets-by-id` */
  getFeedbackMultipleWidgetsById(p: GetFeedbackMultipleWidgetsByIdParams): Promise<Array<Json>> {
    return this.call('GET', '/o/feedback/multiple-widgets-by-id', p, { widgets: 'query' });
  }

  /** A widget. Needs no credentials of a member.
   * `GET /o/feedback/widget` */
  getFeedbackWidget(p: GetFeedbackWidgetParams): Promise<Json> {
    return this.call('GET', '/o/feedback/widget', p, { widget_id: 'query' });
  }

  /** List flows, or the result of one. Needs the right to read `flows`. The answer is a list, which pages, sorts and searches.
   * `GET /o/flows` */
  getFlows(p: GetFlowsParams): Promise<Json> {
    return this.call('GET', '/o/flows', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', method: 'query', _id: 'query', query: 'query' });
  }

  /** Paths of a flow that is not saved. Needs the right to read `flows`. A read that takes too long goes on as a task.
   * `GET /o/flows/paths`. A read that takes too long throws a PendingError. */
  getFlowsPaths(p: GetFlowsPathsParams): Promise<FlowsData> {
    return this.call('GET', '/o/flows/paths', p, { app_id: 'query', name: 'query', type: 'query', start: 'query', end: 'query', exclude: 'query', user_segmentation: 'query', period: 'query', disabled: 'query', options: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** What became of received items, of an app or, for global administrators, of what came for none. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/ingest/outcomes` */
  getIngestOutcomes(p: GetIngestOutcomesParams = {}): Promise<OutcomesAnswer> {
    return this.call('GET', '/o/ingest/outcomes', p, { app_id: 'query', period: 'query' });
  }

  /** Download a profile. For global administrators.
   * `GET /o/inspector/{profile}` */
  getInspectorProfile(p: GetInspectorProfileParams): Promise<Blob> {
    return this.raw('GET', '/o/inspector/{profile}', p, { profile: 'path' });
  }

  /** Keys of the events of the server. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/internal-events` */
  getInternalEvents(p: GetInternalEventsParams = {}): Promise<Array<string>> {
    return this.call('GET', '/o/internal-events', p, { app_id: 'query' });
  }

  /** What people searched for. Needs the right to read `sources`.
   * `GET /o/keywords` */
  getKeywords(p: GetKeywordsParams): Promise<Array<AttributionVisitRow>> {
    return this.call('GET', '/o/keywords', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query' });
  }

  /** Languages. Needs no credentials of a member.
   * `GET /o/langmap` */
  getLangmap(): Promise<Record<string, LocaleLanguage>> {
    return this.call('GET', '/o/langmap');
  }

  /** Stream of events as they arrive. Needs the right to read `events`.
   * `GET /o/live/feed` */
  getLiveFeed(p: GetLiveFeedParams): Promise<Blob> {
    return this.raw('GET', '/o/live/feed', p, { app_id: 'query' });
  }

  /** Figures of the moment. Needs the right to read `core`.
   * `GET /o/live/now` */
  getLiveNow(p: GetLiveNowParams): Promise<LiveTiles> {
    return this.call('GET', '/o/live/now', p, { app_id: 'query' });
  }

  /** Stream of figures of the moment. Needs the right to read `core`.
   * `GET /o/live/tiles` */
  getLiveTiles(p: GetLiveTilesParams): Promise<Blob> {
    return this.raw('GET', '/o/live/tiles', p, { app_id: 'query' });
  }

  /** Figures of all apps. For global administrators. The same as `/o?method=all_apps`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/all_apps` */
  getMethodAllApps(p: GetMethodAllAppsParams): Promise<Json> {
    return this.call('GET', '/o/method/all_apps', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** Figures by version of the app. Needs the right to read `core`. The same as `/o?method=app_versions`.
   * `GET /o/method/app_versions` */
  getMethodAppVersions(p: GetMethodAppVersionsParams): Promise<Json> {
    return this.call('GET', '/o/method/app_versions', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by browser. Needs the right to read `core`. The same as `/o?method=browser`.
   * `GET /o/method/browser` */
  getMethodBrowser(p: GetMethodBrowserParams): Promise<Json> {
    return this.call('GET', '/o/method/browser', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Values of a calculated metric. Needs the right to read `formulas`. The same as `/o?method=calculated_metrics`. A read that takes too long goes on as a task.
   * `GET /o/method/calculated_metrics` */
  getMethodCalculatedMetrics(p: GetMethodCalculatedMetricsParams): Promise<Json> {
    return this.call('GET', '/o/method/calculated_metrics', p, { app_id: 'query', mode: 'query', metric_id: 'query', formula: 'query', bucket: 'query', period: 'query', timezone: 'query', previous: 'query', metric_details: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Figures by carrier. Needs the right to read `core`. The same as `/o?method=carriers`.
   * `GET /o/method/carriers` */
  getMethodCarriers(p: GetMethodCarriersParams): Promise<Json> {
    return this.call('GET', '/o/method/carriers', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by city. Needs the right to read `core`. The same as `/o?method=cities`.
   * `GET /o/method/cities` */
  getMethodCities(p: GetMethodCitiesParams): Promise<Json> {
    return this.call('GET', '/o/method/cities', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Sizes of cohorts over time. Needs the right to read `cohorts`. The same as `/o?method=cohortdata`.
   * `GET /o/method/cohortdata` */
  getMethodCohortdata(p: GetMethodCohortdataParams): Promise<Array<CohortsData>> {
    return this.call('GET', '/o/method/cohortdata', p, { app_id: 'query', cohorts: 'query', iDisplayStart: 'query', iDisplayLength: 'query' });
  }

  /** State of the calculation of cohorts. Needs the right to read `cohorts`. The same as `/o?method=cohortstate`.
   * `GET /o/method/cohortstate` */
  getMethodCohortstate(p: GetMethodCohortstateParams): Promise<CohortsStateRes> {
    return this.call('GET', '/o/method/cohortstate', p, { app_id: 'query' });
  }

  /** Size of the log of requests. Needs the right to read `logger`. The same as `/o?method=collection_info`.
   * `GET /o/method/collection_info` */
  getMethodCollectionInfo(p: GetMethodCollectionInfoParams): Promise<LoggerInfo> {
    return this.call('GET', '/o/method/collection_info', p, { app_id: 'query' });
  }

  /** Users online, by mode. For every member. The same as `/o?method=concurrent`. Tokens that are limited to apps may be used.
   * `GET /o/method/concurrent` */
  getMethodConcurrent(p: GetMethodConcurrentParams = {}): Promise<ConcurrentusersMetrics | Json> {
    return this.call('GET', '/o/method/concurrent', p, { app_id: 'query', r_apps: 'query', mode: 'query', add_new: 'query' });
  }

  /** Alerts about users online. Needs the right to read `concurrent_users`. The same as `/o?method=concurrent_alerts`.
   * `GET /o/method/concurrent_alerts` */
  getMethodConcurrentAlerts(p: GetMethodConcurrentAlertsParams): Promise<Array<ConcurrentusersShownAlert>> {
    return this.call('GET', '/o/method/concurrent_alerts', p, { app_id: 'query' });
  }

  /** Replace the settings of SDKs. Needs the right to update `sdk`. The same as `/o?method=config-upload`.
   * `POST /o/method/config-upload` */
  postMethodConfigUpload(p: PostMethodConfigUploadParams): Promise<Result> {
    return this.call('POST', '/o/method/config-upload', p, { app_id: 'body', config: 'body' });
  }

  /** Consents over time. Needs the right to read `compliance_hub`. The same as `/o?method=consents`.
   * `GET /o/method/consents` */
  getMethodConsents(p: GetMethodConsentsParams): Promise<Json> {
    return this.call('GET', '/o/method/consents', p, { app_id: 'query', period: 'query' });
  }

  /** Figures by country. Needs the right to read `core`. The same as `/o?method=countries`.
   * `GET /o/method/countries` */
  getMethodCountries(p: GetMethodCountriesParams): Promise<Json> {
    return this.call('GET', '/o/method/countries', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** List symbolications. Needs the right to read `crashes`. The same as `/o?method=crash_jobs`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/crash_jobs` */
  getMethodCrashJobs(p: GetMethodCrashJobsParams): Promise<Json> {
    return this.call('GET', '/o/method/crash_jobs', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', platform: 'query', status: 'query', outputFormat: 'query' });
  }

  /** Crashes by version of the app. Needs the right to read `crashes`. The same as `/o?method=crash_releases`.
   * `GET /o/method/crash_releases` */
  getMethodCrashReleases(p: GetMethodCrashReleasesParams): Promise<CrashesReleasesRes> {
    return this.call('GET', '/o/method/crash_releases', p, { app_id: 'query' });
  }

  /** A crash report. Needs the right to read `crashes`. The same as `/o?method=crash_report`.
   * `GET /o/method/crash_report` */
  getMethodCrashReport(p: GetMethodCrashReportParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/method/crash_report', p, { app_id: 'query', report_id: 'query' });
  }

  /** Rules for crash groups. Needs the right to read `crashes`. The same as `/o?method=crash_rules`.
   * `GET /o/method/crash_rules` */
  getMethodCrashRules(p: GetMethodCrashRulesParams): Promise<CrashesRulesRes> {
    return this.call('GET', '/o/method/crash_rules', p, { app_id: 'query' });
  }

  /** List symbol files. Needs the right to read `crashes`. The same as `/o?method=crash_symbols`.
   * `GET /o/method/crash_symbols` */
  getMethodCrashSymbols(p: GetMethodCrashSymbolsParams): Promise<Array<SymbolicationListed>> {
    return this.call('GET', '/o/method/crash_symbols', p, { app_id: 'query' });
  }

  /** Symbols of an app, and the builds that lack some. Needs the right to read `crashes`. The same as `/o?method=crash_symbols_overview`.
   * `GET /o/method/crash_symbols_overview` */
  getMethodCrashSymbolsOverview(p: GetMethodCrashSymbolsOverviewParams): Promise<SymbolicationOverview> {
    return this.call('GET', '/o/method/crash_symbols_overview', p, { app_id: 'query' });
  }

  /** Variants of a crash group. Needs the right to read `crashes`. The same as `/o?method=crash_variants`.
   * `GET /o/method/crash_variants` */
  getMethodCrashVariants(p: GetMethodCrashVariantsParams): Promise<CrashesVariantsRes> {
    return this.call('GET', '/o/method/crash_variants', p, { app_id: 'query', group: 'query' });
  }

  /** Crash groups that spread. Needs the right to read `crashes`. The same as `/o?method=crash_velocity`.
   * `GET /o/method/crash_velocity` */
  getMethodCrashVelocity(p: GetMethodCrashVelocityParams): Promise<CrashesVelocity> {
    return this.call('GET', '/o/method/crash_velocity', p, { app_id: 'query' });
  }

  /** List crash groups, show one, or figures of crashes. Needs the right to read `crashes`. The same as `/o?method=crashes`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/crashes` */
  getMethodCrashes(p: GetMethodCrashesParams): Promise<Json> {
    return this.call('GET', '/o/method/crashes', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', group: 'query', userlist: 'query', list: 'query', graph: 'query', query: 'query', filter: 'query', os: 'query', app_version: 'query' });
  }

  /** Figures by density of screens. Needs the right to read `core`. The same as `/o?method=density`.
   * `GET /o/method/density` */
  getMethodDensity(p: GetMethodDensityParams): Promise<Json> {
    return this.call('GET', '/o/method/density', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by operating system. Needs the right to read `core`. The same as `/o?method=device_details`.
   * `GET /o/method/device_details` */
  getMethodDeviceDetails(p: GetMethodDeviceDetailsParams): Promise<Json> {
    return this.call('GET', '/o/method/device_details', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by device. Needs the right to read `core`. The same as `/o?method=devices`.
   * `GET /o/method/devices` */
  getMethodDevices(p: GetMethodDevicesParams): Promise<Json> {
    return this.call('GET', '/o/method/devices', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Download a symbol file. Needs the right to read `crashes`. The same as `/o?method=download_symbol`.
   * `GET /o/method/download_symbol` */
  getMethodDownloadSymbol(p: GetMethodDownloadSymbolParams): Promise<Blob> {
    return this.raw('GET', '/o/method/download_symbol', p, { app_id: 'query', symbol_id: 'query', file_id: 'query' });
  }

  /** A bookmark. Needs the right to read `drill` or `funnels` or `cohorts` or `users` or `formulas`. The same as `/o?method=drill_bookmark`.
   * `GET /o/method/drill_bookmark` */
  getMethodDrillBookmark(p: GetMethodDrillBookmarkParams): Promise<Json> {
    return this.call('GET', '/o/method/drill_bookmark', p, { app_id: 'query', _id: 'query' });
  }

  /** List bookmarks. Needs the right to read `drill` or `funnels` or `cohorts` or `users` or `formulas`. The same as `/o?method=drill_bookmarks`.
   * `GET /o/method/drill_bookmarks` */
  getMethodDrillBookmarks(p: GetMethodDrillBookmarksParams): Promise<Json> {
    return this.call('GET', '/o/method/drill_bookmarks', p, { app_id: 'query', event_key: 'query', app_level: 'query', apps: 'query', namespace: 'query', only_count: 'query' });
  }

  /** Figures of events. Needs the right to read `core`. The same as `/o?method=events`.
   * `GET /o/method/events` */
  getMethodEvents(p: GetMethodEventsParams): Promise<Json> {
    return this.call('GET', '/o/method/events', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Results of a funnel. Needs the right to read `funnels`. The same as `/o?method=funnel`. A read that takes too long goes on as a task.
   * `GET /o/method/funnel` */
  getMethodFunnel(p: GetMethodFunnelParams): Promise<Json> {
    return this.call('GET', '/o/method/funnel', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', funnel: 'query', filter: 'query', filter_id: 'query', task_id: 'query', end_step: 'query', users_for_step: 'query', users_between_steps: 'query', echo: 'query', breakdown: 'query', breakdown_step: 'query', breakdown_limit: 'query', breakdown_base: 'query', trend: 'query', instead: 'query', drivers: 'query', drivers_by: 'query', drivers_back: 'query', drivers_limit: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Results of several funnels. Needs the right to read `funnels`. The same as `/o?method=funneldata`. A read that takes too long goes on as a task.
   * `GET /o/method/funneldata`. A read that takes too long throws a PendingError. */
  getMethodFunneldata(p: GetMethodFunneldataParams): Promise<Record<string, Array<FunnelsDayRow>>> {
    return this.call('GET', '/o/method/funneldata', p, { app_id: 'query', funnels: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Figures by place. Needs the right to read `core`. The same as `/o?method=geodata`.
   * `GET /o/method/geodata` */
  getMethodGeodata(p: GetMethodGeodataParams): Promise<Array<QueryMetricRow>> {
    return this.call('GET', '/o/method/geodata', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** A cohort. Needs the right to read `cohorts`. The same as `/o?method=get_cohort`.
   * `GET /o/method/get_cohort` */
  getMethodGetCohort(p: GetMethodGetCohortParams): Promise<Json> {
    return this.call('GET', '/o/method/get_cohort', p, { app_id: 'query', cohort: 'query' });
  }

  /** Names of cohorts. Needs the right to read `cohorts`. The same as `/o?method=get_cohort_list`.
   * `GET /o/method/get_cohort_list` */
  getMethodGetCohortList(p: GetMethodGetCohortListParams): Promise<Record<string, string>> {
    return this.call('GET', '/o/method/get_cohort_list', p, { app_id: 'query', type: 'query' });
  }

  /** Metrics of the users of a cohort. Needs the right to read `cohorts`. The same as `/o?method=get_cohort_metrics`.
   * `GET /o/method/get_cohort_metrics` */
  getMethodGetCohortMetrics(p: GetMethodGetCohortMetricsParams): Promise<CohortsMetricsRes> {
    return this.call('GET', '/o/method/get_cohort_metrics', p, { app_id: 'query', cohort_id: 'query', metrics: 'query' });
  }

  /** List cohorts. Needs the right to read `cohorts`. The same as `/o?method=get_cohorts`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/get_cohorts` */
  getMethodGetCohorts(p: GetMethodGetCohortsParams): Promise<Json> {
    return this.call('GET', '/o/method/get_cohorts', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', outputFormat: 'query', type: 'query', group: 'query', projection: 'query' });
  }

  /** An event group. Needs the right to read `core`. The same as `/o?method=get_event_group`.
   * `GET /o/method/get_event_group` */
  getMethodGetEventGroup(p: GetMethodGetEventGroupParams): Promise<Json> {
    return this.call('GET', '/o/method/get_event_group', p, { app_id: 'query', _id: 'query' });
  }

  /** List event groups. Needs the right to read `core`. The same as `/o?method=get_event_groups`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/get_event_groups` */
  getMethodGetEventGroups(p: GetMethodGetEventGroupsParams): Promise<Json> {
    return this.call('GET', '/o/method/get_event_groups', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** Events of an app with their segments. Needs the right to read `core`. The same as `/o?method=get_events`.
   * `GET /o/method/get_events` */
  getMethodGetEvents(p: GetMethodGetEventsParams): Promise<EventsList> {
    return this.call('GET', '/o/method/get_events', p, { app_id: 'query' });
  }

  /** A funnel. Needs the right to read `funnels`. The same as `/o?method=get_funnel`.
   * `GET /o/method/get_funnel` */
  getMethodGetFunnel(p: GetMethodGetFunnelParams): Promise<Json> {
    return this.call('GET', '/o/method/get_funnel', p, { app_id: 'query', funnel: 'query' });
  }

  /** List funnels. Needs the right to read `funnels`. The same as `/o?method=get_funnels`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/get_funnels` */
  getMethodGetFunnels(p: GetMethodGetFunnelsParams): Promise<Json> {
    return this.call('GET', '/o/method/get_funnels', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', group: 'query', outputFormat: 'query' });
  }

  /** Days of a period. Needs the right to read `core`. The same as `/o?method=get_period_obj`.
   * `GET /o/method/get_period_obj` */
  getMethodGetPeriodObj(p: GetMethodGetPeriodObjParams): Promise<AnalyticsPeriodRes> {
    return this.call('GET', '/o/method/get_period_obj', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** How many views there are. Needs the right to read `views`. The same as `/o?method=get_view_count`.
   * `GET /o/method/get_view_count` */
  getMethodGetViewCount(p: GetMethodGetViewCountParams): Promise<ViewsCountRes> {
    return this.call('GET', '/o/method/get_view_count', p, { app_id: 'query' });
  }

  /** Segments of views. Needs the right to read `views`. The same as `/o?method=get_view_segments`.
   * `GET /o/method/get_view_segments` */
  getMethodGetViewSegments(p: GetMethodGetViewSegmentsParams): Promise<ViewsSegmentsRes> {
    return this.call('GET', '/o/method/get_view_segments', p, { app_id: 'query' });
  }

  /** List jobs. For global administrators. The same as `/o?method=jobs`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/jobs` */
  getMethodJobs(p: GetMethodJobsParams): Promise<Json> {
    return this.call('GET', '/o/method/jobs', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', name: 'query' });
  }

  /** What people searched for. Needs the right to read `sources`. The same as `/o?method=keywords`.
   * `GET /o/method/keywords` */
  getMethodKeywords(p: GetMethodKeywordsParams): Promise<Array<AttributionVisitRow>> {
    return this.call('GET', '/o/method/keywords', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query' });
  }

  /** Figures by language. Needs the right to read `locale`. The same as `/o?method=langs`.
   * `GET /o/method/langs` */
  getMethodLangs(p: GetMethodLangsParams): Promise<Json> {
    return this.call('GET', '/o/method/langs', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Users online now. Needs the right to read `concurrent_users`. The same as `/o?method=live`.
   * `GET /o/method/live` */
  getMethodLive(p: GetMethodLiveParams): Promise<ConcurrentusersNow> {
    return this.call('GET', '/o/method/live', p, { app_id: 'query' });
  }

  /** Figures by country. Needs the right to read `core`. The same as `/o?method=locations`.
   * `GET /o/method/locations` */
  getMethodLocations(p: GetMethodLocationsParams): Promise<Json> {
    return this.call('GET', '/o/method/locations', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Requests of clients. Needs the right to read `logger`. The same as `/o?method=logs`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/logs` */
  getMethodLogs(p: GetMethodLogsParams): Promise<Json> {
    return this.call('GET', '/o/method/logs', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', filter: 'query' });
  }

  /** List notes of an app. Needs the right to read `core`. The same as `/o?method=notes`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/notes` */
  getMethodNotes(p: GetMethodNotesParams): Promise<Json> {
    return this.call('GET', '/o/method/notes', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', notes_apps: 'query', period: 'query', note_type: 'query', category: 'query' });
  }

  /** Crash reports. Needs the right to read `crashes`. The same as `/o?method=reports`.
   * `GET /o/method/reports` */
  getMethodReports(p: GetMethodReportsParams): Promise<Record<string, Record<string, Json>>> {
    return this.call('GET', '/o/method/reports', p, { app_id: 'query', report_ids: 'query', report_id: 'query' });
  }

  /** Retention as a table. Needs the right to read `retention_segments`. The same as `/o?method=retention`. A read that takes too long goes on as a task.
   * `GET /o/method/retention`. A read that takes too long throws a PendingError. */
  getMethodRetention(p: GetMethodRetentionParams): Promise<Array<Json>> {
    return this.call('GET', '/o/method/retention', p, { app_id: 'query', period: 'query', rettype: 'query', evt: 'query', range: 'query', span: 'query', query: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Settings of SDKs. Needs the right to read `sdk`. The same as `/o?method=sdk-config`.
   * `GET /o/method/sdk-config` */
  getMethodSdkConfig(p: GetMethodSdkConfigParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/method/sdk-config', p, { app_id: 'query' });
  }

  /** Which settings of SDKs are enforced. Needs the right to read `sdk`. The same as `/o?method=sdk-enforcement`.
   * `GET /o/method/sdk-enforcement` */
  getMethodSdkEnforcement(p: GetMethodSdkEnforcementParams): Promise<Record<string, boolean>> {
    return this.call('GET', '/o/method/sdk-enforcement', p, { app_id: 'query' });
  }

  /** Figures by SDK. Needs the right to read `core`. The same as `/o?method=sdks`.
   * `GET /o/method/sdks` */
  getMethodSdks(p: GetMethodSdksParams): Promise<Json> {
    return this.call('GET', '/o/method/sdks', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures of events by filter and property. Needs the right to read `drill`. The same as `/o?method=segmentation`. A read that takes too long goes on as a task.
   * `GET /o/method/segmentation`. A read that takes too long throws a PendingError. */
  getMethodSegmentation(p: GetMethodSegmentationParams): Promise<DrillSegmentationRes> {
    return this.call('GET', '/o/method/segmentation', p, { app_id: 'query', event: 'query', queryObject: 'query', period: 'query', bucket: 'query', projectionKey: 'query', list: 'query', limit: 'query', skip: 'query', sort: 'query', sortGraphBy: 'query', cohorts: 'query', timezone: 'query', steps: 'query', measures: 'query', bins: 'query', other: 'query', compare: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Properties of events. Needs the right to read `drill` or `crashes`. The same as `/o?method=segmentation_meta`. A read that takes too long goes on as a task.
   * `GET /o/method/segmentation_meta` */
  getMethodSegmentationMeta(p: GetMethodSegmentationMetaParams): Promise<Json> {
    return this.call('GET', '/o/method/segmentation_meta', p, { app_id: 'query', event: 'query', property: 'query', search: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Users behind figures of events. Needs the right to read `drill`. The same as `/o?method=segmentation_users`. A read that takes too long goes on as a task.
   * `GET /o/method/segmentation_users`. A read that takes too long throws a PendingError. */
  getMethodSegmentationUsers(p: GetMethodSegmentationUsersParams): Promise<DrillPeopleRes> {
    return this.call('GET', '/o/method/segmentation_users', p, { app_id: 'query', event: 'query', queryObject: 'query', period: 'query', bucket: 'query', projectionKey: 'query', cohorts: 'query', timezone: 'query', steps: 'query', bins: 'query', at: 'query', groups: 'query', not_groups: 'query', limit: 'query', skip: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Figures of sessions. Needs the right to read `core`. The same as `/o?method=sessions`.
   * `GET /o/method/sessions` */
  getMethodSessions(p: GetMethodSessionsParams): Promise<Json> {
    return this.call('GET', '/o/method/sessions', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures by source. Needs the right to read `core`. The same as `/o?method=sources`.
   * `GET /o/method/sources` */
  getMethodSources(p: GetMethodSourcesParams): Promise<Json> {
    return this.call('GET', '/o/method/sources', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** List the audit log. For global administrators. The same as `/o?method=systemlogs`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/systemlogs` */
  getMethodSystemlogs(p: GetMethodSystemlogsParams): Promise<Json> {
    return this.call('GET', '/o/method/systemlogs', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', query: 'query' });
  }

  /** Actions and members of the audit log. For global administrators. The same as `/o?method=systemlogs_meta`.
   * `GET /o/method/systemlogs_meta` */
  getMethodSystemlogsMeta(p: GetMethodSystemlogsMetaParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/method/systemlogs_meta', p, { app_id: 'query' });
  }

  /** Figures by day of the week and hour. Needs the right to read `times_of_day`. The same as `/o?method=times-of-day`.
   * `GET /o/method/times-of-day` */
  getMethodTimesOfDay(p: GetMethodTimesOfDayParams): Promise<Array<Array<number>>> {
    return this.call('GET', '/o/method/times-of-day', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Events with the most occurrences. Needs the right to read `core`. The same as `/o?method=top_events`.
   * `GET /o/method/top_events` */
  getMethodTopEvents(p: GetMethodTopEventsParams): Promise<Array<QueryTopEvent>> {
    return this.call('GET', '/o/method/top_events', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Users by value of a metric. Needs the right to read `core`. The same as `/o?method=total_users`.
   * `GET /o/method/total_users` */
  getMethodTotalUsers(p: GetMethodTotalUsersParams): Promise<Array<QueryUsersRow>> {
    return this.call('GET', '/o/method/total_users', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** How many users there are, and how many of them are anonymous. Needs the right to read `users`. The same as `/o?method=user_counts`.
   * `GET /o/method/user_counts` */
  getMethodUserCounts(p: GetMethodUserCountsParams): Promise<AppusersCountsRes> {
    return this.call('GET', '/o/method/user_counts', p, { app_id: 'query' });
  }

  /** Crashes of a user. Needs the right to read `crashes`. The same as `/o?method=user_crashes`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/user_crashes` */
  getMethodUserCrashes(p: GetMethodUserCrashesParams): Promise<Json> {
    return this.call('GET', '/o/method/user_crashes', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', uid: 'query', names: 'query' });
  }

  /** Users, or one user. Needs the right to read `users`. The same as `/o?method=user_details`. The answer is a list, which pages, sorts and searches. A read that takes too long goes on as a task.
   * `GET /o/method/user_details` */
  getMethodUserDetails(p: GetMethodUserDetailsParams): Promise<Json> {
    return this.call('GET', '/o/method/user_details', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', uid: 'query', did: 'query', query: 'query', profile_group: 'query', filter: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Funnels of a user. Needs the right to read `funnels`. The same as `/o?method=user_funnels`. A read that takes too long goes on as a task.
   * `GET /o/method/user_funnels`. A read that takes too long throws a PendingError. */
  getMethodUserFunnels(p: GetMethodUserFunnelsParams): Promise<Array<FunnelsUserRow>> {
    return this.call('GET', '/o/method/user_funnels', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', uid: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Figures of users. Needs the right to read `core`. The same as `/o?method=users`.
   * `GET /o/method/users` */
  getMethodUsers(p: GetMethodUsersParams): Promise<Json> {
    return this.call('GET', '/o/method/users', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', bucket: 'query', step: 'query', against: 'query', of: 'query', filter: 'query', metric: 'query', metrics: 'query', event: 'query', events: 'query', segmentation: 'query', overview: 'query', loadFor: 'query', limit: 'query', date_range: 'query', tod_type: 'query' });
  }

  /** Figures of views. Needs the right to read `views`. The same as `/o?method=views`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/views` */
  getMethodViews(p: GetMethodViewsParams): Promise<Json> {
    return this.call('GET', '/o/method/views', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', action: 'query', segment: 'query', segmentVal: 'query', selectedViews: 'query', bucket: 'query', filter: 'query' });
  }

  /** List notes. Needs the right to read `core`. Global administrators may leave out `app_id`. The answer is a list, which pages, sorts and searches.
   * `GET /o/notes` */
  getNotes(p: GetNotesParams = {}): Promise<Json> {
    return this.call('GET', '/o/notes', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', notes_apps: 'query', period: 'query', note_type: 'query', category: 'query' });
  }

  /** Whether the server accepts data. Needs no credentials of a member.
   * `GET /o/ping` */
  getPing(): Promise<Result> {
    return this.call('GET', '/o/ping');
  }

  /** List features. For global administrators.
   * `GET /o/plugins` */
  getPlugins(): Promise<Array<PluginsRow>> {
    return this.call('GET', '/o/plugins');
  }

  /** State of switching features. For global administrators.
   * `GET /o/plugins-check` */
  getPluginsCheck(): Promise<Result> {
    return this.call('GET', '/o/plugins-check');
  }

  /** Whether the name of an environment is free. Needs the right to read `populator`.
   * `GET /o/populator/environment/check` */
  getPopulatorEnvironmentCheck(p: GetPopulatorEnvironmentCheckParams): Promise<Json> {
    return this.call('GET', '/o/populator/environment/check', p, { app_id: 'query', environment_name: 'query' });
  }

  /** Users of an environment. Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
   * `GET /o/populator/environment/get` */
  getPopulatorEnvironmentGet(p: GetPopulatorEnvironmentGetParams): Promise<Json> {
    return this.call('GET', '/o/populator/environment/get', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', template_id: 'query', environment_id: 'query' });
  }

  /** List environments. Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
   * `GET /o/populator/environment/list` */
  getPopulatorEnvironmentList(p: GetPopulatorEnvironmentListParams): Promise<Json> {
    return this.call('GET', '/o/populator/environment/list', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** Delete an environment. Needs the right to delete `populator`.
   * `POST /o/populator/environment/remove` */
  postPopulatorEnvironmentRemove(p: PostPopulatorEnvironmentRemoveParams): Promise<Result> {
    return this.call('POST', '/o/populator/environment/remove', p, { app_id: 'body', environment_id: 'body', template_id: 'body' });
  }

  /** List templates of demo data. Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
   * `GET /o/populator/templates` */
  getPopulatorTemplates(p: GetPopulatorTemplatesParams): Promise<Json> {
    return this.call('GET', '/o/populator/templates', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', template_id: 'query', platform_type: 'query' });
  }

  /** Take a picture of a page of the dashboard. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `POST /o/render` */
  postRender(p: PostRenderParams = {}): Promise<RenderPicture> {
    return this.call('POST', '/o/render', p, { app_id: 'body', id: 'body', route: 'body', view: 'body' });
  }

  /** Retention. Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
   * `GET /o/retention`. A read that takes too long throws a PendingError. */
  getRetention(p: GetRetentionParams): Promise<RetentionReport | Json> {
    return this.call('GET', '/o/retention', p, { app_id: 'query', period: 'query', timezone: 'query', start: 'query', return: 'query', start_type: 'query', query: 'query', mode: 'query', unit: 'query', brackets: 'query', span: 'query', rolling: 'query', breakdown: 'query', breakdown_limit: 'query', value: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Users by days on which they were active. Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
   * `GET /o/retention/activity`. A read that takes too long throws a PendingError. */
  getRetentionActivity(p: GetRetentionActivityParams): Promise<RetentionActivity | Json> {
    return this.call('GET', '/o/retention/activity', p, { app_id: 'query', period: 'query', timezone: 'query', events: 'query', unit: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Users behind a cell of retention. Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
   * `GET /o/retention/people`. A read that takes too long throws a PendingError. */
  getRetentionPeople(p: GetRetentionPeopleParams): Promise<RetentionPeople> {
    return this.call('GET', '/o/retention/people', p, { app_id: 'query', period: 'query', timezone: 'query', start: 'query', return: 'query', start_type: 'query', query: 'query', mode: 'query', unit: 'query', brackets: 'query', span: 'query', rolling: 'query', breakdown: 'query', breakdown_limit: 'query', value: 'query', cohort: 'query', bracket: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Revenue by day. Needs the right to read `revenue`. A read that takes too long goes on as a task.
   * `GET /o/revenue`. A read that takes too long throws a PendingError. */
  getRevenue(p: GetRevenueParams): Promise<Record<string, Json>> {
    return this.call('GET', '/o/revenue', p, { app_id: 'query', period: 'query', timezone: 'query', timestamp: 'query', periodOffset: 'query', events: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** What users spend by the time since they were first seen. Needs the right to read `revenue`. A read that takes too long goes on as a task.
   * `GET /o/revenue/ltv`. A read that takes too long throws a PendingError. */
  getRevenueLtv(p: GetRevenueLtvParams): Promise<RevenueLifetimes | Json> {
    return this.call('GET', '/o/revenue/ltv', p, { app_id: 'query', period: 'query', timezone: 'query', events: 'query', filter: 'query', unit: 'query', ages: 'query', breakdown: 'query', breakdown_limit: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Revenue, paying users and averages. Needs the right to read `revenue`. A read that takes too long goes on as a task.
   * `GET /o/revenue/report`. A read that takes too long throws a PendingError. */
  getRevenueReport(p: GetRevenueReportParams): Promise<RevenueReport | Json> {
    return this.call('GET', '/o/revenue/report', p, { app_id: 'query', period: 'query', timezone: 'query', events: 'query', filter: 'query', bucket: 'query', breakdown: 'query', breakdown_limit: 'query', sort: 'query', compare: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Answer what SDKs ask for. Needs no credentials of a member.
   * `GET /o/sdk` */
  getSdk(p: GetSdkParams): Promise<Json> {
    return this.call('GET', '/o/sdk', p, { rr: 'query', app_key: 'query', device_id: 'query', method: 'query', keys: 'query', key: 'query' });
  }

  /** Content for a user. Needs no credentials of a member.
   * `GET /o/sdk/content` */
  getSdkContent(p: GetSdkContentParams): Promise<Json> {
    return this.call('GET', '/o/sdk/content', p, { rr: 'query', app_key: 'query', device_id: 'query', resolution: 'query' });
  }

  /** Data points by app. For every member. Tokens that are limited to apps may be used.
   * `GET /o/server-stats/data-points` */
  getServerStatsDataPoints(p: GetServerStatsDataPointsParams = {}): Promise<Record<string, ServerstatsPoints | Json>> {
    return this.call('GET', '/o/server-stats/data-points', p, { period: 'query', selected_app: 'query' });
  }

  /** Data points by hour. For every member. Tokens that are limited to apps may be used.
   * `GET /o/server-stats/punch-card` */
  getServerStatsPunchCard(p: GetServerStatsPunchCardParams = {}): Promise<ServerstatsPunchCard> {
    return this.call('GET', '/o/server-stats/punch-card', p, { period: 'query', selected_app: 'query' });
  }

  /** Apps with the most data points. For every member. Tokens that are limited to apps may be used.
   * `GET /o/server-stats/top` */
  getServerStatsTop(p: GetServerStatsTopParams = {}): Promise<Array<ServerstatsTopRow>> {
    return this.call('GET', '/o/server-stats/top', p, { period: 'query', selected_app: 'query' });
  }

  /** Users who were not active for long. Needs the right to read `slipping_away_users`.
   * `GET /o/slipping` */
  getSlipping(p: GetSlippingParams): Promise<Array<SlippingRow>> {
    return this.call('GET', '/o/slipping', p, { app_id: 'query', query: 'query' });
  }

  /** Names of stores. Needs no credentials of a member.
   * `GET /o/sources` */
  getSources(): Promise<Record<string, string>> {
    return this.call('GET', '/o/sources');
  }

  /** Run a statement in SQL. Needs the right to read `sql`. A read that takes too long goes on as a task.
   * `GET /o/sql`. A read that takes too long throws a PendingError. */
  getSql(p: GetSqlParams): Promise<SqlAnswer | Json> {
    return this.call('GET', '/o/sql', p, { app_id: 'query', sql: 'query', period: 'query', limit: 'query', form: 'query', report_name: 'query', report_desc: 'query', period_desc: 'query' });
  }

  /** Saved queries. Needs the right to read `sql`.
   * `GET /o/sql/queries` */
  getSqlQueries(p: GetSqlQueriesParams): Promise<Array<SqlListed>> {
    return this.call('GET', '/o/sql/queries', p, { app_id: 'query' });
  }

  /** Views that statements may read. Needs the right to read `sql`.
   * `GET /o/sql/schema` */
  getSqlSchema(p: GetSqlSchemaParams): Promise<Array<SqlShownView>> {
    return this.call('GET', '/o/sql/schema', p, { app_id: 'query' });
  }

  /** Names of stores. Needs no credentials of a member.
   * `GET /o/stores` */
  getStores(): Promise<Record<string, string>> {
    return this.call('GET', '/o/stores');
  }

  /** A widget for recommendations. Needs no credentials of a member.
   * `GET /o/surveys/nps/widget` */
  getSurveysNpsWidget(p: GetSurveysNpsWidgetParams = {}): Promise<Json> {
    return this.call('GET', '/o/surveys/nps/widget', p, { widget_id: 'query', widget_ids: 'query' });
  }

  /** A widget for ratings. Needs no credentials of a member.
   * `GET /o/surveys/rating/widget` */
  getSurveysRatingWidget(p: GetSurveysRatingWidgetParams = {}): Promise<Json> {
    return this.call('GET', '/o/surveys/rating/widget', p, { widget_id: 'query', widget_ids: 'query' });
  }

  /** A survey. Needs no credentials of a member.
   * `GET /o/surveys/survey/widget` */
  getSurveysSurveyWidget(p: GetSurveysSurveyWidgetParams = {}): Promise<Json> {
    return this.call('GET', '/o/surveys/survey/widget', p, { widget_id: 'query', widget_ids: 'query' });
  }

  /** Whether symbolication works. Needs the right to read `crashes`. Global administrators may leave out `app_id`.
   * `GET /o/symbolication/test_symbolication_connection` */
  getSymbolicationTestSymbolicationConnection(p: GetSymbolicationTestSymbolicationConnectionParams = {}): Promise<boolean> {
    return this.call('GET', '/o/symbolication/test_symbolication_connection', p, { app_id: 'query' });
  }

  /** Where symbolication is done. Needs the right to read `crashes`. Global administrators may leave out `app_id`.
   * `GET /o/symbolication/test_symbolication_endpoints` */
  getSymbolicationTestSymbolicationEndpoints(p: GetSymbolicationTestSymbolicationEndpointsParams = {}): Promise<Array<SymbolicationEndpoint>> {
    return this.call('GET', '/o/symbolication/test_symbolication_endpoints', p, { app_id: 'query' });
  }

  /** Whether the key of symbolication is right. Needs the right to read `crashes`. Global administrators may leave out `app_id`.
   * `GET /o/symbolication/test_symbolication_key` */
  getSymbolicationTestSymbolicationKey(p: GetSymbolicationTestSymbolicationKeyParams = {}): Promise<boolean> {
    return this.call('GET', '/o/symbolication/test_symbolication_key', p, { app_id: 'query' });
  }

  /** Whether results of symbolication arrive. Needs the right to read `crashes`. Global administrators may leave out `app_id`.
   * `GET /o/symbolication/test_symbolication_return_connection` */
  getSymbolicationTestSymbolicationReturnConnection(p: GetSymbolicationTestSymbolicationReturnConnectionParams = {}): Promise<boolean> {
    return this.call('GET', '/o/symbolication/test_symbolication_return_connection', p, { app_id: 'query' });
  }

  /** How far projection is. For every member.
   * `GET /o/system/aggregator` */
  getSystemAggregator(): Promise<Array<SystemAggregatorRow>> {
    return this.call('GET', '/o/system/aggregator');
  }

  /** Load of processors. For global administrators.
   * `GET /o/system/cpu` */
  getSystemCpu(): Promise<Result> {
    return this.call('GET', '/o/system/cpu');
  }

  /** State of the document store. For global administrators.
   * `GET /o/system/database` */
  getSystemDatabase(): Promise<Result> {
    return this.call('GET', '/o/system/database');
  }

  /** Whether the document store answers. For global administrators.
   * `GET /o/system/dbCheck` */
  getSystemDbCheck(): Promise<Result> {
    return this.call('GET', '/o/system/dbCheck');
  }

  /** Whether the document store answers. For global administrators.
   * `GET /o/system/dbcheck` */
  getSystemDbcheck(): Promise<Result> {
    return this.call('GET', '/o/system/dbcheck');
  }

  /** Room on disks. For global administrators.
   * `GET /o/system/disks` */
  getSystemDisks(): Promise<Result> {
    return this.call('GET', '/o/system/disks');
  }

  /** Whether conditions hold. For global administrators.
   * `GET /o/system/healthcheck` */
  getSystemHealthcheck(p: GetSystemHealthcheckParams): Promise<Result> {
    return this.call('GET', '/o/system/healthcheck', p, { test: 'query' });
  }

  /** Figures of the machine over time. For global administrators.
   * `GET /o/system/history` */
  getSystemHistory(): Promise<SystemutilityHistoryRes> {
    return this.call('GET', '/o/system/history');
  }

  /** State of the journal. For every member.
   * `GET /o/system/kafka` */
  getSystemKafka(): Promise<SystemKafkaState> {
    return this.call('GET', '/o/system/kafka');
  }

  /** Events of the journal. For every member. The answer is a list, which pages, sorts and searches.
   * `GET /o/system/kafka/events` */
  getSystemKafkaEvents(p: GetSystemKafkaEventsParams = {}): Promise<Json> {
    return this.call('GET', '/o/system/kafka/events', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** What events of the journal can be filtered by. For every member.
   * `GET /o/system/kafka/events/meta` */
  getSystemKafkaEventsMeta(): Promise<SystemKafkaMeta> {
    return this.call('GET', '/o/system/kafka/events/meta');
  }

  /** Memory. For global administrators.
   * `GET /o/system/memory` */
  getSystemMemory(): Promise<Result> {
    return this.call('GET', '/o/system/memory');
  }

  /** Parts of the server and their state. For every member.
   * `GET /o/system/observability` */
  getSystemObservability(): Promise<Array<SystemServiceRow>> {
    return this.call('GET', '/o/system/observability');
  }

  /** Figures of the machine. For global administrators.
   * `GET /o/system/overall` */
  getSystemOverall(): Promise<Result> {
    return this.call('GET', '/o/system/overall');
  }

  /** Features that are there. For every member.
   * `GET /o/system/plugins` */
  getSystemPlugins(): Promise<Array<string>> {
    return this.call('GET', '/o/system/plugins');
  }

  /** Version of the program. For every member.
   * `GET /o/system/version` */
  getSystemVersion(): Promise<SystemVersion> {
    return this.call('GET', '/o/system/version');
  }

  /** List tasks. Needs the right to read `core`. Global administrators may leave out `app_id`. The answer is a list, which pages, sorts and searches.
   * `GET /o/tasks/all` */
  getTasksAll(p: GetTasksAllParams = {}): Promise<Json> {
    return this.call('GET', '/o/tasks/all', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', query: 'query', app_ids: 'query', period: 'query', data_source: 'query' });
  }

  /** State of tasks. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/tasks/check` */
  getTasksCheck(p: GetTasksCheckParams): Promise<Result> {
    return this.call('GET', '/o/tasks/check', p, { app_id: 'query', task_id: 'query' });
  }

  /** Tasks by state. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/tasks/count` */
  getTasksCount(p: GetTasksCountParams = {}): Promise<Array<TasksCountRow>> {
    return this.call('GET', '/o/tasks/count', p, { app_id: 'query', query: 'query', app_ids: 'query', period: 'query', data_source: 'query' });
  }

  /** List tasks as a table. Needs the right to read `core`. Global administrators may leave out `app_id`. The answer is a list, which pages, sorts and searches.
   * `GET /o/tasks/list` */
  getTasksList(p: GetTasksListParams = {}): Promise<Json> {
    return this.call('GET', '/o/tasks/list', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', query: 'query', app_ids: 'query', period: 'query', data_source: 'query' });
  }

  /** Result of a task. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/tasks/task` */
  getTasksTask(p: GetTasksTaskParams): Promise<TasksView> {
    return this.call('GET', '/o/tasks/task', p, { app_id: 'query', task_id: 'query' });
  }

  /** Themes of the dashboard. For every member.
   * `GET /o/themes` */
  getThemes(): Promise<Array<string>> {
    return this.call('GET', '/o/themes');
  }

  /** Whether a token is valid. For every member. Tokens that are limited to apps may be used.
   * `GET /o/token/check` */
  getTokenCheck(p: GetTokenCheckParams): Promise<Result> {
    return this.call('GET', '/o/token/check', p, { token: 'query' });
  }

  /** List tokens of the caller. For every member. The answer is a list, which pages, sorts and searches. Tokens that are limited to apps may be used.
   * `GET /o/token/list` */
  getTokenList(p: GetTokenListParams = {}): Promise<Json> {
    return this.call('GET', '/o/token/list', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** Settings of the caller. For every member.
   * `GET /o/userconfigs` */
  getUserconfigs(): Promise<Record<string, Record<string, Json>>> {
    return this.call('GET', '/o/userconfigs');
  }

  /** List members. For global administrators. The answer is a list, which pages, sorts and searches.
   * `GET /o/users/all` */
  getUsersAll(p: GetUsersAllParams = {}): Promise<Json> {
    return this.call('GET', '/o/users/all', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** A member. For global administrators.
   * `GET /o/users/id` */
  getUsersId(p: GetUsersIdParams): Promise<Record<string, MembersAccount>> {
    return this.call('GET', '/o/users/id', p, { id: 'query' });
  }

  /** The caller. For every member.
   * `GET /o/users/me` */
  getUsersMe(): Promise<MembersAccount> {
    return this.call('GET', '/o/users/me');
  }

  /** Features that rights are given on. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `GET /o/users/permissions` */
  getUsersPermissions(p: GetUsersPermissionsParams = {}): Promise<MembersFeatures> {
    return this.call('GET', '/o/users/permissions', p, { app_id: 'query' });
  }

  /** Let a member sign in again after failures. For global administrators.
   * `POST /o/users/reset_timeban` */
  postUsersResetTimeban(p: PostUsersResetTimebanParams): Promise<boolean> {
    return this.call('POST', '/o/users/reset_timeban', p, { username: 'body' });
  }

  /** List sessions of the caller. For every member. The answer is a list, which pages, sorts and searches.
   * `GET /o/users/sessions` */
  getUsersSessions(p: GetUsersSessionsParams = {}): Promise<Json> {
    return this.call('GET', '/o/users/sessions', p, { iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query' });
  }

  /** This description. OpenAPI 3.1, made of the routes of the server.
   * `GET /openapi.json` */
  getOpenAPI(): Promise<Json> {
    return this.call('GET', '/openapi.json');
  }

  /** Send a request of a client by a picture. Takes the parameters of `/i`; the answer is a picture.
   * `GET /pixel.png` */
  getPixel(p: GetPixelParams): Promise<Blob> {
    return this.raw('GET', '/pixel.png', p, { app_key: 'query', device_id: 'query' });
  }

  /** Whether data is accepted. For probes of monitoring.
   * `GET /readyz` */
  getReadyz(): Promise<Blob> {
    return this.raw('GET', '/readyz');
  }

  /** Style sheet of rating widgets. Needs no credentials of a member.
   * `GET /star-rating/stylesheets/countly-feedback-web.css` */
  getStarRatingStylesheetsCountlyFeedbackWebCss(): Promise<Blob> {
    return this.raw('GET', '/star-rating/stylesheets/countly-feedback-web.css');
  }

  /** Style sheet of surveys. Needs no credentials of a member.
   * `GET /surveys/stylesheets/countly-surveys.css` */
  getSurveysStylesheetsCountlySurveysCss(): Promise<Blob> {
    return this.raw('GET', '/surveys/stylesheets/countly-surveys.css');
  }

  /** Script of heat maps. Needs no credentials of a member.
   * `GET /views/heatmap.js` */
  getViewsHeatmapJs(): Promise<Blob> {
    return this.raw('GET', '/views/heatmap.js');
  }
}

export interface ActiveusersDayRow {
  _id: string;
  d: number;
  dm: number;
  m: number;
  w: number;
}

export interface ActiveusersFigures {
  d: number;
  dm: number;
  dw: number;
  m: number;
  w: number;
}

export interface ActiveusersGroupRow {
  days: Array<ActiveusersTriple>;
  mean: ActiveusersFigures;
  other?: boolean;
  users: number;
  value: Json;
}

export interface ActiveusersReport {
  days: Array<ActiveusersDayRow>;
  groups?: Array<ActiveusersGroupRow>;
  groups_total?: number;
  mean: ActiveusersFigures;
  mean_days: number;
  months: Array<ActiveusersUnitRow>;
  source: string;
  timezone: string;
  today: string;
  users: number;
  weeks: Array<ActiveusersUnitRow>;
}

export interface ActiveusersTable {
  calculating: boolean;
  data: Json;
}

export interface ActiveusersTriple {
  d: number;
  m: number;
  w: number;
}

export interface ActiveusersUnitRow {
  _id: string;
  first: string;
  over: boolean;
  u: number;
}

export interface AnalyticsDurationRow {
  ds: string;
  percent: string;
  t: number;
}

export interface AnalyticsFrequencyRow {
  f: string;
  percent: string;
  t: number;
}

export interface AnalyticsLoyaltyRow {
  l: string;
  percent: string;
  t: number;
}

export interface AnalyticsPeriodRes {
  currentPeriodArr: Array<string>;
  daysInPeriod: number;
  end: number;
  periodContainsToday: boolean;
  start: number;
}

export interface AppsCreated {
  _id: string;
  app_id: string;
  category: string;
  country: string;
  created_at: number;
  edited_at: number;
  has_image: boolean;
  id_key: string;
  image?: string;
  key: string;
  locked?: boolean;
  name: string;
  owner: string;
  paused?: boolean;
  plugins?: Record<string, Json>;
  salt?: string;
  seq: number;
  timezone: string;
  type: string;
}

export interface AppsDetails {
  admin: Array<AppsPerson>;
  app: Json;
  global_admin: Array<AppsPerson>;
  user: Array<AppsPerson>;
}

export interface AppsPerson {
  _id: string;
  full_name: string;
  username: string;
}

export interface AppusersCountsRes {
  total: number;
  unidentified: number;
}

export interface AppusersLoyaltyRes {
  '30days': Array<QueryLoyaltyRow>;
  '7days': Array<QueryLoyaltyRow>;
  all: Array<QueryLoyaltyRow>;
}

export interface AppusersStarted {
  result: AppusersStartedTask;
}

export interface AppusersStartedTask {
  backups?: string;
  id?: string;
  task_id: string;
}

export interface AttributionCostsRes {
  days: number;
  missed: number;
  result: string;
  rows: number;
  unmatched: Array<string>;
}

export interface AttributionCredit {
  _id: string;
  conversions: number;
  users: number;
  value: number;
}

export interface AttributionReportRes {
  by: string;
  conversions: number;
  event: string;
  model: string;
  rows: Array<AttributionCredit>;
  users: number;
  value: number;
  window: number;
}

export interface AttributionVisitRow {
  _id: string;
  n: number;
  t: number;
  u: number;
}

export interface AttributionVisitsRes {
  by: string;
  channels: Record<string, Array<number>>;
  days: Array<string>;
  rows: Array<AttributionVisitRow>;
  totals: AttributionVisitRow;
}

export interface CohortsAdded {
  duplicate: boolean;
  result: string;
}

export interface CohortsData {
  _id: string;
  data: Record<string, Json>;
}

export interface CohortsIdentified {
  _id: string;
  last_calculated: number;
  name: string;
  state: string;
}

export interface CohortsMetricsRes {
  in_cohort: number;
  metrics: Record<string, Record<string, number>>;
}

export interface CohortsPreviewRes {
  of: number;
  users: number;
}

export interface CohortsReport {
  changed: number;
  matched: number;
  missed: number;
  result: string;
  unmatched: Array<string>;
}

export interface CohortsSignature {
  cid: Array<string>;
  data: CohortsStep;
}

export interface CohortsStateRes {
  cohorts: Record<string, CohortsIdentified>;
  hashes: Record<string, CohortsSignature>;
  ts: number;
}

export interface CohortsStep {
  conj?: string;
  event: string;
  period: string;
  query?: Json;
  times?: Json;
  type: string;
}

export interface CompareAppRow {
  avgduration: Json;
  charts: Json;
  duration: Json;
  id: string;
  name: string;
  newusers: Json;
  sessions: Json;
  users: QueryEstimatedFigure;
}

export interface CompliancehubChangesTable {
  aaData: Array<Record<string, Json>>;
  hasNextPage: boolean;
  iTotalDisplayRecords: number;
  iTotalRecords: number;
  isApproximate: boolean;
  nextCursor: string | null;
  paginationMode: string;
  sEcho?: Json;
}

export interface ConcurrentusersCount {
  n: number;
  o: number;
}

export interface ConcurrentusersMetrics {
  ns_n?: Record<string, Json>;
  ns_o: Record<string, Json>;
}

export interface ConcurrentusersNow {
  n: number;
  nm: number;
  o: number;
  om: number;
}

export interface ConcurrentusersOverview {
  at: number;
  days: Array<ConcurrentusersPoint>;
  hours: Array<ConcurrentusersPoint>;
  m: ConcurrentusersParts;
  minutes: Array<ConcurrentusersPoint>;
  most: ConcurrentusersPoint;
  now: ConcurrentusersCount;
  whole: boolean;
  window: number;
}

export interface ConcurrentusersParts {
  cc: Record<string, number>;
  lv: Record<string, number>;
  src: Record<string, number>;
}

export interface ConcurrentusersPoint {
  n: number;
  na?: number;
  o: number;
  oa?: number;
  t: number;
}

export interface ConcurrentusersShownAlert {
  _id: string;
  app: string;
  condition_title: string;
  createdByUser?: string;
  created_by: string;
  def?: string;
  defined_at: number;
  email: Array<string>;
  enabled: boolean;
  last_triggered?: number;
  minutes: number;
  name: string;
  status: string;
  type: string;
  users: number;
}

export interface CrashesChanged {
  _id: string;
  before: number;
  name: string;
  nonfatal: boolean;
  ratio: number;
  reports: number;
}

export interface CrashesCondition {
  not?: boolean;
  pattern: string;
  what: string;
}

export interface CrashesFingerprintRule {
  match: Array<CrashesCondition>;
  parts: Array<string>;
}

export interface CrashesGrouped {
  algorithm: number;
  fingerprints: Array<CrashesFingerprintRule>;
  stack: Array<CrashesStackRule>;
}

export interface CrashesReleaseChange {
  before: string;
  counts: Json;
  fatal: number;
  frequent: Array<CrashesChanged>;
  new: Array<CrashesChanged>;
  nonfatal: number;
  returned: Array<CrashesChanged>;
  sessions: number;
  version: string;
}

export interface CrashesReleasesRes {
  releases: Array<CrashesReleaseChange>;
}

export interface CrashesRulesRes {
  at: number;
  by: string;
  merged: number;
  pins: number;
  rules: CrashesGrouped;
  task: string;
  version: number;
}

export interface CrashesSpreading {
  _id: string;
  first: number;
  name: string;
  nonfatal: boolean;
  sessions: number;
  share: number;
  users: number;
}

export interface CrashesStackRule {
  do: string;
  match: Array<CrashesCondition>;
}

export interface CrashesTaskRes {
  task: string;
}

export interface CrashesVariantRes {
  _id: string;
  error: string;
  lastTs: number;
  name: string;
  pinned: boolean;
  reports: number;
  startTs: number;
  users: number;
}

export interface CrashesVariantsRes {
  total: number;
  variants: Array<CrashesVariantRes>;
}

export interface CrashesVelocity {
  groups: Array<CrashesSpreading>;
  least: number;
  minutes: number;
  percent: number;
  sessions: number;
}

export interface DatepresetsDeleted {
  acknowledged: boolean;
  deletedCount: number;
}

export interface DefinedeventsUse {
  id: string;
  kind: string;
  name: string;
}

export interface DefinedeventsUsesOf {
  others: number;
  uses: Array<DefinedeventsUse>;
}

export interface DrillCompareRes {
  data: Json;
  from: number;
  other?: DrillOtherRes | Json;
  segments?: Json;
  to: number;
  totals: QueryFigures;
}

export interface DrillOtherRes {
  data: Json;
  dur: number;
  groups?: number | null;
  m?: Array<number | null>;
  s: number;
  t: number;
  u: number;
}

export interface DrillPageData {
  curPage: number;
  end: number;
  limit: number;
  pages: number;
  start: number;
  total: number;
}

export interface DrillPeopleRes {
  total: number;
  users: Array<QueryTrendUser>;
}

export interface DrillSegmentationRes {
  app_id: string;
  buckets: Array<string>;
  compare?: DrillCompareRes | Json;
  data: Json;
  lu: string;
  other?: DrillOtherRes | Json;
  page_data?: DrillPageData | Json;
  query_time: number;
  segments?: Json;
  totals: QueryFigures;
}

export interface EventsCard {
  eventKey: string;
  eventName: string;
  eventProperty: string;
  is_event_group: boolean;
  order: number;
  propertyName: string;
}

export interface EventsLimits {
  event_limit: number;
  event_segmentation_limit: number;
  event_segmentation_value_limit: number;
}

export interface EventsList {
  limits: EventsLimits;
  list?: Array<string>;
  map?: Record<string, Record<string, Json>>;
  omitted_segments?: Record<string, Array<string>>;
  order?: Array<string>;
  overview?: Array<EventsCard>;
  segments?: Record<string, Array<string>>;
  whitelisted_segments?: Record<string, Array<string>>;
}

export interface ExploreCountRes {
  count: number;
  total: number;
}

export interface ExploreEventProperties {
  key: string;
  properties: Array<ExploreProperty>;
}

export interface ExplorePropertiesRes {
  custom: Array<ExploreProperty>;
  events: Array<ExploreEventProperties>;
}

export interface ExploreProperty {
  kind: string;
  name: string;
}

export interface FlowsData {
  _id?: string;
  calculated: number;
  flow?: string;
  from: number;
  levels: Array<FlowsLevel>;
  paths: number;
  period: string;
  to: number;
  users: number;
}

export interface FlowsLevel {
  level: number;
  links: Array<FlowsLink>;
  nodes: Array<FlowsNode>;
}

export interface FlowsLink {
  from: number;
  paths: number;
  to: number;
  users: number;
}

export interface FlowsNode {
  ended: number;
  event?: string;
  name?: string;
  other?: boolean;
  paths: number;
  users: number;
  value?: string;
}

export interface FormulasChecked {
  at?: number | null;
  correct: boolean;
  error?: string;
  seconds: number;
}

export interface FormulasSaved {
  action: string;
  id: string;
  status: string;
}

export interface FunnelsAnalysis {
  conversion: FunnelsSpread;
  echo?: Json;
  groups?: Array<FunnelsGroupRow>;
  significance?: FunnelsSignificance | Json;
  steps: Array<FunnelsStepRow>;
  success_rate: number;
  success_users: number;
  total_users: number;
  trend?: Array<FunnelsTrendRow>;
  users_in_first_step: number;
}

export interface FunnelsBar {
  count: number;
  to?: number;
}

export interface FunnelsComparison {
  adjusted: number;
  difference: number;
  differenceHigh: number;
  differenceLow: number;
  exact?: boolean;
  odds: number;
  oddsHigh: number;
  oddsLow: number;
  p: number;
  percent: number;
  percentHigh: number;
  percentLow: number;
}

export interface FunnelsDayRow {
  _id: string;
  success_rate: number;
  success_users: number;
  total_users: number;
  users_in_first_step: number;
}

export interface FunnelsGroupRow {
  comparison?: FunnelsComparison | Json;
  other?: boolean;
  users: Array<number>;
  value: Json;
}

export interface FunnelsSignificance {
  base?: string;
  chiSquared: number;
  freedom: number;
  p: number;
  rough?: boolean;
  step: number;
}

export interface FunnelsSpread {
  count: number;
  histogram: Array<FunnelsBar>;
  max: number;
  mean: number;
  median: number;
  min: number;
  p75: number;
  p90: number;
  p95: number;
}

export interface FunnelsStepRow {
  attempts: number;
  averageTimeSpend: number;
  optional?: boolean;
  percent: number;
  percentLeft: number;
  percentLeftUserEntered: number;
  percentUserEntered: number;
  query: Json;
  step: Json;
  timeSpend?: FunnelsSpread | Json;
  times: number;
  users: number;
}

export interface FunnelsTrendRow {
  _id: string;
  open?: boolean;
  success_rate: number;
  success_users: number;
  users: Array<number>;
}

export interface FunnelsUserRow {
  _id: string;
  data: FunnelsAnalysis | Json;
  name: string;
  step: number;
  steps: Array<Json>;
}

export interface KernelMemory {
  limit: number;
  resident: number;
}

export interface LiveTiles {
  at: number;
  minutes: Array<QueryMinute>;
  online: number;
  users: number;
}

export interface LocaleLanguage {
  englishName: string;
  nativeName: string;
}

export interface LoggerInfo {
  capped: boolean;
  count: number;
  max: number;
  status: string;
}

export interface MembersAccount {
  _id: string;
  api_key?: string;
  blocked?: boolean | null;
  created_at: number;
  email: string;
  full_name: string;
  global_admin: boolean;
  homeSettings?: Record<string, Json>;
  is_current_user?: boolean | null;
  lang?: string;
  last_login: number;
  locked: boolean;
  must_change_password?: boolean;
  password_changed: number;
  password_expired?: boolean;
  permission: Json;
  settings?: Record<string, Json>;
  username: string;
}

export interface MembersFeatures {
  features: Array<string>;
  featuresPermissionDependency: Record<string, Record<string, Record<string, Array<string>>>>;
}

export interface MembersRotated {
  api_key?: string;
  result: string;
}

export interface OutcomesAnswer {
  clamped: Record<string, number>;
  days: Record<string, Record<string, Record<string, number>>>;
  period: string;
  totals: Record<string, Record<string, number>>;
}

export interface PluginsRow {
  author: string;
  cly_dependencies: Record<string, Json>;
  code: string;
  description: string;
  enabled: boolean;
  fixed?: boolean;
  homepage: string;
  name: string;
  title: string;
  version: string;
}

export interface QueryCountryRow {
  code: string;
  country: string;
  n: number;
  t: number;
  u: number;
}

export interface QueryEstimatedFigure {
  change: string;
  is_estimate: boolean;
  total: number;
  trend: string;
}

export interface QueryEventOverview {
  data: Json;
}

export interface QueryFigures {
  dur: number;
  m?: Array<number | null>;
  s: number;
  t: number;
  u: number;
}

export interface QueryHeadline {
  avg_requests: Json;
  avg_time: Json;
  new_users: Json;
  total_sessions: Json;
  total_time: Json;
  total_users: QueryEstimatedFigure;
}

export interface QueryLoyaltyRow {
  _id: string;
  count: number;
  index: number;
}

export interface QueryMetricRow {
  _id: string;
  n: number;
  t: number;
  u: number;
}

export interface QueryMinute {
  events: number;
  new_users: number;
  sessions: number;
}

export interface QuerySessionRow {
  _id: string;
  d: number;
  e: number;
  n: number;
  t: number;
  u: number;
}

export interface QuerySummary {
  dashboard: QueryHeadline;
  period: string;
  top: Json;
}

export interface QueryTopEvent {
  _id: string;
  change: string;
  count: number;
  duration: number;
  name: string;
  sum: number;
  trend: string;
}

export interface QueryTrendUser {
  did?: string;
  lac?: number;
  last: number;
  name?: string;
  t: number;
  uid: string;
}

export interface QueryUsersRow {
  _id: string;
  pu: number;
  u: number;
}

/** What became of a request of a client. */
export interface Receipt {
  /** Code of the fault; accepted items have none. */
  code?: string;
  /** Of the request, from 0. */
  index: number;
  items?: Array<ReceiptItem>;
  /** How many items are not listed. */
  left_off?: number;
  /** Ignored is what is in order and counts nothing; pending is stored and not processed yet. */
  outcome: "accepted" | "ignored" | "refused" | "pending";
}

/** What became of a part of a request. */
export interface ReceiptItem {
  /** Code of the fault; accepted items have none. */
  code?: string;
  /** Of an event, among the events as they were sent, from 0. */
  index?: number;
  item: "session" | "event" | "crash" | "trace" | "picture";
  /** Ignored is what is in order and counts nothing; pending is stored and not processed yet. */
  outcome: "accepted" | "ignored" | "refused" | "pending";
}

export interface RenderPicture {
  path: string;
}

export interface Result {
  /** The answer, or `Success`. */
  result: Json;
}

export interface RetentionActivity {
  interval: RetentionInterval;
  lifecycle: Array<RetentionLifecycleRow>;
  stickiness: Array<RetentionStickyRow>;
  timezone: string;
  unit: string;
  users: number;
}

export interface RetentionBracketRow {
  from: number;
  to: number;
}

export interface RetentionCohortRow {
  _id: string;
  cells: Array<RetentionFigures | Json>;
  start: number;
  users: number;
}

export interface RetentionFigures {
  kept: number;
  over: number;
  percent: number;
  users: number;
  value?: number | null;
  value_per_user?: number | null;
}

export interface RetentionGroupRow {
  cells: Array<RetentionFigures | Json>;
  other?: boolean;
  users: number;
  value: Json;
}

export interface RetentionInterval {
  histogram: Array<RetentionStickyRow>;
  median: number;
  p80: number;
  users: number;
}

export interface RetentionLifecycleRow {
  _id: string;
  dormant: number;
  new: number;
  resurrected: number;
  returning: number;
  start: number;
}

export interface RetentionPeople {
  uids: Array<string>;
  users: number;
}

export interface RetentionReport {
  brackets: Array<RetentionBracketRow>;
  from: number;
  groups?: Array<RetentionGroupRow>;
  mean: Array<RetentionFigures | Json>;
  mode: string;
  rolling: boolean;
  rows: Array<RetentionCohortRow>;
  source: string;
  start_type: string;
  timezone: string;
  to: number;
  unit: string;
  users: number;
}

export interface RetentionStickyRow {
  units: number;
  users: number;
}

export interface RevenueAgeCell {
  ltv: number | null;
  over: boolean;
  paying: number;
  revenue: number;
}

export interface RevenueAgePoint {
  ltv: number;
  paying_percent: number;
  revenue: number;
  users: number;
}

export interface RevenueBesidePoint {
  arppu: number | null;
  arpu: number | null;
  at: string;
  average_order: number | null;
  beside: string;
  paying: number;
  paying_percent: number | null;
  refunds: number;
  revenue: number;
  transactions: number;
  transactions_per_payer: number | null;
  users: number | null;
}

export interface RevenueEarlier {
  data: Array<RevenueBesidePoint>;
  from: number;
  groups?: Array<RevenueFigures>;
  to: number;
  totals: RevenueFigures;
}

export interface RevenueFigures {
  arppu: number | null;
  arpu: number | null;
  average_order: number | null;
  paying: number;
  paying_percent: number | null;
  refunds: number;
  revenue: number;
  transactions: number;
  transactions_per_payer: number | null;
  users: number | null;
}

export interface RevenueGroup {
  arppu: number | null;
  arpu: number | null;
  average_order: number | null;
  data?: Array<RevenuePoint>;
  paying: number;
  paying_percent: number | null;
  refunds: number;
  revenue: number;
  transactions: number;
  transactions_per_payer: number | null;
  users: number | null;
  values: Array<Json>;
}

export interface RevenueLifetimeOf {
  curve: Array<RevenueAgePoint | Json>;
  other?: boolean;
  users: number;
  value: Json;
}

export interface RevenueLifetimeRow {
  _id: string;
  cells: Array<RevenueAgeCell | Json>;
  start: number;
  users: number;
}

export interface RevenueLifetimes {
  ages: number;
  configured: Array<string>;
  curve: Array<RevenueAgePoint | Json>;
  events: Array<string>;
  from: number;
  groups?: Array<RevenueLifetimeOf>;
  rows: Array<RevenueLifetimeRow>;
  timezone: string;
  to: number;
  unit: string;
  users: number;
}

export interface RevenueOtherRes {
  arppu: number | null;
  arpu: number | null;
  average_order: number | null;
  groups: number;
  paying: number;
  paying_percent: number | null;
  refunds: number;
  revenue: number;
  transactions: number;
  transactions_per_payer: number | null;
  users: number | null;
}

export interface RevenuePoint {
  arppu: number | null;
  arpu: number | null;
  at: string;
  average_order: number | null;
  paying: number;
  paying_percent: number | null;
  refunds: number;
  revenue: number;
  transactions: number;
  transactions_per_payer: number | null;
  users: number | null;
}

export interface RevenueReport {
  bucket: string;
  compare?: RevenueEarlier | Json;
  configured: Array<string>;
  data: Array<RevenuePoint>;
  events: Array<string>;
  from: number;
  groups?: Array<RevenueGroup>;
  lu: number;
  other?: RevenueOtherRes | Json;
  timezone: string;
  to: number;
  totals: RevenueFigures;
}

export interface ServerstatsPoints {
  aclk: number;
  actions: number;
  apm: number;
  change: number;
  crash: number;
  cs: number;
  custom: number;
  dp: number;
  events: number;
  llm: number;
  nps: number;
  ps: number;
  push: number;
  ratings: number;
  sessions: number;
  surveys: number;
  views: number;
}

export interface ServerstatsPunchCard {
  data: Array<Json>;
  dayCount: number;
  labels: Array<string>;
}

export interface ServerstatsTopRow {
  a: string;
  v: number;
}

export interface SettingsDeclaration {
  default: Json;
  max: number;
  min: number;
  one_of?: Array<string>;
  per_app: boolean;
  per_member: boolean;
  type: string;
  value?: Json;
}

export interface SlippingRow {
  count: number;
  percentage: string;
  period: number;
  timeStamp: number;
}

export interface SqlAnswer {
  columns: Array<SqlboxResultColumn>;
  from: number;
  read: number;
  rows: Array<Json>;
  to: number;
  took: number;
  truncated: boolean;
}

export interface SqlListed {
  _id: string;
  chart: string;
  created_at: number;
  editable: boolean;
  edited_at: number;
  name: string;
  owner: string;
  period: string;
  shared: boolean;
  sql: string;
}

export interface SqlShownView {
  columns: Array<SqlboxColumn>;
  name: string;
}

export interface SqlboxColumn {
  name: string;
  type: string;
}

export interface SqlboxResultColumn {
  name: string;
  type: string;
}

export interface Stored {
  /** That the request was stored before. */
  info?: string;
  /** What became of each request, where `receipt` asks for it. */
  receipt?: Array<Receipt>;
  /** `Success`, or why the request is dropped. */
  result: string;
}

export interface SymbolicationAdded {
  _id: string;
  message: string;
  problem?: string;
}

export interface SymbolicationEndpoint {
  value: string;
}

export interface SymbolicationEntry {
  _id: string;
  builds: Array<string>;
  files: Array<SymbolicationUpload>;
  note: string;
  platform: string;
  problem: string;
  several: boolean;
  size: number;
  sym_tool_ver: string;
  ts: number;
}

export interface SymbolicationLack {
  build: string;
  last: number;
  os: string;
  reports: number;
  uuid: string;
  version: string;
}

export interface SymbolicationListed {
  _id: string;
  build: Json;
  filename?: string;
  filenames?: Array<SymbolicationUpload>;
  note: string;
  parts?: number | null;
  platform: string;
  problem?: string;
  several?: number | null;
  sym_tool_ver?: string;
  ts: number;
  uploads?: number | null;
}

export interface SymbolicationOverview {
  by_key: boolean;
  days: number;
  max_files: number;
  max_symbols: number;
  missing: Array<SymbolicationLack>;
  most: number;
  symbols: Array<SymbolicationEntry>;
  used: number;
}

export interface SymbolicationUpload {
  id: string;
  name: string;
  size: number;
}

export interface SystemAggregatorRow {
  diff: number;
  diffDrill: number;
  drill: string;
  last_cd: string | null;
  last_id: string;
  name: string;
}

export interface SystemKafkaMeta {
  clusterIds: Array<string>;
  eventTypes: Array<string>;
  groupIds: Array<string>;
  topics: Array<string>;
}

export interface SystemKafkaState {
  connectStatus: Json;
  consumers: Array<string>;
  lagHistory: Array<string>;
  partitions: Array<string>;
  summary: Json;
}

export interface SystemServiceRow {
  lag: number;
  service: string;
  status: string;
}

export interface SystemVersion {
  version: string;
}

export interface SystemutilityHistoryRes {
  memory: KernelMemory;
  minutes: Array<SystemutilitySample>;
  quarters: Array<SystemutilitySample>;
}

export interface SystemutilitySample {
  cpu: number;
  disk: number;
  memory: number;
  resident: number;
  ts: number;
  waiting: number;
}

export interface TasksCountRow {
  _id: string;
  c: number;
}

export interface TasksFile {
  name: string;
  size: number;
  type: string;
}

export interface TasksProgress {
  done: number;
  total: number;
}

export interface TasksView {
  _id: string;
  app_id: string;
  autoRefresh: boolean;
  creator: string;
  data?: Json;
  end?: number;
  errormsg?: string;
  file?: TasksFile | Json;
  global: boolean;
  hasData: boolean;
  manually_create: boolean;
  name?: string;
  period_desc?: string;
  progress?: TasksProgress | Json;
  report_desc?: string;
  report_name: string;
  start?: number;
  status: string;
  ts: number;
  type: string;
  view?: string;
}

export interface ViewsActionRow {
  c: number;
  sg: Record<string, Json>;
}

export interface ViewsActionsRes {
  data: Array<ViewsActionRow>;
  domains: Array<string>;
  types: Array<string>;
}

export interface ViewsCountRes {
  result: number;
}

export interface ViewsSegmentsRes {
  domains: Array<string>;
  omit?: Array<string>;
  segments: Record<string, Array<string>>;
}
