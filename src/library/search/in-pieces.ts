import { setImmediate } from 'node:timers/promises';

/** Some network packets' worth, so that short texts do not go out one by one. */
const lettersOfAPiece = 64 * 1024;

/**
 * Texts in order, put together to pieces. Each text is let go once it is out: of five hundred that have a long one in common,
 * as a service at its places, V8 makes five hundred long ones, and a site has not the memory for a handful of such pages.
 */
export async function* inPieces(texts: string[]): AsyncGenerator<string> {
  let from = 0;
  let letters = 0;
  for (const [index, { length }] of texts.entries()) {
    letters += length;
    if (letters < lettersOfAPiece && index < texts.length - 1) continue;
    yield texts.slice(from, index + 1).join('');
    texts.fill('', from, index + 1);
    from = index + 1;
    letters = 0;
    // To a reader that is fast enough all of it could be written in one go, while everybody else waits.
    await setImmediate();
  }
}
