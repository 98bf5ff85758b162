// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result, TrackersJiraView, TrackersLinked } from '../types.js';

/** Parameters of {@link Quipu.postTrackersRemove}. */
export interface PostTrackersRemoveParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postTrackersSettings}. */
export interface PostTrackersSettingsParams {
  /** Id of the app. */
  app_id: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postTrackersState}. */
export interface PostTrackersStateParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
  /** State that the issue gets. */
  state: "open" | "doing" | "done";
}

/** Parameters of {@link Quipu.postTrackersSync}. */
export interface PostTrackersSyncParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
}

/** Parameters of {@link Quipu.postTrackersUnlink}. */
export interface PostTrackersUnlinkParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
}

/** Parameters of {@link Quipu.getMethodCrashesJira}. */
export interface GetMethodCrashesJiraParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash group. */
  crashgroup_id?: string;
  /** Ids of crash groups. */
  crashgroups?: Json;
}

/** Parameters of {@link Quipu.getTrackers}. */
export interface GetTrackersParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.getTrackersDraft}. */
export interface GetTrackersDraftParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
  /** Address of the dashboard, for the link in the text. */
  address?: string;
}

/** Parameters of {@link Quipu.getTrackersIssue}. */
export interface GetTrackersIssueParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
}

/** Operations of the group trackers2. */
export class Trackers2Operations extends Base {
  /** Remove the issue tracker of an app, and its token. For administrators of the app.
   * `POST /i/trackers/remove` */
  postTrackersRemove(p: PostTrackersRemoveParams): Promise<Result> {
    return this.call('POST', '/i/trackers/remove', p, { app_id: 'body' });
  }

  /** Set the issue tracker of an app. For administrators of the app.
   * `POST /i/trackers/settings` */
  postTrackersSettings(p: PostTrackersSettingsParams): Promise<TrackersView> {
    return this.call('POST', '/i/trackers/settings', p, { app_id: 'body', args: 'body' });
  }

  /** Close or reopen the issue of a crash group. Needs the right to update `crashes`.
   * `POST /i/trackers/state` */
  postTrackersState(p: PostTrackersStateParams): Promise<TrackersLinked> {
    return this.call('POST', '/i/trackers/state', p, { app_id: 'body', group: 'body', state: 'body' });
  }

  /** Synchronise a crash group and its issue. Needs the right to update `crashes`.
   * `POST /i/trackers/sync` */
  postTrackersSync(p: PostTrackersSyncParams): Promise<TrackersLinked> {
    return this.call('POST', '/i/trackers/sync', p, { app_id: 'body', group: 'body' });
  }

  /** Unlink a crash group from its issue. Needs the right to update `crashes`.
   * `POST /i/trackers/unlink` */
  postTrackersUnlink(p: PostTrackersUnlinkParams): Promise<Result> {
    return this.call('POST', '/i/trackers/unlink', p, { app_id: 'body', group: 'body' });
  }

  /** List the Jira issues of crash groups. Needs the right to read `crashes`. The same as `/o?method=crashes-jira`.
   * `GET /o/method/crashes-jira` */
  getMethodCrashesJira(p: GetMethodCrashesJiraParams): Promise<Array<TrackersWireIssue>> {
    return this.call('GET', '/o/method/crashes-jira', p, { app_id: 'query', crashgroup_id: 'query', crashgroups: 'query' });
  }

  /** Read the issue tracker of an app. Needs the right to read `crashes`.
   * `GET /o/trackers` */
  getTrackers(p: GetTrackersParams): Promise<TrackersView> {
    return this.call('GET', '/o/trackers', p, { app_id: 'query' });
  }

  /** Propose an issue for a crash group. Needs the right to read `crashes`.
   * `GET /o/trackers/draft` */
  getTrackersDraft(p: GetTrackersDraftParams): Promise<TrackersProposal> {
    return this.call('GET', '/o/trackers/draft', p, { app_id: 'query', group: 'query', address: 'query' });
  }

  /** Read the issue of a crash group. Needs the right to read `crashes`.
   * `GET /o/trackers/issue` */
  getTrackersIssue(p: GetTrackersIssueParams): Promise<TrackersLinked> {
    return this.call('GET', '/o/trackers/issue', p, { app_id: 'query', group: 'query' });
  }

  /** Read the login of the server at Jira. For global administrators.
   * `GET /o/trackers/jira` */
  getTrackersJira(): Promise<TrackersJiraView> {
    return this.call('GET', '/o/trackers/jira');
  }
}

export interface TrackersProposal {
  text: string;
  title: string;
}

export interface TrackersView {
  address: string;
  auth: string;
  close_issues: boolean;
  doing: Array<string>;
  done: Array<string>;
  has_token: boolean;
  jira_address: string;
  labels: Array<string>;
  project: string;
  reopen_groups: boolean;
  reopen_issues: boolean;
  resolve_groups: boolean;
  set_up: boolean;
  todo: Array<string>;
  tracker: string;
  type: string;
  user: string;
}

export interface TrackersWireIssue {
  _id: string;
  created: number;
  issue: Json;
  lastChecked: number;
  url: string;
}
