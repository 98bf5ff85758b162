import { base } from '../lib/base';
import { csrfToken } from './client';

/** A request as a person put it together. */
export interface RawRequest {
  verb: string;
  /** The path with its query. */
  address: string;
  headers: Readonly<Record<string, string>>;
  body?: string | FormData;
  /** Whether it is made with the session of this browser; else only what its headers say counts. */
  own: boolean;
}

/** An answer as it came, whatever its status. */
export interface RawAnswer {
  status: number;
  headers: [name: string, value: string][];
  /** The text, cut off after maxShown characters; undefined for what is no text. */
  text: string | undefined;
  isCut: boolean;
  /** Bytes of the body. */
  size: number;
  /** Milliseconds until the body was there. */
  took: number;
}

/** How many characters of an answer are shown. */
export const maxShown = 200_000;

/** How many bytes of an answer are read: streams do not end, and exports are large. */
const maxRead = 5_000_000;

/** Makes a request as it is. What the server refuses is an answer like others; only a server that is not reached throws. */
export async function sendRaw({ verb, address, headers, body, own }: RawRequest, signal: AbortSignal): Promise<RawAnswer> {
  const begun = performance.now();
  const response = await fetch(base + address, {
    method: verb,
    headers: { ...headers, ...(own && verb !== 'GET' ? { 'X-CSRF-Token': csrfToken() } : {}) },
    credentials: own ? 'same-origin' : 'omit',
    redirect: 'follow',
    signal,
    ...(body === undefined ? {} : { body }),
  });
  const { bytes, isCut } = await readSome(response);
  const took = performance.now() - begun;
  const text = isText(response.headers.get('content-type') ?? '') ? new TextDecoder().decode(bytes) : undefined;
  return {
    status: response.status,
    headers: [...response.headers].sort(([a], [b]) => a.localeCompare(b)),
    text: text?.slice(0, maxShown),
    isCut: isCut || (text?.length ?? 0) > maxShown,
    size: bytes.length,
    took,
  };
}

/** Reads a body up to a bound; of a stream what comes in the first second. */
async function readSome(response: Response): Promise<{ bytes: Uint8Array<ArrayBuffer>; isCut: boolean }> {
  const stream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  let isCut = false;
  const timer = stream ? setTimeout(() => void reader?.cancel(), 1000) : undefined;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    if (size >= maxRead) {
      isCut = true;
      await reader.cancel();
      break;
    }
  }
  clearTimeout(timer);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, isCut: isCut || stream };
}

/** Whether a body of a media type can be shown. */
function isText(media: string): boolean {
  return /^(text\/|application\/(json|problem\+json|x-ndjson|xml|javascript))/.test(media);
}
