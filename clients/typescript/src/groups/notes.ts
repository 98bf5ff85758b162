// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';
import type { Json } from '../client.js';
import type { Result } from '../types.js';

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
  /** `start`, or the `nextCursor` of the answer before: the answer is a table of the rows behind it, with `nextCursor`. */
  cursor?: string;
  /** Ids of the apps of the notes. */
  notes_apps?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Who sees the notes: `private`, `shared`, `public`. */
  note_type?: string;
  /** Ids of categories. */
  category?: string;
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
  /** `start`, or the `nextCursor` of the answer before: the answer is a table of the rows behind it, with `nextCursor`. */
  cursor?: string;
  /** Ids of the apps of the notes. */
  notes_apps?: Json;
  /** Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on. */
  period?: string;
  /** Who sees the notes: `private`, `shared`, `public`. */
  note_type?: string;
  /** Ids of categories. */
  category?: string;
}

/** Operations of the group notes. */
export class NotesOperations extends Base {
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

  /** List notes of an app. Needs the right to read `core`. The same as `/o?method=notes`. The answer is a list, which pages, sorts and searches.
   * `GET /o/method/notes` */
  getMethodNotes(p: GetMethodNotesParams): Promise<Json> {
    return this.call('GET', '/o/method/notes', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', notes_apps: 'query', period: 'query', note_type: 'query', category: 'query' });
  }

  /** List notes. Needs the right to read `core`. Global administrators may leave out `app_id`. The answer is a list, which pages, sorts and searches.
   * `GET /o/notes` */
  getNotes(p: GetNotesParams = {}): Promise<Json> {
    return this.call('GET', '/o/notes', p, { app_id: 'query', iDisplayStart: 'query', iDisplayLength: 'query', sSearch: 'query', iSortCol_0: 'query', sSortDir_0: 'query', sort: 'query', sEcho: 'query', cursor: 'query', notes_apps: 'query', period: 'query', note_type: 'query', category: 'query' });
  }
}
