package wiretest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"quipu/internal/testkit/need"
)

// typescriptWalk is the way of an integration: an app is created, an event is sent, read back and followed, and faults are handled.
const typescriptWalk = `import { Quipu, QuipuError } from './index.js';
import assert from 'node:assert/strict';
const { URL_OF_SERVER: server, KEY: key, NOW: now } = process.env;
const quipu = new Quipu({ server, key });
const app = await quipu.postAppsCreate({ args: { name: 'Shop & <Café>', timezone: 'Europe/Berlin' } });
assert.equal(app.name, 'Shop & <Café>');
const send = () => quipu.postI({
  'Idempotency-Key': 'k-1', app_key: app.key, device_id: 'd', receipt: true, timestamp: Number(now),
  events: [{ key: 'purchase', sum: 9.99, segmentation: { plan: 'a&b=c' } }, { sum: 1 }],
});
assert.deepEqual((await send()).receipt[0].items.map((one) => one.code ?? one.outcome), ['accepted', 'ingest.no_key']);
assert.equal((await send()).receipt[0].code, 'ingest.duplicate');
assert.equal((await quipu.getIngestOutcomes({ app_id: app._id })).totals.event.accepted, 1);
for await (const event of quipu.stream('/o/live/feed', { app_id: app._id })) {
  if (event.kind === 'feed' && event.data.entries.some((entry) => entry.events?.[0]?.key === 'purchase')) break;
}
await assert.rejects(quipu.getIngestOutcomes({ app_id: '0123456789abcdef01234567' }), (fault) => fault instanceof QuipuError && fault.code === 'access.unknown_app' && fault.status === 401 && !fault.temporary);
await assert.rejects(new Quipu({ server, key: 'wrong' }).getAppsMine(), (fault) => fault.code.startsWith('auth.'));
const statement = { app_id: app._id, sql: 'SELECT 1\n  x y FROM events' };
await assert.rejects(quipu.getSql(statement), (fault) => fault.code === 'sql.invalid' && fault.params.line === 2 && fault.params.character > 0 && fault.incident === undefined);
await assert.rejects(quipu.getInspectorProfile({ profile: '../../i?x#y' }), (fault) => fault instanceof QuipuError);
assert.throws(() => new Quipu({ server: 'ftp://x' }));
console.log('walked');
`

// TestTypeScriptClient compiles the client for TypeScript and calls a server with it.
func TestTypeScriptClient(t *testing.T) {
	t.Parallel()
	need.Program(t, "node")
	folder, err := filepath.Abs("../../clients/typescript")
	if err != nil {
		t.Fatal(err)
	}
	compiler := need.File(t, "../../ui/node_modules/typescript/bin/tsc", "npm ci in ui")
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "node", compiler, "--project", folder, "--outDir", dir).CombinedOutput(); err != nil {
		t.Fatalf("compile: %v\n%s", err, out)
	}
	for name, text := range map[string]string{"walk.js": typescriptWalk, "package.json": `{"type":"module"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := server(t)
	walk := exec.CommandContext(t.Context(), "node", "walk.js")
	walk.Dir = dir
	walk.Env = append(os.Environ(), "URL_OF_SERVER="+s.URL(), "KEY="+s.Key, "NOW="+noonMS)
	if out, err := walk.CombinedOutput(); err != nil || string(out) != "walked\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
