import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const binary = join(import.meta.dirname, '../../bin/quipu');

/** A server of its own: the built binary on a free port with an empty data folder. */
export interface Server {
  url: string;
  stop: () => Promise<void>;
}

/** Starts a server, with more environment if that is given, and waits until it answers. */
export async function startServer(more: Record<string, string> = {}): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), 'quipu-e2e-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('QUIPU_')));
  const process_ = spawn(binary, ['serve', '--data', data, '--listen', `127.0.0.1:${port}`], {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  process_.stdout.on('data', (text: Buffer) => (said += text.toString()));
  process_.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const stop = async () => {
    await end(process_);
    rmSync(data, { recursive: true, force: true });
  };
  try {
    await answering(url, process_, () => said);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** The first administrator of a server that is started with it. */
export const ada = { username: 'ada', password: 'Correct-horse-1', email: 'ada@example.test' };

/** The environment that makes the first administrator. */
export const withAda = {
  QUIPU_ADMIN_USERNAME: ada.username,
  QUIPU_ADMIN_PASSWORD: ada.password,
  QUIPU_ADMIN_EMAIL: ada.email,
  QUIPU_ADMIN_NAME: 'Ada Lovelace',
};

/** Calls the API as an administrator would by script. */
export class Api {
  private constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  static async of({ url }: Server): Promise<Api> {
    const basic = Buffer.from(`${ada.username}:${ada.password}`).toString('base64');
    const response = await fetch(`${url}/api-key`, { headers: { Authorization: `Basic ${basic}` } });
    return new Api(url, await response.text());
  }

  async call<T>(path: string, params: Record<string, string | number | object>): Promise<T> {
    const body = new URLSearchParams({ api_key: this.key });
    if (path === '/i/bulk') body.set('receipt', '1'); // the answer comes when figures count what was sent
    for (const [name, value] of Object.entries(params)) body.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    const response = await fetch(`${this.url}${path}`, { method: 'POST', body, headers: { Accept: 'application/json;escape=none' } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}

async function end(p: ChildProcess): Promise<void> {
  if (p.exitCode !== null || p.signalCode !== null) return;
  const exited = once(p, 'exit');
  p.kill('SIGTERM');
  await exited;
}

async function answering(url: string, p: ChildProcess, said: () => string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (p.exitCode !== null) throw new Error(`the server ended with ${p.exitCode}:\n${said()}`);
    const ok = await fetch(`${url}/o/ping`).then(
      (r) => r.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the server does not answer:\n${said()}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
