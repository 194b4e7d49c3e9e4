import { adjustmentsInWords } from './person/adjustments.ts';
import { ethnicCategories } from './person/ethnic-category.ts';
import { episodes, methods, sources } from './person/how-referred.ts';
import { goalResultWords, needs, needsInWords } from './person/needs.ts';
import type { DraftContent } from './referral.ts';

type Coded = Pick<
  DraftContent,
  'needs' | 'goals' | 'reasonable_adjustments' | 'episode' | 'source' | 'method'
> & { patient?: { ethnic_category?: keyof typeof ethnicCategories } };

const resultColours = { achieved: 'green', partly: 'yellow', not: 'red' } as const;

/** What a referral says in codes, as people read it. Each is undefined, or empty, where nothing was said. */
export function codedFieldsInWords(content: Coded) {
  const { episode, source, method, patient } = content;
  return {
    needs: needsInWords(content.needs).join(', '),
    goals: (content.goals ?? []).map(({ text, need, result }) => ({
      text,
      need: need && needs[need].title,
      tag: result
        ? { text: goalResultWords[result], colour: resultColours[result] }
        : { text: 'Not said yet', colour: 'grey' },
    })),
    adjustments: adjustmentsInWords(content.reasonable_adjustments),
    episode: episode && episodes[episode],
    source: source && sources[source],
    method: method && methods[method],
    ethnicCategory: patient?.ethnic_category && ethnicCategories[patient.ethnic_category],
  };
}
