// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';

/** Parameters of {@link Quipu.getCrashUrl}. */
export interface GetCrashUrlParams {
  url: string;
}

/** Parameters of {@link Quipu.postCrashesAddComment}. */
export interface PostCrashesAddCommentParams {
  /** Id of the app. */
  app_id?: string;
  /** What is written, as one JSON object. */
  args: Json;
}

/** Parameters of {@link Quipu.postCrashesAssign}. */
export interface PostCrashesAssignParams {
  /** Id of the app. */
  app_id: string;
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

/** Operations of the group crashes. */
export class CrashesOperations extends Base {
  /** Public page of a shared crash. Needs no credentials of a member.
   * `GET /crash/{url}` */
  getCrashUrl(p: GetCrashUrlParams): Promise<Blob> {
    return this.raw('GET', '/crash/{url}', p, { url: 'path' });
  }

  /** Comment on a crash group. Needs the right to create `crashes`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
   * `POST /i/crashes/add_comment` */
  postCrashesAddComment(p: PostCrashesAddCommentParams): Promise<Json> {
    return this.call('POST', '/i/crashes/add_comment', p, { app_id: 'body', args: 'body' });
  }

  /** Assign crash groups to a member. Needs the right to update `crashes`.
   * `POST /i/crashes/assign` */
  postCrashesAssign(p: PostCrashesAssignParams): Promise<Json> {
    return this.call('POST', '/i/crashes/assign', p, { app_id: 'body', args: 'body' });
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
}

export interface CrashesTaskRes {
  task: string;
}
