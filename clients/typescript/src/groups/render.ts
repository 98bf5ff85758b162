// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';

/** Parameters of {@link Quipu.getImagesScreenshotsFile}. */
export interface GetImagesScreenshotsFileParams {
  file: string;
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

/** Operations of the group render. */
export class RenderOperations extends Base {
  /** A picture that was taken of the dashboard. For every member.
   * `GET /images/screenshots/{file}` */
  getImagesScreenshotsFile(p: GetImagesScreenshotsFileParams): Promise<Blob> {
    return this.raw('GET', '/images/screenshots/{file}', p, { file: 'path' });
  }

  /** Take a picture of a page of the dashboard. Needs the right to read `core`. Global administrators may leave out `app_id`.
   * `POST /o/render` */
  postRender(p: PostRenderParams = {}): Promise<RenderPicture> {
    return this.call('POST', '/o/render', p, { app_id: 'body', id: 'body', route: 'body', view: 'body' });
  }
}

export interface RenderPicture {
  path: string;
}
