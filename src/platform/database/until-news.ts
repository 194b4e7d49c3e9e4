import { oncePerTurn } from '../once-per-turn.ts';
import type { Notices } from './notices.ts';
import { ownChanges } from './own-changes.ts';

export type UntilNews<Answer> = {
  /** What is known for certain, without a question to the database. */
  known(): Answer | undefined;
  /** The same, or else what the database says. */
  get(): Answer | Promise<Answer>;
};

/**
 * Asks the database once and remembers the answer until there may be another: until news of the topic came or may have
 * been missed, or this process changed anything, so that whoever made a change here sees it at once. Changes of other
 * processes are seen when their news arrives. While no news can be heard, the database is asked by every turn of the
 * event loop.
 */
export function untilNews<Answer>(
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
  const age = () => news + ownChanges();
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
