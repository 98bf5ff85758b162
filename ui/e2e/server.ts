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

/** Starts a server and waits until it answers. */
export async function startServer(): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), 'quipu-e2e-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('QUIPU_')));
  const process_ = spawn(binary, ['serve', '--data', data, '--listen', `127.0.0.1:${port}`], {
    env,
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
