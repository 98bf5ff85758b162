/** A way to send data: what to install, if anything, and the code. */
export interface Snippet {
  id: 'web' | 'node' | 'curl';
  title: string;
  install?: string;
  code: string;
}

/** Ready-to-paste code for an app on this server. */
export function snippets(url: string, key: string): Snippet[] {
  return [
    {
      id: 'web',
      title: 'Web',
      install: 'npm install countly-sdk-web',
      code: `import Countly from 'countly-sdk-web';

Countly.init({
  app_key: '${key}',
  url: '${url}',
});
Countly.track_sessions();
Countly.track_pageview();
Countly.add_event({ key: 'hello', count: 1 });`,
    },
    {
      id: 'node',
      title: 'Node.js',
      install: 'npm install countly-sdk-nodejs',
      code: `const Countly = require('countly-sdk-nodejs');

Countly.init({
  app_key: '${key}',
  url: '${url}',
});
Countly.begin_session();
Countly.add_event({ key: 'hello', count: 1 });`,
    },
    {
      id: 'curl',
      title: 'curl',
      code: `curl '${url}/i' \\
  -d 'app_key=${key}' \\
  -d 'device_id=my-device' \\
  -d 'begin_session=1' \\
  --data-urlencode 'events=[{"key":"hello","count":1}]'`,
    },
  ];
}
