import { createGunzip } from 'node:zlib';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** Bounds what one step unpacks to: gzip makes at most a thousand bytes of one. */
const stepSize = 16 * 1024;
/** What a step mostly unpacks to fits into one piece: each further one is another journey to zlib's thread. */
const pieceSize = 128 * 1024;
/** Records shrink to a tenth, at best to a fiftieth; what claims far more is made to keep the site busy. */
const maxRatio = 200;
/** A short list of much the same may shrink to anything. */
const alwaysTakenBytes = 1024 ** 2;

/**
 * Unpacks gzip, and of a damaged file everything before the fault. zlib throws away what it had unpacked of the piece
 * in which it meets the fault, so a second unpacker comes behind, and goes through that one byte by byte.
 * @throws zlib's error, after the last byte that can be read; Problem `unprocessable` for a file that is a bomb.
 */
export async function* gunzipped(packed: Bytes): Bytes {
  const ahead = unpacker();
  const behind = follower();
  const checkSize = bombAlarm();
  try {
    for await (const piece of pieces(packed)) {
      const [unpacked] = await Promise.allSettled([ahead.write(piece)]);
      if (unpacked.status === 'fulfilled') {
        checkSize(piece, unpacked.value);
        yield* unpacked.value;
        await behind.pass(piece);
      } else {
        yield* behind.beforeFault(piece);
        throw unpacked.reason;
      }
    }
    yield* await ahead.end();
  } finally {
    ahead.close();
    behind.close();
  }
}

function bombAlarm() {
  let packedBytes = 0;
  let unpackedBytes = 0;
  return (packed: Uint8Array, unpacked: readonly Uint8Array[]) => {
    packedBytes += packed.length;
    for (const each of unpacked) unpackedBytes += each.length;
    if (unpackedBytes <= alwaysTakenBytes || unpackedBytes <= maxRatio * packedBytes) return;
    throw new Problem(unprocessable, `The file unpacks to more than ${maxRatio} times its size.`);
  };
}

async function* pieces(packed: Bytes): Bytes {
  for await (const chunk of packed) {
    for (let start = 0; start < chunk.length; start += stepSize)
      yield chunk.subarray(start, start + stepSize);
  }
}

/** Most files have no fault, and few are long: nothing is unpacked a second time before it has to be. */
const maxWaiting = 16 * 1024 ** 2;

/** Unpacks once more what went well, at the latest when much is waiting. */
function follower() {
  const second = unpacker();
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const catchUp = async () => {
    for (const piece of waiting.splice(0)) await second.write(piece);
    waitingBytes = 0;
  };
  return {
    async pass(piece: Uint8Array) {
      waiting.push(piece);
      waitingBytes += piece.length;
      if (waitingBytes >= maxWaiting) await catchUp();
    },
    /** What the piece with the fault unpacks to before that. @throws where it is met */
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
  // zlib does not answer the write in which it meets a fault: the stream alone is told.
  let fail: (error: Error) => void = () => undefined;
  gunzip.on('error', (error) => fail(error));
  const taken = () => {
    // Hands what is left in the stream to the listener above.
    while (gunzip.read() !== null);
    return ready.splice(0);
  };
  const step = (start: (done: () => void) => void) =>
    new Promise<Uint8Array[]>((resolve, reject) => {
      fail = reject;
      start(() => resolve(taken()));
    });
  return {
    async write(piece: Uint8Array) {
      const before = gunzip.bytesWritten;
      const unpacked = gunzip.readableEnded
        ? []
        : await step((done) => gunzip.write(piece, (error) => error ?? done()));
      // Zeros after the end are padding, at which zlib stops reading; it would not say what it passes over then.
      const isOver =
        gunzip.readableEnded && piece.subarray(gunzip.bytesWritten - before).some((byte) => byte > 0);
      if (isOver) throw Object.assign(new Error('There is more after the end.'), { code: 'Z_DATA_ERROR' });
      return unpacked;
    },
    end: () => (gunzip.readableEnded ? Promise.resolve([]) : step((done) => gunzip.once('end', done).end())),
    close: () => gunzip.destroy(),
  };
}
