import { Worker } from 'node:worker_threads';
import { createLimitPerKey } from '../../../platform/concurrency/limit-per-key.ts';
import type { WrittenLetter } from '../letter.ts';
import type { PrintedLeaflet } from './draw-leaflet.ts';
import type { OpenReferrals } from './draw-open-referrals.ts';
import type { DrawResult, DrawTask } from './letter-thread.ts';

/** The thread ends after this long without a letter, because it holds the typefaces (20 MB). */
const idleMs = 300_000;
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

export type LetterDrawer = {
  /** The same letter gives the same bytes every time. @throws when the thread dies meanwhile. */
  draw(letter: WrittenLetter): Promise<Buffer>;
  /** Draws one letter at a time for each account, so that no reader delays the letters that are being sent. */
  drawForReader(letter: WrittenLetter, accountId: string): Promise<Buffer>;
  /** The copy of an organisation's open referrals, which only opens with the password. */
  drawOpenReferrals(openReferrals: OpenReferrals, password: string): Promise<Buffer>;
  /** One at a time for each account, as letters for readers. */
  drawLeaflet(leaflet: PrintedLeaflet, accountId: string): Promise<Buffer>;
  stop(): Promise<void>;
};

type Thread = {
  worker: Worker;
  waiting: Map<number, PromiseWithResolvers<Buffer>>;
  endWhenIdle: NodeJS.Timeout | undefined;
};

/**
 * Draws letters in a thread of its own: a letter takes 10 ms, the longest three seconds, in which the site would answer
 * nobody. The thread starts with the first letter and, if it dies, again with the next one. It keeps no process alive.
 */
export function createLetterDrawer(): LetterDrawer {
  let current: Thread | undefined;
  let lastNumber = 0;
  const limitReaders = createLimitPerKey(1);

  function draw(toDraw: DrawTask): Promise<Buffer> {
    current ??= startThread();
    const { worker, waiting, endWhenIdle } = current;
    clearTimeout(endWhenIdle);
    worker.ref();
    lastNumber += 1;
    const drawn = Promise.withResolvers<Buffer>();
    waiting.set(lastNumber, drawn);
    worker.postMessage({ number: lastNumber, ...toDraw });
    return drawn.promise;
  }

  function startThread(): Thread {
    const worker = new Worker(new URL('./letter-thread.ts', import.meta.url), { env: {}, resourceLimits });
    const thread: Thread = { worker, waiting: new Map(), endWhenIdle: undefined };
    worker.on('message', ({ number, ...drawn }: DrawResult) => {
      const waiting = thread.waiting.get(number);
      thread.waiting.delete(number);
      if ('letter' in drawn) waiting?.resolve(Buffer.from(drawn.letter));
      else waiting?.reject(drawn.error);
      if (thread.waiting.size === 0) becomeIdle(thread);
    });
    worker.on('error', (error) => forget(thread, error));
    worker.on('exit', () => forget(thread, new Error('the thread that draws letters ended')));
    return thread;
  }

  function becomeIdle(thread: Thread): void {
    thread.worker.unref();
    thread.endWhenIdle = setTimeout(() => {
      if (current === thread) current = undefined;
      void thread.worker.terminate();
    }, idleMs).unref();
  }

  function forget(thread: Thread, error: unknown): void {
    if (current === thread) current = undefined;
    clearTimeout(thread.endWhenIdle);
    for (const { reject } of thread.waiting.values()) reject(error);
    thread.waiting.clear();
  }

  return {
    draw: (written) => draw({ written }),
    drawForReader: (written, accountId) => limitReaders(accountId, () => draw({ written })),
    drawOpenReferrals: (openReferrals, password) => draw({ openReferrals, password }),
    drawLeaflet: (leaflet, accountId) => limitReaders(accountId, () => draw({ leaflet })),
    async stop() {
      await current?.worker.terminate();
    },
  };
}
