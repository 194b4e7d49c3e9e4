import type { Db } from '../../../../platform/database/index.ts';
import { isWorrying, measures, type TakenMeasure } from '../../../model/after-acceptance/measures.ts';
import { hasOpenWorryingAnswer } from '../../../model/after-acceptance/worrying-answers-store.ts';
import { listPrompts } from '../../../model/attention/prompts-store.ts';
import type { HistoryLine } from '../../../model/history-store.ts';

export type WorryingScores = {
  /** Each with its title. */
  scores: string;
  /** Who has to look into them; undefined until somebody was named. */
  owner?: { name: string; dueOn: string | null } | undefined;
  /** What somebody did about them. Undefined while they are open. */
  settled?: { by: string; at: Date; text: string | undefined } | undefined;
};

/** The scores that somebody has to look into, or has looked into, for both sides alike. Undefined where no score worries. */
export async function readWorryingScores(
  db: Db,
  referralId: string,
  taken: readonly TakenMeasure[],
  history: readonly HistoryLine[],
): Promise<WorryingScores | undefined> {
  const worrying = taken.filter((each) => isWorrying(taken, each));
  if (worrying.length === 0) return undefined;
  const scores = worrying.map(({ code, value }) => `${measures[code].title}: ${value}`).join('; ');
  const line = history.findLast(({ details }) => details?.kind === 'alarming-answer-settled');
  if (line && !(await hasOpenWorryingAnswer(db, referralId)))
    return { scores, settled: { by: line.actorName, at: line.at, text: line.reason?.text } };
  const prompts = (await listPrompts(db, [referralId])).get(referralId) ?? [];
  const prompt = prompts.find(({ kind }) => kind === 'alarming-answer');
  const owner = prompt?.ownerName ? { name: prompt.ownerName, dueOn: prompt.dueOn } : undefined;
  return { scores, owner };
}
