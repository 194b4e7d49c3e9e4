import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Bytes } from './open-file.ts';

/** Puts bytes into a file for as long as it is used: a zip is read from its end. */
export async function spooled<T>(bytes: Bytes, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-import-'));
  try {
    const path = join(folder, 'file');
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
