import { write } from '../../api/client';
import type { DemoRequest } from './generate';

const most = 400;

/** Sends requests in order, as an SDK would; tells how far it is, from 0 to 1. */
export async function send(appKey: string, requests: readonly DemoRequest[], progress: (share: number) => void): Promise<void> {
  for (let i = 0; i < requests.length; i += most) {
    await write('/i/bulk', { app_key: appKey, requests: requests.slice(i, i + most) });
    progress(Math.min(1, (i + most) / requests.length));
  }
}
