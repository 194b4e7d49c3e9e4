import { type Db, inTransaction, type Trx } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import { describeError } from '../log/index.ts';

type Deps = { readonly db: Db; readonly log: Log };

const maxListed = 500;

/** What is done with something that is due: a referral or an organisation, by its id. */
export type DueWork<Id> = {
  work: (trx: Trx, ids: readonly Id[]) => Promise<void>;
  /** How many share a transaction. When that fails, each is tried alone, so that an error with one does not stop the others. */
  batchSize: number;
  /** What the log says about one that failed. */
  failure: string;
};

/** Works on each of these. The job that calls this may be killed at any point and run again. @returns those that failed */
export async function workOnEach<Id extends string | null>(
  deps: Deps,
  ids: readonly Id[],
  { work, batchSize, failure }: DueWork<Id>,
): Promise<Id[]> {
  const failed: Id[] = [];
  for (let from = 0; from < ids.length; from += batchSize) {
    const some = ids.slice(from, from + batchSize);
    try {
      await inTransaction(deps.db, (trx) => work(trx, some));
    } catch (error) {
      if (some.length > 1) {
        failed.push(...(await workOnEach(deps, some, { work, batchSize: 1, failure })));
      } else {
        failed.push(...some);
        deps.log.error({ id: some[0], error: describeError(error) }, failure);
      }
    }
  }
  return failed;
}

/** Lists and works on batches until only failures are left. */
export async function workOnAllDue(
  deps: Deps,
  list: (page: { without: readonly string[]; limit: number }) => Promise<string[]>,
  dueWork: DueWork<string>,
): Promise<string[]> {
  const failed: string[] = [];
  for (;;) {
    const due = await list({ without: failed, limit: maxListed });
    failed.push(...(await workOnEach(deps, due, dueWork)));
    if (due.length < maxListed) return failed;
  }
}
