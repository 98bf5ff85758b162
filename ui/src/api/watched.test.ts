// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import * as site from '../lib/base';
import * as v from './schema';
import { uploadWatched } from './watched';

it('sends files below the path at which the server is reached', async () => {
  vi.spyOn(site, 'base', 'get').mockReturnValue('/analytics');
  const opened: string[] = [];
  class Request extends EventTarget {
    upload = new EventTarget();
    status = 200;
    responseText = '"done"';
    open = (method: string, path: string) => opened.push(`${method} ${path}`);
    setRequestHeader = () => undefined;
    getResponseHeader = () => null;
    send = () => this.dispatchEvent(new Event('load'));
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  await expect(uploadWatched('/i/files?app_id=a', v.string(), new FormData(), () => undefined)).resolves.toBe('done');
  expect(opened).toEqual(['POST /analytics/i/files?app_id=a']);
});
