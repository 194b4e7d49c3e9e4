import questions from './questions.json' with { type: 'json' };

/** How many of a list people look at before they put the question differently. */
const looked = 5;

export type Missed = { question: string; wanted: string[]; found: string[] };

/**
 * Asks the questions of link workers, which were written before the search was tuned, of a site with the sample library.
 * One is answered where any of its right answers is among the first five.
 * @param ask what the search lists first for a question.
 */
export async function askQuestions(
  ask: (question: string, limit: number) => Promise<readonly { id: string; name: string }[]>,
): Promise<{ asked: number; answered: number; missed: Missed[] }> {
  const missed: Missed[] = [];
  for (const { question, answers } of questions) {
    const found = await ask(question, looked);
    if (answers.some(({ id }) => found.some((each) => each.id === id))) continue;
    const names = (services: readonly { name: string }[]) => services.map(({ name }) => name);
    missed.push({ question, wanted: names(answers), found: names(found) });
  }
  return { asked: questions.length, answered: questions.length - missed.length, missed };
}
