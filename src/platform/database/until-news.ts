import type { Db } from './connect.ts';
import type { Notices } from './notices.ts';
import { transactionsEnded } from './transaction.ts';

export type UntilNews<Answer> = {
  /** What is known for certain, without a question to the database. */
  known(): Answer | undefined;
  /** The same, or else what the database says. */
  get(): Answer | Promise<Answer>;
};

/**
 * Asks the database once and remembers the answer until there may be another: until news of the topic came or may have
 * been missed, or this process ended a transaction, so that somebody who changes something here sees it at once. Changes
 * by other processes are seen when their news arrives. While no news can be heard, the database is asked each time.
 */
export function untilNews<Answer>(
  db: Db,
  notices: Notices,
  topic: string,
  ask: () => Promise<Answer>,
): UntilNews<Answer> {
  let news = 0;
  const hear = () => {
    news += 1;
  };
  notices.on(topic, hear);
  notices.onGap(hear);
  // Both only grow, so that their sum is the same only where neither grew.
  const age = () => news + transactionsEnded(db);
  let last: { answer: Answer; age: number } | undefined;
  const askAnew = oncePerTurn(async () => {
    const ageBefore = age();
    const answer = await ask();
    last = { answer, age: ageBefore };
    return answer;
  });
  const known = () => (last?.age === age() && notices.healthy() ? last.answer : undefined);
  return { known, get: () => known() ?? askAnew() };
}

/**
 * Makes one question of all that are asked in the same turn of the event loop. It goes out when the turn is over, so
 * that everybody gets an answer which is newer than their question.
 */
function oncePerTurn<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined;
  return () => {
    asked ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      asked = undefined;
      return ask();
    });
    return asked;
  };
}
