// Generated from the description of the API (quipu describe --openapi); do not edit.

import { Base } from '../client.js';

/** Operations of the group locale. */
export class LocaleOperations extends Base {
  /** Languages. Needs no credentials of a member.
   * `GET /o/langmap` */
  getLangmap(): Promise<Record<string, LocaleLanguage>> {
    return this.call('GET', '/o/langmap');
  }
}

export interface LocaleLanguage {
  englishName: string;
  nativeName: string;
}
