/** Reads a name of the wire, where dots of versions are colons and those of sources entities. */
export function decodeName(text: string): string {
  return text.replaceAll('&#46;', '.').replaceAll('&#36;', '$');
}

/** A version as people write it: "3:4:1" is 3.4.1. */
export function decodeVersion(text: string): string {
  return text.replaceAll(':', '.');
}

const systems: Record<string, string> = { a: 'Android', i: 'iOS', w: 'Windows', m: 'macOS', l: 'Linux', t: 'tvOS' };

/** A version of a system, which on the wire begins with the system's first letter: "i17:5" is iOS 17.5. */
export function decodeSystem(text: string): string {
  const match = /^([a-z])(\d.*)$/.exec(text);
  const [, letter = '', version = ''] = match ?? [];
  const system = systems[letter];
  return system === undefined ? decodeVersion(text) : `${system} ${decodeVersion(version)}`;
}

/** A version of a named thing: "[Safari]_17:5" is Safari 17.5. */
export function decodeNamed(text: string): string {
  const match = /^\[(.+)\]_(.*)$/.exec(text);
  return match === null ? decodeVersion(text) : `${match[1] ?? ''} ${decodeVersion(match[2] ?? '')}`;
}
