import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * The site's log: JSON lines on standard error, so that standard output keeps what people read.
 * Lines are written asynchronously in blocks (a write per request cost a third of the rate in `bench/`) and are
 * flushed every half second and at the end of the process.
 * No call may hand it a URL, a body, a cookie, a token or a patient's detail; `test/journeys` searches for them.
 */
export function createLog(level: string, stream: DestinationStream = standardError()): Log {
  return pino({ level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }, stream);
}

function standardError(): DestinationStream {
  return destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 500 });
}

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
