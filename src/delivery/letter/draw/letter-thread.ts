import { parentPort } from 'node:worker_threads';
import type { WrittenLetter } from '../letter.ts';
import { drawLeaflet, type PrintedLeaflet } from './draw-leaflet.ts';
import { drawLetter } from './draw-letter.ts';
import { drawOpenReferrals, type OpenReferrals } from './draw-open-referrals.ts';
import { loadTypesetting } from './paper.ts';

// The thread of letter-drawer.ts: draws each letter, leaflet and copy of open referrals that it is sent.

export type DrawTask =
  | { written: WrittenLetter }
  | { openReferrals: OpenReferrals; password: string }
  | { leaflet: PrintedLeaflet };
type DrawRequest = DrawTask & { number: number };
export type DrawResult = { number: number } & ({ letter: Uint8Array } | { error: unknown });

const loading = loadTypesetting();

parentPort!.on('message', async ({ number, ...toDraw }: DrawRequest) => {
  const drawn = await draw(toDraw).then(
    (letter) => ({ letter }),
    (error: unknown) => ({ error }),
  );
  parentPort!.postMessage({ number, ...drawn } satisfies DrawResult);
});

async function draw(toDraw: DrawTask): Promise<Buffer> {
  const typesetting = await loading;
  if ('written' in toDraw) return drawLetter(typesetting, toDraw.written);
  if ('leaflet' in toDraw) return drawLeaflet(typesetting, toDraw.leaflet);
  return drawOpenReferrals(typesetting, toDraw.openReferrals, toDraw.password);
}
