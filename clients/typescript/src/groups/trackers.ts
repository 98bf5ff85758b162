// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Result, TrackersJiraView, TrackersLinked } from '../types.js';

/** Parameters of {@link Quipu.postCrashesJiraCallback}. */
export interface PostCrashesJiraCallbackParams {
  /** Token that Jira sends back. */
  oauth_token?: string;
  /** Verifier that Jira sends back. */
  oauth_verifier: string;
  /** Leads to a page afterwards. */
  pretty_callback?: string;
}

/** Parameters of {@link Quipu.postCrashesJiraCreate}. */
export interface PostCrashesJiraCreateParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash group. */
  crashgroup_id: string;
  /** Description. */
  description?: string;
  /** Title of the issue. */
  summary?: string;
}

/** Parameters of {@link Quipu.postCrashesJiraLogin}. */
export interface PostCrashesJiraLoginParams {
  /** Leads to a page afterwards. */
  pretty_callback?: string;
}

/** Parameters of {@link Quipu.postCrashesJiraSync}. */
export interface PostCrashesJiraSyncParams {
  /** Id of the app. */
  app_id: string;
  /** Id of the crash group. */
  crashgroup_id?: string;
}

/** Parameters of {@link Quipu.postTrackersCheck}. */
export interface PostTrackersCheckParams {
  /** Id of the app. */
  app_id: string;
}

/** Parameters of {@link Quipu.postTrackersCreate}. */
export interface PostTrackersCreateParams {
  /** Address of the dashboard, for the link in the text. */
  address?: string;
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
  /** Text of the issue; that of the draft unless one is sent. */
  text?: string;
  /** Title of the issue; that of the draft unless one is sent. */
  title?: string;
}

/** Parameters of {@link Quipu.postTrackersJira}. */
export interface PostTrackersJiraParams {
  /** Address of the Jira. */
  address: string;
  /** Address of this server as browsers see it. */
  callback: string;
  /** Name by which Jira knows this server. */
  consumer_key: string;
}

/** Parameters of {@link Quipu.postTrackersLink}. */
export interface PostTrackersLinkParams {
  /** Id of the app. */
  app_id: string;
  /** A group: of a list, those within it; of crashes, the id of the crash group. */
  group: string;
  /** Address, key or number of an issue. */
  issue: string;
}

/** Operations of the group trackers. */
export class TrackersOperations extends Base {
  /** Go on to the dashboard after the login at Jira. Needs no credentials of a member.
   * `GET /crashes-jira/login_callback` */
  getCrashesJiraLoginCallback(): Promise<Blob> {
    return this.raw('GET', '/crashes-jira/login_callback');
  }

  /** Complete the login of the server at Jira. Needs no credentials of a member. The same as `/i/crashes-jira?method=callback`.
   * `POST /i/crashes-jira/callback` */
  postCrashesJiraCallback(p: PostCrashesJiraCallbackParams): Promise<Blob> {
    return this.raw('POST', '/i/crashes-jira/callback', p, { oauth_token: 'body', oauth_verifier: 'body', pretty_callback: 'body' });
  }

  /** Check the login of the server at Jira. For global administrators. The same as `/i/crashes-jira?method=check_login`.
   * `POST /i/crashes-jira/check_login` */
  postCrashesJiraCheckLogin(): Promise<Result> {
    return this.call('POST', '/i/crashes-jira/check_login');
  }

  /** Create a Jira issue for a crash group. Needs the right to create `crashes`. The same as `/i/crashes-jira?method=create`.
   * `POST /i/crashes-jira/create` */
  postCrashesJiraCreate(p: PostCrashesJiraCreateParams): Promise<Result> {
    return this.call('POST', '/i/crashes-jira/create', p, { app_id: 'body', crashgroup_id: 'body', description: 'body', summary: 'body' });
  }

  /** Begin the login of the server at Jira, by a redirect. For global administrators. The same as `/i/crashes-jira?method=login`.
   * `POST /i/crashes-jira/login` */
  postCrashesJiraLogin(p: PostCrashesJiraLoginParams = {}): Promise<Blob> {
    return this.raw('POST', '/i/crashes-jira/login', p, { pretty_callback: 'body' });
  }

  /** Synchronise crash groups and their Jira issues. Needs the right to update `crashes`. The same as `/i/crashes-jira?method=sync`.
   * `POST /i/crashes-jira/sync` */
  postCrashesJiraSync(p: PostCrashesJiraSyncParams): Promise<Result> {
    return this.call('POST', '/i/crashes-jira/sync', p, { app_id: 'body', crashgroup_id: 'body' });
  }

  /** Check the issue tracker of an app. For administrators of the app.
   * `POST /i/trackers/check` */
  postTrackersCheck(p: PostTrackersCheckParams): Promise<TrackersChecked> {
    return this.call('POST', '/i/trackers/check', p, { app_id: 'body' });
  }

  /** Create an issue for a crash group. Needs the right to create `crashes`.
   * `POST /i/trackers/create` */
  postTrackersCreate(p: PostTrackersCreateParams): Promise<TrackersLinked> {
    return this.call('POST', '/i/trackers/create', p, { address: 'body', app_id: 'body', group: 'body', text: 'body', title: 'body' });
  }

  /** Set the Jira of the server. For global administrators.
   * `POST /i/trackers/jira` */
  postTrackersJira(p: PostTrackersJiraParams): Promise<TrackersJiraView> {
    return this.call('POST', '/i/trackers/jira', p, { address: 'body', callback: 'body', consumer_key: 'body' });
  }

  /** Begin the login of the server at Jira. For global administrators.
   * `POST /i/trackers/jira/login` */
  postTrackersJiraLogin(): Promise<TrackersPlace> {
    return this.call('POST', '/i/trackers/jira/login');
  }

  /** End the login of the server at Jira. For global administrators.
   * `POST /i/trackers/jira/logout` */
  postTrackersJiraLogout(): Promise<TrackersJiraView> {
    return this.call('POST', '/i/trackers/jira/logout');
  }

  /** Link a crash group with an issue. Needs the right to update `crashes`.
   * `POST /i/trackers/link` */
  postTrackersLink(p: PostTrackersLinkParams): Promise<TrackersLinked> {
    return this.call('POST', '/i/trackers/link', p, { app_id: 'body', group: 'body', issue: 'body' });
  }
}

export interface TrackersChecked {
  project: string;
  result: string;
}

export interface TrackersPlace {
  url: string;
}
