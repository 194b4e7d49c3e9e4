import { createGunzip } from 'node:zlib';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { Bytes } from './bytes.ts';

/** Limits what one step unpacks: gzip turns one byte into a thousand at most. */
const stepSize = 16 * 1024;
/** Most steps unpack to less than this. Each further piece would cost another call to zlib's thread. */
const pieceSize = 128 * 1024;
/** Records shrink to a tenth, at best to a fiftieth. A file that shrinks far more is an attempt to keep the site busy. */
const maxRatio = 200;
/** A short and repetitive list may shrink even more. */
const uncheckedBytes = 1024 ** 2;

/**
 * Unpacks gzip. A damaged file is unpacked up to the fault. zlib discards what it unpacked of the piece with the fault,
 * so a second unpacker follows and reads that piece byte by byte.
 * @throws zlib's error after the last readable byte; Problem `unprocessable` for a decompression bomb.
 */
export async function* gunzip(packed: Bytes): Bytes {
  const first = unpacker();
  const second = secondUnpacker();
  const checkSize = bombCheck();
  try {
    for await (const piece of pieces(packed)) {
      const [result] = await Promise.allSettled([first.write(piece)]);
      if (result.status === 'fulfilled') {
        checkSize(piece, result.value);
        yield* result.value;
        await second.keep(piece);
      } else {
        yield* second.beforeFault(piece);
        throw result.reason;
      }
    }
    yield* await first.end();
  } finally {
    first.close();
    second.close();
  }
}

function bombCheck() {
  let packedBytes = 0;
  let unpackedBytes = 0;
  return (packed: Uint8Array, unpacked: readonly Uint8Array[]) => {
    packedBytes += packed.length;
    for (const each of unpacked) unpackedBytes += each.length;
    if (unpackedBytes <= uncheckedBytes || unpackedBytes <= maxRatio * packedBytes) return;
    throw new Problem(unprocessable, `The file unpacks to more than ${maxRatio} times its size.`);
  };
}

async function* pieces(packed: Bytes): Bytes {
  for await (const chunk of packed) {
    for (let start = 0; start < chunk.length; start += stepSize)
      yield chunk.subarray(start, start + stepSize);
  }
}

/** How many bytes wait for the second unpacker before it starts. Most files are shorter and have no fault, so it never starts for them. */
const maxWaiting = 16 * 1024 ** 2;

/** Unpacks the good pieces a second time, but only at a fault or when many are waiting. */
function secondUnpacker() {
  const second = unpacker();
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const catchUp = async () => {
    for (const piece of waiting.splice(0)) await second.write(piece);
    waitingBytes = 0;
  };
  return {
    async keep(piece: Uint8Array) {
      waiting.push(piece);
      waitingBytes += piece.length;
      if (waitingBytes >= maxWaiting) await catchUp();
    },
    /** Unpacks the piece with the fault up to the fault. @throws at the fault */
    async *beforeFault(piece: Uint8Array): Bytes {
      await catchUp();
      for (const byte of piece) yield* await second.write(Uint8Array.of(byte));
    },
    close: () => second.close(),
  };
}

function unpacker() {
  const gunzip = createGunzip({ chunkSize: pieceSize });
  const ready: Uint8Array[] = [];
  gunzip.on('data', (unpacked: Uint8Array) => ready.push(unpacked));
  // zlib reports a fault as an event of the stream only. The write itself never returns.
  let fail: (error: Error) => void = () => undefined;
  gunzip.on('error', (error) => fail(error));
  const takeReady = () => {
    // Passes what is left in the stream to the listener above.
    while (gunzip.read() !== null);
    return ready.splice(0);
  };
  const step = (start: (done: () => void) => void) =>
    new Promise<Uint8Array[]>((resolve, reject) => {
      fail = reject;
      start(() => resolve(takeReady()));
    });
  return {
    async write(piece: Uint8Array) {
      const before = gunzip.bytesWritten;
      const unpacked = gunzip.readableEnded
        ? []
        : await step((done) => gunzip.write(piece, (error) => error ?? done()));
      // Zeros after the end are padding. zlib stops there and would silently skip anything else that follows.
      const isOver =
        gunzip.readableEnded && piece.subarray(gunzip.bytesWritten - before).some((byte) => byte > 0);
      if (isOver) throw Object.assign(new Error('There is more after the end.'), { code: 'Z_DATA_ERROR' });
      return unpacked;
    },
    end: () => (gunzip.readableEnded ? Promise.resolve([]) : step((done) => gunzip.once('end', done).end())),
    close: () => gunzip.destroy(),
  };
}
