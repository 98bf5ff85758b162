import { base } from '../lib/base';
import { away, csrfToken, faultHeader, faultOf } from './client';
import { parse } from './answer';
import type * as v from './schema';

/** Sends a form with files. onShare gets the share of it that was sent, from 0 to 1; the signal ends the upload. */
export async function uploadWatched<S extends v.Schema>(path: string, schema: S, form: FormData, onShare: (share: number) => void, signal?: AbortSignal): Promise<v.Of<S>> {
  const { status, text, code } = await sent(path, form, onShare, signal);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  if (status !== 200) throw faultOf(status, body, code);
  return parse(path.replace(/\?.*/, ''), schema, body);
}

/** fetch does not say how far an upload is. */
function sent(path: string, form: FormData, onShare: (share: number) => void, signal?: AbortSignal): Promise<{ status: number; text: string; code: string | null }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', base + path);
    request.setRequestHeader('X-CSRF-Token', csrfToken());
    request.upload.addEventListener('progress', (e) => {
      if (e.lengthComputable && e.total > 0) onShare(e.loaded / e.total);
    });
    request.addEventListener('load', () => resolve({ status: request.status, text: request.responseText, code: request.getResponseHeader(faultHeader) }));
    request.addEventListener('error', () => reject(away()));
    request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
