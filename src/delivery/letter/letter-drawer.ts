import { Worker } from 'node:worker_threads';
import type { WrittenLetter } from './letter.ts';
import type { Drawn } from './letter-thread.ts';

/** After so long without a letter the thread ends: it holds the typefaces, 20 MB. */
const restMs = 300_000;
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

type Thread = {
  worker: Worker;
  waiting: Map<number, PromiseWithResolvers<Buffer>>;
  rest: NodeJS.Timeout | undefined;
};

let current: Thread | undefined;
let count = 0;

/**
 * Draws a letter in a thread of its own, since it takes 10 ms, in which nobody else would be answered. The thread is
 * started with the first letter and, should it die, again with the next one; it keeps no process from ending.
 * The same letter gives the same bytes every time. @throws where the thread dies meanwhile.
 */
export async function drawAside(written: WrittenLetter): Promise<Buffer> {
  current ??= startThread();
  const { worker, waiting, rest } = current;
  clearTimeout(rest);
  worker.ref();
  count += 1;
  const drawn = Promise.withResolvers<Buffer>();
  waiting.set(count, drawn);
  worker.postMessage({ number: count, written });
  return drawn.promise;
}

function startThread(): Thread {
  const worker = new Worker(new URL('./letter-thread.ts', import.meta.url), { env: {}, resourceLimits });
  const thread: Thread = { worker, waiting: new Map(), rest: undefined };
  worker.on('message', ({ number, ...drawn }: Drawn) => {
    const waits = thread.waiting.get(number);
    thread.waiting.delete(number);
    if ('letter' in drawn) waits?.resolve(Buffer.from(drawn.letter));
    else waits?.reject(drawn.error);
    if (thread.waiting.size === 0) goToRest(thread);
  });
  worker.on('error', (error) => lose(thread, error));
  worker.on('exit', () => lose(thread, new Error('the thread that draws letters ended')));
  return thread;
}

function goToRest(thread: Thread): void {
  thread.worker.unref();
  thread.rest = setTimeout(() => {
    if (current === thread) current = undefined;
    void thread.worker.terminate();
  }, restMs).unref();
}

function lose(thread: Thread, error: unknown): void {
  if (current === thread) current = undefined;
  clearTimeout(thread.rest);
  for (const { reject } of thread.waiting.values()) reject(error);
  thread.waiting.clear();
}
