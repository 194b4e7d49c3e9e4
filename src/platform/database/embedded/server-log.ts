import { open, stat } from 'node:fs/promises';
import { logPath, unusable } from './data-directory.ts';

const LIMIT_BYTES = 10_000_000;
const TAIL_BYTES = 8_000;

export type ServerLog = {
  readonly fd: number;
  /** The end of what was written since it was opened here. */
  writtenSince(): Promise<string>;
  close(): Promise<void>;
};

/** Opens PostgreSQL's log for appending, emptied when it has grown large: nobody else would ever shorten it. */
export async function openServerLog(dataDir: string): Promise<ServerLog> {
  const path = logPath(dataDir);
  const file = await open(path, 'a+', 0o600).catch((error: unknown) => {
    throw unusable(path, error);
  });
  // Root may start it on another user's directory, who has to be able to start it afterwards.
  const { uid, gid } = await stat(dataDir);
  if (process.getuid?.() === 0) await file.chown(uid, gid);
  if ((await file.stat()).size > LIMIT_BYTES) await file.truncate();
  const { size: start } = await file.stat();
  return {
    fd: file.fd,
    async writtenSince() {
      const { size } = await file.stat();
      const from = Math.max(start, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(size - from, 0)), {
        position: from,
      });
      return buffer.toString('utf8', 0, bytesRead);
    },
    close: () => file.close(),
  };
}
