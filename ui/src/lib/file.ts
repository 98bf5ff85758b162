import { ApiError, encode, faultHeader, type Params } from '../api/client';
import { base } from './base';
import { save } from './csv';

/** The formats of files that the server makes. */
export const fileFormats = ['csv', 'json', 'xlsx'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** What came of asking for a file: it is saved, or a task makes it. */
export type Fetched = { saved: string } | { task: string };

/** Fetches a file and lets the browser save it; progress is given in bytes. A file that takes long becomes a task. */
export async function fetchFile(path: string, params: Params, onBytes?: (bytes: number) => void, signal?: AbortSignal): Promise<Fetched> {
  const response = await fetch(`${base}${path}?${encode(params).toString()}`, { credentials: 'same-origin', ...(signal === undefined ? {} : { signal }) });
  const name = fileName(response.headers.get('Content-Disposition'));
  if (response.ok && name !== undefined) {
    const parts: BlobPart[] = [];
    let bytes = 0;
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      parts.push(part.value);
      bytes += part.value.byteLength;
      onBytes?.(bytes);
    }
    save(name, new Blob(parts, { type: response.headers.get('Content-Type') ?? 'application/octet-stream' }));
    return { saved: name };
  }
  const answer: unknown = await response.json().catch(() => undefined);
  const task = taskOf(answer);
  if (response.ok && task !== undefined) return { task };
  const result = typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : undefined;
  throw new ApiError(response.status, typeof result === 'string' ? result : `status ${response.status}`, response.headers.get(faultHeader) ?? undefined);
}

/** The id of the task in an answer, if there is one. */
export function taskOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  if ('result' in answer) return taskOf(answer.result);
  return 'task_id' in answer && typeof answer.task_id === 'string' ? answer.task_id : undefined;
}

/** The name in a header such as: attachment; filename*=utf-8''a%20b.csv. */
export function fileName(header: string | null): string | undefined {
  const coded = /filename\*=utf-8''([^;]+)/i.exec(header ?? '')?.[1];
  if (coded !== undefined) return decodeURIComponent(coded);
  const plain = /filename=(?:"([^"]*)"|([^;]+))/i.exec(header ?? '');
  return plain?.[1] ?? plain?.[2]?.trim();
}
