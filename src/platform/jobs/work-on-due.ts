import { type Db, inTransaction, type Trx } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import { describeError } from '../log/index.ts';

type Deps = { readonly db: Db; readonly log: Log };

const maxListed = 500;

/** What is done with things that are due, such as referrals or organisations, by their ids. */
export type DueWork<Id> = {
  handle: (trx: Trx, ids: readonly Id[]) => Promise<void>;
  /** How many share a transaction. When that fails, each is tried alone, so that an error with one does not stop the others. */
  batchSize: number;
  /** What the log says about one that failed. */
  failure: string;
};

/** Does the work for each id, in batches. The job that calls this may be killed at any point and run again. @returns those that failed */
export async function handleEach<Id extends string | null>(
  deps: Deps,
  ids: readonly Id[],
  { handle, batchSize, failure }: DueWork<Id>,
): Promise<Id[]> {
  const failed: Id[] = [];
  for (let from = 0; from < ids.length; from += batchSize) {
    const some = ids.slice(from, from + batchSize);
    try {
      await inTransaction(deps.db, (trx) => handle(trx, some));
    } catch (error) {
      if (some.length > 1) {
        failed.push(...(await handleEach(deps, some, { handle, batchSize: 1, failure })));
      } else {
        failed.push(...some);
        deps.log.error({ id: some[0], error: describeError(error) }, failure);
      }
    }
  }
  return failed;
}

/** Lists what is due and does the work for it, until only failures are left. */
export async function handleAllDue(
  deps: Deps,
  list: (page: { without: readonly string[]; limit: number }) => Promise<string[]>,
  dueWork: DueWork<string>,
): Promise<string[]> {
  const failed: string[] = [];
  for (;;) {
    const due = await list({ without: failed, limit: maxListed });
    failed.push(...(await handleEach(deps, due, dueWork)));
    if (due.length < maxListed) return failed;
  }
}
