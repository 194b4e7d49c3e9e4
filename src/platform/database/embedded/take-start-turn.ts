import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from './explain-failure.ts';

/**
 * The turn to start PostgreSQL, or undefined while another process has it; returns what gives it back.
 *
 * Two PostgreSQLs that start on the lock file of a dead one can each remove the other's fresh one. The one that goes on
 * then runs where nobody finds it, and keeps every other away (seen where PostgreSQL was killed again and again beneath
 * three processes). The turn is a name in the kernel, so that it ends with its process; it is made from the password,
 * so that no other user of the machine can take it. macOS has no such names, and is left to PostgreSQL's own care.
 */
export async function takeStartTurn(password: string): Promise<(() => Promise<void>) | undefined> {
  const path = turnPath(createHash('sha256').update(`start ${password}`).digest('hex').slice(0, 32));
  if (path === undefined) return async () => undefined;
  const turn = createServer((socket) => socket.destroy());
  try {
    turn.listen({ path, exclusive: true });
    await once(turn, 'listening');
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
  return () => new Promise((resolve) => turn.close(() => resolve()));
}

function turnPath(name: string): string | undefined {
  if (process.platform === 'linux') return `\0onward-${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\onward-${name}` : undefined;
}
