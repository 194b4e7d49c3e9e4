import pg from 'pg';

/** A connection that notices when a commit committed nothing. */
export class CheckedClient extends pg.Client {
  override query(...args: unknown[]): never {
    const answer: unknown = (super.query as Query).apply(this, args);
    return (
      args[0] === 'commit' && answer instanceof Promise ? answer.then(requireCommitted) : answer
    ) as never;
  }
}

type Query = (...args: unknown[]) => unknown;

/**
 * If a statement of the transaction failed before, PostgreSQL answers a commit with ROLLBACK and no error. Code that had
 * swallowed the first error would believe that its work was stored. @throws Error
 */
function requireCommitted(result: unknown): unknown {
  if ((result as pg.QueryResult).command === 'ROLLBACK')
    throw new Error('the transaction was undone at its end: one of its statements had failed');
  return result;
}
