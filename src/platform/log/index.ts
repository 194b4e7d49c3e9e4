import { type DestinationStream, destination, type Logger, pino, symbols } from 'pino';

export type Log = Logger;

/**
 * The site's log: JSON lines on standard error, so that standard output keeps what people read.
 * Lines are written asynchronously in blocks (a write per request cost a third of the rate in `bench/`) and are
 * flushed every half second and at the end of the process.
 * No call may hand it a URL, a body, a cookie, a token or a patient's detail; `test/journeys` searches for them.
 */
export function createLog(level: string, stream: DestinationStream = standardError()): Log {
  return pino({ level, base: null, timestamp: () => `,"time":"${timeOfLine()}"` }, stream);
}

function standardError(): DestinationStream {
  const stream = destination({
    dest: 2,
    sync: false,
    contentMode: 'buffer',
    minLength: 15_000,
    periodicFlush: 500,
    maxLength: mostWaiting,
  });
  // Given texts, the stream counts the bytes of all that waits again with each line; given bytes, it adds them up.
  const take = stream.write.bind(stream) as unknown as (line: Buffer) => boolean;
  stream.write = (line) => take(Buffer.from(line));
  return stream;
}

/** Bytes of log that wait for a reader who has stopped reading; what comes on top is lost, so that the site goes on. */
const mostWaiting = 16 * 1024 * 1024;

/**
 * What may be logged of an unexpected error: its kind and where it happened. The message is left out because the
 * messages of PostgreSQL and of parsers quote values, and values may be a patient's.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error };
  const { code, constraint, table, routine } = error as Error & Record<string, unknown>;
  const frames = error.stack?.split('\n').filter((line) => line.trimStart().startsWith('at ')) ?? [];
  return {
    kind: error.name,
    code,
    constraint,
    table,
    routine,
    at: frames.slice(0, 12).map((line) => line.trim()),
  };
}

let lastMs = 0;
let lastTime = '';

/** The time as the log writes it; many lines of one millisecond share it. */
function timeOfLine(): string {
  const ms = Date.now();
  if (ms !== lastMs) {
    lastMs = ms;
    lastTime = new Date(ms).toISOString();
  }
  return lastTime;
}

/**
 * Writes a line whose members are already JSON, for the one line that every request writes: composing it from an
 * object took as long as answering. `members` begins with a comma and holds nothing that a caller could have put there.
 */
export function writeInfoLine(log: Log, members: string): void {
  const stream = (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym];
  stream?.write(`{"level":30,"time":"${timeOfLine()}"${members}}\n`);
}
