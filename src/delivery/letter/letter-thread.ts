import { parentPort } from 'node:worker_threads';
import { drawLetter } from './draw-letter.ts';
import type { WrittenLetter } from './letter.ts';
import { loadTypesetting } from './paper.ts';

// The thread of letter-drawer.ts: draws each letter that it is sent.

type LetterRequest = { number: number; written: WrittenLetter };
export type Drawn = { number: number } & ({ letter: Uint8Array } | { error: unknown });

const typesetting = loadTypesetting();

parentPort!.on('message', async ({ number, written }: LetterRequest) => {
  const drawn = await drawLetter(await typesetting, written).then(
    (letter) => ({ letter }),
    (error: unknown) => ({ error }),
  );
  parentPort!.postMessage({ number, ...drawn } satisfies Drawn);
});
