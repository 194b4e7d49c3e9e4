import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';

export type Log = Logger;

/**
 * The site's log: JSON lines on standard error, so that standard output keeps what people read.
 * Lines are written in blocks, every half second and at the end of the process.
 * Never log a URL, a body, a cookie, a token or a patient's details; `test/journeys` searches for them.
 */
export function createLog(level: string, stream: DestinationStream = standardError()): Log {
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino({ level, base: null, formatters, timestamp: stdTimeFunctions.isoTime }, stream);
}

function standardError(): DestinationStream {
  return destination({
    dest: 2,
    sync: false,
    minLength: 15_000,
    periodicFlush: 500,
    maxLength: maxWaitingBytes,
  });
}

/** If nobody reads the log any more, lines beyond this size are lost, and the site goes on. */
const maxWaitingBytes = 16 * 1024 * 1024;

/**
 * What may be logged of an unexpected error: its kind and where it happened. The message is left out, because PostgreSQL and
 * parsers quote values in theirs, and values may be a patient's.
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
