import heldOut from './held-out-questions.json' with { type: 'json' };
import questions from './questions.json' with { type: 'json' };

/**
 * What link workers ask, and which services of the sample library are right answers: 60 questions that were written
 * before the search was tuned, and 30 that were written afterwards, which nothing has been tuned to.
 */
export const questionSets = { questions, heldOut };

export type Question = { question: string; answers: readonly { id: string; name: string }[] };

/** How many of a list people look at before they put the question differently. */
const looked = 5;

type Listed = { id: string; name: string };

/** Asks the questions. One is answered where any of its right answers is among the first five. */
export async function askQuestions(
  asked: readonly Question[],
  search: (question: string, limit: number) => Promise<readonly Listed[]>,
): Promise<{ answered: number; missed: { question: string; wanted: string[]; found: string[] }[] }> {
  const missed = [];
  const names = (services: readonly Listed[]) => services.map(({ name }) => name);
  for (const { question, answers } of asked) {
    const found = await search(question, looked);
    if (answers.some(({ id }) => found.some((each) => each.id === id))) continue;
    missed.push({ question, wanted: names(answers), found: names(found) });
  }
  return { answered: asked.length - missed.length, missed };
}
