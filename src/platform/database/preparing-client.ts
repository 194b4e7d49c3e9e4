import pg from 'pg';

const marked = /^\s*\/\* prepared as ([\w-]{1,60}) \*\//;

/**
 * A connection that prepares, once, each statement which begins with a comment such as `prepared as find-access-token`.
 * PostgreSQL then plans it no more at every call, which took over half of the time of those that every call of the API
 * may need.
 */
export class PreparingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args;
    const name = typeof text === 'string' ? marked.exec(text)?.[1] : undefined;
    const query = super.query as (...args: unknown[]) => never;
    if (name === undefined) return query.apply(this, args);
    return query.call(this, { name, text, values }, ...rest);
  }
}
