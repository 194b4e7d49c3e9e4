import type { Db } from '../connect.ts';
import { transactionsEnded } from '../transaction.ts';
import type { Notices } from './notices.ts';

export type CachedAnswer<Answer extends {}> = {
  /** The remembered answer, if it is certain to be the latest. */
  known(): Answer | undefined;
  /** The remembered answer, or else what the database says now. */
  get(): Answer | Promise<Answer>;
};

/**
 * Asks the database once and remembers the answer. It forgets it when a notice of the topic arrives or may have been
 * missed, and when this process ends a transaction: people see their own changes at once, and those of other processes when
 * the notice arrives. While no notice can arrive, the database is asked each time.
 */
export function cachedUntilNotice<Answer extends {}>(
  db: Db,
  notices: Notices,
  topic: string,
  ask: () => Promise<Answer>,
): CachedAnswer<Answer> {
  let forgotten = 0;
  const forget = () => {
    forgotten += 1;
  };
  notices.on(topic, forget);
  notices.onGap(forget);
  // Both counts only grow, so an equal sum means that nothing has changed.
  const changeCount = () => forgotten + transactionsEnded(db);
  let last: { answer: Answer; atChange: number } | undefined;
  const refresh = oncePerTurn(async () => {
    const atChange = changeCount();
    const answer = await ask();
    last = { answer, atChange };
    return answer;
  });
  const known = () => (last?.atChange === changeCount() && notices.healthy() ? last.answer : undefined);
  return { known, get: () => known() ?? refresh() };
}

/**
 * Asks once for all callers of the same turn of the event loop. It asks when the turn is over, so that each answer is newer
 * than the call.
 */
function oncePerTurn<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let pending: Promise<Answer> | undefined;
  return () => {
    pending ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      pending = undefined;
      return ask();
    });
    return pending;
  };
}
