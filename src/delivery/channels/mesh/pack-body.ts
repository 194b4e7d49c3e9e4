import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/**
 * A message's body as the exchange takes it: packed, and in as few chunks as the largest request allows. Each is packed by
 * itself, so that a receiver unpacks them one by one. The same body gives the same bytes.
 */
export async function packBody(body: Buffer, largestRequest: number): Promise<Buffer[]> {
  for (let count = 1; ; count *= 2) {
    const size = Math.ceil(body.length / count);
    const starts = Array.from({ length: count }, (_, index) => index * size);
    const chunks = await Promise.all(starts.map((start) => compress(body.subarray(start, start + size))));
    if (chunks.every(({ length }) => length <= largestRequest) || size <= 1) return chunks;
  }
}
