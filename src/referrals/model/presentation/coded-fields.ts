import { lowerFirst } from '../../../platform/first-letter.ts';
import { contactKinds } from '../after-acceptance/contacts.ts';
import { changeInWords, changesOfMeasures, measures, scaleInWords } from '../after-acceptance/measures.ts';
import { adjustmentsInWords } from '../person/adjustments.ts';
import { ethnicCategories } from '../person/ethnic-category.ts';
import { episodes, methods, sources } from '../person/how-referred.ts';
import { goalResultWords, needs, needsInWords } from '../person/needs.ts';
import type { DraftContent, Outcome } from '../referral.ts';

type CodedFields = Pick<
  DraftContent,
  | 'needs'
  | 'goals'
  | 'contacts'
  | 'measures'
  | 'appointments'
  | 'reasonable_adjustments'
  | 'episode'
  | 'source'
  | 'method'
> & { patient?: { ethnic_category?: keyof typeof ethnicCategories } };

const resultColours = { achieved: 'green', partly: 'yellow', not: 'red' } as const;

/** What a referral says in codes, as people read it. Each is undefined, or empty, where nothing was said. */
export function codedFieldsInWords({
  outcome = null,
  ...content
}: CodedFields & { outcome?: Outcome | null }) {
  const { episode, source, method, patient } = content;
  return {
    needs: needsInWords(content.needs).join(', '),
    goals: (content.goals ?? []).map(({ text, need, result }) => ({
      text,
      need: need && needs[need].title,
      tag: result
        ? { text: goalResultWords[result], colour: resultColours[result] }
        : { text: 'Not answered yet', colour: 'grey' },
    })),
    adjustments: adjustmentsInWords(content.reasonable_adjustments),
    episode: episode && episodes[episode],
    source: source && sources[source],
    method: method && methods[method],
    contacts: (content.contacts ?? []).map(({ reached, kind, ...each }) => ({
      ...each,
      what: `${reached ? 'Reached the person' : 'Could not reach the person'}: ${lowerFirst(contactKinds[kind])}`,
    })),
    appointments: (content.appointments ?? []).map(({ kind, ...each }) => ({
      ...each,
      what: [contactKinds[kind], placeToName(kind, each.place)].filter(Boolean).join(', '),
    })),
    measures: (content.measures ?? []).map((measure) => ({
      ...measure,
      title: measures[measure.code].title,
    })),
    measureChanges: changesOfMeasures({ outcome, content }).map((each) => ({
      title: measures[each.code].title,
      words: changeInWords(each),
      range: scaleInWords(each.code),
    })),
    ethnicCategory: patient?.ethnic_category && ethnicCategories[patient.ethnic_category],
  };
}

/** Where an appointment is, without “at home” once more where the kind of it says that already. */
function placeToName(kind: keyof typeof contactKinds, place: string | undefined): string | undefined {
  return kind === 'home-visit'
    ? place?.replace(/^(?:at )?(?:the )?(?:person[’']s )?home\b[\s,:]*/i, '')
    : place;
}
