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
    const query = super.query as (...args: unknown[]) => never;
    if (name === undefined) return query.apply(this, args);
    return query.call(this, { name, text, values }, ...rest);
  }
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
