import { parentPort } from 'node:worker_threads';
import { drawLetter } from './draw-letter.ts';
import type { WrittenLetter } from './letter.ts';

// The thread of draw-aside.ts: draws each letter that it is sent.

type Asked = { number: number; written: WrittenLetter };
export type Drawn = { number: number } & ({ letter: Uint8Array } | { error: unknown });

parentPort!.on('message', async ({ number, written }: Asked) => {
  const drawn = await drawLetter(written).then(
    (letter) => ({ letter }),
    (error: unknown) => ({ error }),
  );
  parentPort!.postMessage({ number, ...drawn } satisfies Drawn);
});
