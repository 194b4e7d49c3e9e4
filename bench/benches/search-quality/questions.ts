import england from './england-questions.json' with { type: 'json' };
import heldOut from './held-out-questions.json' with { type: 'json' };
import questions from './questions.json' with { type: 'json' };
import reported from './reported-questions.json' with { type: 'json' };

/**
 * What link workers ask, and the right answers. Over the sample library: 60 questions that were written before the
 * search was tuned, 30 from afterwards that were never used for tuning,
 * and those that people reported because the search hid the right answer. Over England and Herefordshire: 60 with
 * places and days. Their answers were chosen from the data by name, kind and distance.
 */
export const questionSets = {
  sample: questions.map(({ question, answers }) => ({ question, answers: answers.map(({ id }) => id) })),
  heldOut: heldOut.map(({ question, answers }) => ({ question, answers: answers.map(({ id }) => id) })),
  reported: reported.map(({ question, answers }) => ({ question, answers: answers.map(({ id }) => id) })),
  england: england as readonly Question[],
};

/** `answers` are the ids of the services that are right; finding one of them is enough. */
export type Question = { question: string; postcode?: string; day?: string; answers: readonly string[] };

/** Hits are counted among the first 3 and 10 services. */
export type QualityFloor = { hitsAt3: number; hitsAt10: number; meanReciprocalRank: number };

/** What the search reached on 23 November 2026, and for the reported questions on 29 November. No set may do worse. */
export const qualityFloors: Readonly<Record<keyof typeof questionSets, QualityFloor>> = {
  sample: { hitsAt3: 59, hitsAt10: 60, meanReciprocalRank: 0.912 },
  heldOut: { hitsAt3: 28, hitsAt10: 29, meanReciprocalRank: 0.882 },
  reported: { hitsAt3: 8, hitsAt10: 8, meanReciprocalRank: 0.72 },
  england: { hitsAt3: 52, hitsAt10: 53, meanReciprocalRank: 0.851 },
};

type Listed = { id: string; name: string };
type Search = (question: Question, limit: number) => Promise<readonly Listed[]>;

/** `rank` is the position of the first right answer, from 1; undefined if it is not among the first ten. */
export type QuestionResult = { question: Question; rank: number | undefined; found: readonly Listed[] };

export async function askQuestions(
  questions: readonly Question[],
  search: Search,
): Promise<QuestionResult[]> {
  const results: QuestionResult[] = [];
  for (const question of questions) {
    const found = await search(question, 10);
    const index = found.findIndex(({ id }) => question.answers.includes(id));
    results.push({ question, rank: index === -1 ? undefined : index + 1, found });
  }
  return results;
}

/** How many questions have a right answer among the first `count` services. */
export function hitsAt(results: readonly QuestionResult[], count: number): number {
  return results.filter(({ rank = Infinity }) => rank <= count).length;
}

export function meanReciprocalRank(results: readonly QuestionResult[]): number {
  return results.reduce((sum, { rank = Infinity }) => sum + 1 / rank, 0) / results.length;
}
