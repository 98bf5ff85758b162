import i18next from 'i18next';
import { getDotPath } from 'valibot';
import { safeParse, type Of, type Schema } from './schema';

/** What went wrong with a call, with the server's own words when it had any. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The code of the fault, by which to decide; the message is for people. */
    readonly code?: string,
    /** Numbers that the message names, such as the line of a statement. */
    readonly params: Readonly<Record<string, number>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** True when the browser's session is over, as opposed to a right that is missing. */
  get signedOut(): boolean {
    return this.code === 'auth.credentials_missing';
  }
}

/** What an error says to people. Nothing is decided by it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An answer that is not what the dashboard reads: one of the two is wrong, or of another version. */
export class AnswerError extends ApiError {
  constructor(
    /** What was asked, without what names an app or a person. */
    readonly address: string,
    /** Where the answer differs, as in "rows.3.name". */
    readonly member: string,
    readonly expected: string,
    readonly got: string,
  ) {
    super(200, wordsOf({ address, member, expected, got }));
    this.name = 'AnswerError';
  }
}

/** The words for it; the first reads begin before the texts are there, and are repeated by what shows them. */
function wordsOf({ address, member, expected, got }: Pick<AnswerError, 'address' | 'member' | 'expected' | 'got'>): string {
  return i18next.isInitialized ? i18next.t('state.unexpected', { address, member, expected, got }) : `${address}: ${member}: expected ${expected}, got ${got}`;
}

/** How much of a value an error shows, in characters. */
const shown = 40;

/** Reports an answer that cannot be read to the console, as errors that nobody catches are, and throws it. */
export function unreadable(address: string, member: string, expected: string, got: string): never {
  const error = new AnswerError(address, member, expected, got.length > shown ? `${got.slice(0, shown)}…` : got);
  reportError(error);
  throw error;
}

/** Checks an answer of an address. Throws an AnswerError when it is not what the schema says. */
export function parse<S extends Schema>(address: string, schema: S, body: unknown): Of<S> {
  const { success, output, issues } = safeParse(schema, body, { abortEarly: true });
  if (success) return output;
  const [issue] = issues;
  const missing = issue.path?.at(-1)?.origin === 'key';
  return unreadable(address, getDotPath(issue) ?? 'JSON', missing ? (expectedAt(schema, issue.path) ?? '') : (issue.expected ?? ''), issue.received);
}

/** The part of a schema that describes other values. */
interface Node {
  expects: string;
  entries?: Readonly<Record<string, Node>>;
  item?: Node;
  value?: Node;
}

/** What a schema expects of a member. */
function expectedAt(schema: Node, path: readonly { key: unknown }[] = []): string | undefined {
  let at: Node | undefined = schema;
  for (const { key } of path) at = at?.entries?.[String(key)] ?? at?.item ?? at?.value;
  return at?.expects;
}
