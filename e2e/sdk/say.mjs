// What stories of all SDKs share.
import { createInterface } from 'node:readline';

const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Says a word to the test and waits for its answer. */
export async function say(word) {
  process.stdout.write(`> ${word}\n`);
  await answers.next();
}

/** Waits until the condition holds; fails after a minute. */
export async function until(what, holds) {
  for (let i = 0; i < 3000; i++) {
    if (holds()) return;
    await new Promise((done) => { setTimeout(done, 20); });
  }
  throw new Error(`waited too long for ${what}`);
}
