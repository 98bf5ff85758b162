import { platforms, type Missing, type Platform } from './api';

/** The endings of files that the server takes. */
export const endings = ['.txt', '.map', '.json', '.gz', '.zip'] as const;

/** The platform whose builds write a file of a name; undefined where it cannot be known. */
export function platformOf(name: string): Platform | undefined {
  const plain = name.toLowerCase().replace(/\.gz$/, '');
  if (plain.endsWith('.map')) return 'javascript';
  return plain.endsWith('.txt') ? 'android' : undefined;
}

/** What keeps files from being uploaded together. */
export type Refused = 'ending' | 'several' | 'tooMany' | 'tooLarge';

/** Why files cannot be uploaded; undefined when they can. Sizes are in bytes. */
export function refusedOf(files: readonly { name: string; size: number }[], platform: string, most: { files: number; bytes: number }): Refused | undefined {
  const taken = endings.filter((ending) => ending !== '.json' || platform !== 'javascript');
  if (files.some(({ name }) => !taken.some((ending) => name.toLowerCase().endsWith(ending)))) return 'ending';
  if (files.length > 1 && platform !== 'javascript') return 'several';
  if (files.length > most.files) return 'tooMany';
  return files.reduce((sum, { size }) => sum + size, 0) > most.bytes ? 'tooLarge' : undefined;
}

/** What a build that has no symbols is found by: the most exact name that its crashes have. */
export const buildOf = ({ version, build, uuid }: Missing): string => (version !== '' ? version : build !== '' ? build : uuid);

/** The platform that symbols for crashes on an OS are of, where the server reads them. */
export const platformFor = (os: string): Platform | undefined => platforms.find((p) => p === os.toLowerCase()) ?? (/^(windows|mac ?os|os x|linux|chrome ?os|web)/i.test(os) ? 'javascript' : undefined);
