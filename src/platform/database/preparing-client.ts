import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const copying = /^copy .* from stdin /;
const marked = /^\s*\/\* prepared as ([\w-]{1,60}) \*\//;

/** Which statement has a name, in all connections. */
const named = new Map<string, string>();

/**
 * A connection that prepares, once, each statement which begins with a comment such as `prepared as find-access-token`.
 * PostgreSQL then plans it no more at every call, which took over half of the time of those that every call of the API
 * may need. Another statement under a name that is taken is planned each time: refused by the connections alone that have
 * met the first, it would work in every test and fail on a site.
 *
 * A COPY is given its rows as its one parameter (see `copyRows`).
 */
export class PreparingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args;
    if (typeof text === 'string' && copying.test(text)) return copied(this, text, values) as never;
    const name = typeof text === 'string' ? nameOf(text) : undefined;
    const asked = name === undefined ? args : [{ name, text, values }, ...rest];
    const query = super.query.bind(this) as Query;
    return (wantsPromise(args) ? promised(query, asked) : query(...asked)) as never;
  }
}

type Query = (...args: unknown[]) => unknown;

function wantsPromise(args: readonly unknown[]): boolean {
  const { submit, callback } = Object(args[0]);
  return submit === undefined && callback === undefined && !args.some((each) => typeof each === 'function');
}

/**
 * A promise as pg makes one, but for what pg does with its callback: a function that is written where it becomes a property
 * is long-lived to V8, and so kept all that its query had been given and answered until everything was collected.
 */
function promised(query: Query, [config, values]: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    query(config, values, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
  }).catch((error) => {
    // It came from the socket; whoever reads of it wants to know who asked.
    Error.captureStackTrace(error);
    throw error;
  });
}

function nameOf(text: string): string | undefined {
  const name = marked.exec(text)?.[1];
  if (name === undefined) return undefined;
  const first = named.get(name);
  if (first === undefined) named.set(name, text);
  return first === undefined || first === text ? name : undefined;
}

async function copied(client: pg.Client, text: string, values: unknown) {
  const [rows] = values as [Buffer];
  const stream = client.query(copyFrom(text));
  stream.end(rows);
  await finished(stream);
  return { command: 'COPY', rowCount: stream.rowCount, rows: [] };
}
