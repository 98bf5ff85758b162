// Drives the unmodified Node.js SDK of Sentry. Arguments: server URL, app key.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const Sentry = require('@sentry/node');

const [url, appKey] = process.argv.slice(2);
const { host } = new URL(url);

Sentry.init({ dsn: `http://${appKey}@${host}/1`, release: 'shop@3.4.1+12', environment: 'staging', defaultIntegrations: false, integrations: Sentry.getDefaultIntegrations({}) });
Sentry.setUser({ id: 'sentry-node', email: 'ada@example.org' });
Sentry.setTag('plan', 'pro');
Sentry.addBreadcrumb({ category: 'cart', message: 'one item', level: 'info', data: { items: 1 } });

function pay() {
  throw new RangeError('no money', { cause: new TypeError('empty purse') });
}

try {
  pay();
} catch (e) {
  Sentry.withScope((scope) => {
    scope.addAttachment({ filename: 'cart.txt', data: 'one\nitem', contentType: 'text/plain' });
    Sentry.captureException(e);
  });
}
Sentry.captureMessage('the shop is closed', 'warning');
Sentry.addBreadcrumb({ message: 'x'.repeat(50_000) }); // so much that the SDK packs it
Sentry.captureException(new Error('a large one'));
Sentry.endSession();
if (!await Sentry.close(10_000)) throw new Error('not everything was sent');
process.exit(0);
