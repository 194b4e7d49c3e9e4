import { crisisIn, mentionsCrisis } from '../../../../library/index.ts';
import type { DeepPartial, ReferralContent } from '../../referral.ts';
import { referralTexts, textsAt } from '../../text-rules.ts';
import { mayBeAbusedAtHome, mayTellOfAbuse } from './abuse-at-home.ts';
import { limitsContact } from './safe-contact.ts';

// Which of these to ask. Each is also true where the one above it is:
//
// `isRiskToRead`      | somebody is at risk, or the referral has words of a crisis: the words about risk stand out
// `isDangerous`       | or no contact is safe: emails say that there is a risk, and the referrer’s side confirms that somebody has acted
// `mayBeReadByHarmer` | or contact is limited, or the words, also later ones, tell of abuse at home: nothing goes to the person by itself
// `mustBeReadFirst`   | or there is a safety note: only somebody who has signed in and opened the referral answers it
//
// `whyNoPersonPage` names the danger that it finds, and is stricter: it also needs an answer about risk and a “yes” about contact.
//
// `mayTellOfDanger` asks it of one text, such as a message.

type RiskAnswer = Pick<ReferralContent, 'risk' | 'risk_acted_on'> & {
  referrer?: Pick<ReferralContent['referrer'], 'name'>;
};
/** A referral as far as it is known; its texts are looked up in `text-rules.ts`, which takes any object. */
type ContentSoFar = Pick<DeepPartial<ReferralContent>, 'safety_notes'> & object;

/** The parts of a referral that have words of a crisis, as people call them. */
export function partsWithCrisis(content: object, crisisPhrases: readonly string[] | undefined): string[] {
  const parts = Object.entries(referralTexts).flatMap(([path, { part }]) =>
    part !== undefined && textsAt(content, path).some((text) => mentionsCrisis(text, crisisPhrases))
      ? [part]
      : [],
  );
  return [...new Set(parts)];
}

/** Words of a crisis, and the part of the referral that has them. `goesOn`: it has more. `isDenied`: the sentence says that there is none. */
export type CrisisWords = { part: string; words: string; goesOn: boolean; isDenied: boolean };

/** The words of a crisis in a referral, each with its part, for a reader who has to judge them. */
export function crisisWordsIn(content: object, crisisPhrases: readonly string[] | undefined): CrisisWords[] {
  return Object.entries(referralTexts).flatMap(([path, { part }]) =>
    part === undefined
      ? []
      : textsAt(content, path).flatMap((text) =>
          crisisIn(text, crisisPhrases).map((words) => ({ part, ...words })),
        ),
  );
}

/** In a sentence of its own: nobody should have to read a question and its answer to find it. */
export function somebodyAtRisk(referrer = 'The referrer'): string {
  return `${referrer} says that somebody is at risk of serious harm, or that a child or adult is being hurt.`;
}

/** The form asks who was told and when, and no more. The text may say what they did. */
export const whatWasDoneIsNotKnown = 'What they did is not known here, unless the text says it.';

/**
 * What stands first for staff of the service, unless the answer was a plain no: who was at risk and who was told, or that nobody
 * asked. Answers that contradict each other, or the text, are both shown, and not judged.
 */
export function riskInWords(
  content: RiskAnswer & ContentSoFar,
  {
    day,
    crisisPhrases,
    isNoteBeside = false,
  }: {
    day: (moment: string) => string;
    crisisPhrases?: readonly string[] | undefined;
    /** The safety note’s own words stand beside these, so that nobody has to be told to look for it. */
    isNoteBeside?: boolean;
  },
): string[] {
  const { risk = 'not_asked', risk_acted_on: report, safety_notes, referrer } = content;
  const source = referrer ? ` (says ${referrer.name}, who referred)` : '';
  const whoWasTold = report
    ? `Told on ${day(report.when)}: ${report.who_was_told}${source}. ${whatWasDoneIsNotKnown}`
    : 'It does not say who was told.';
  if (risk === 'yes')
    return [`${somebodyAtRisk(referrer?.name)} Read the reasons to see who it is, or ask.`, whoWasTold];
  if (report) {
    const answer = risk === 'no' ? '“no”' : 'not “yes”';
    return [
      `The question whether anybody is at risk of serious harm was answered with ${answer}, and yet somebody was told of a risk: ask who referred the person.`,
      whoWasTold,
    ];
  }
  const parts = partsWithCrisis(content, crisisPhrases).join(' and ');
  if (risk === 'no') {
    if (parts) return [`The answer was “no”, but ${parts} may say otherwise: read it.`];
    return safety_notes && !isNoteBeside
      ? ['Nobody is said to be at risk of serious harm, but there is a safety note: read it.']
      : [];
  }
  return [
    `Whether anybody is at risk of serious harm ${risk === 'not_asked' ? 'was not asked' : 'could not be asked'}.`,
    ...(parts ? [`Words of a crisis are in ${parts}: read it.`] : []),
  ];
}

/** Whether the referral itself says that somebody is at risk, by its answer or by words of a crisis. */
export function tellsOfRisk(
  content: Pick<RiskAnswer, 'risk'> & object,
  crisisPhrases: readonly string[] | undefined,
): boolean {
  return content.risk === 'yes' || partsWithCrisis(content, crisisPhrases).length > 0;
}

/** Whether the words about risk have to stand out: somebody was at risk or was told of a risk, or the text sounds like it. */
export function isRiskToRead(
  content: RiskAnswer & ContentSoFar,
  crisisPhrases: readonly string[] | undefined,
): boolean {
  return content.risk_acted_on !== undefined || tellsOfRisk(content, crisisPhrases);
}

/** Whether emails say that there is a risk to act on, and the referrer’s side confirms that somebody has acted. */
export function isDangerous(
  content: RiskAnswer & ContentSoFar & Pick<ReferralContent, 'contact'>,
  crisisPhrases: readonly string[] | undefined,
): boolean {
  return content.contact?.safe === 'no' || isRiskToRead(content, crisisPhrases);
}

type ReferralSoFar = RiskAnswer & ContentSoFar & DeepPartial<Pick<ReferralContent, 'contact' | 'needs'>>;

/** Whether a text that somebody wrote has words of a crisis, or may tell of somebody who is abused or watched at home. */
export function mayTellOfDanger(text: string, crisisPhrases: readonly string[] | undefined): boolean {
  return mentionsCrisis(text, crisisPhrases) || mayTellOfAbuse(text);
}

/**
 * Whether what is sent or handed to the person may be read by somebody who harms them: it is not always safe to contact them, somebody must
 * not know, somebody is at risk, or a need or the words tell of abuse at home or of a crisis. If the risk was not asked, this does not say so.
 * `laterTexts`: what was written beside it since (`later-texts-store.ts`).
 */
export function mayBeReadByHarmer(
  content: ReferralSoFar,
  laterTexts: readonly string[],
  crisisPhrases: readonly string[] | undefined,
): boolean {
  return (
    limitsContact(content.contact) ||
    isRiskToRead(content, crisisPhrases) ||
    mayBeAbusedAtHome(content) ||
    laterTexts.some((text) => mayTellOfDanger(text, crisisPhrases))
  );
}

/**
 * Whether somebody could be hurt if the wrong person reads or answers a referral, or if nobody reads it closely: it has a safety note, or
 * something else in it, or written about it since, tells of a danger. Such a referral is answered by somebody who has signed in and opened it.
 */
export function mustBeReadFirst(
  content: ReferralSoFar,
  laterTexts: readonly string[],
  crisisPhrases: readonly string[] | undefined,
): boolean {
  const hasSafetyNote = (content.safety_notes ?? '').trim() !== '';
  return hasSafetyNote || mayBeReadByHarmer(content, laterTexts, crisisPhrases);
}
