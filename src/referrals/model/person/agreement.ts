import type { FieldError } from '../../../platform/problem/index.ts';
import type { Agreement, Referral, ReferralContent } from '../referral.ts';
import { ageInMonths, isUnder16 } from './age.ts';

const adultMonths = 18 * 12;

/**
 * In years. The law of England and Wales has no lowest age at which a child can decide (Gillick v West Norfolk AHA), and the CQC calls
 * it rarely right below 13 without a parent: from 10 to 12 the service is told so. Below 10 it is far likelier that the birth date or
 * the answer is wrong, and such a child would be referred without anybody’s agreement that counts.
 */
const minAgeToDecide = 10;

/** Whether the basis of the agreement is one for somebody of this age, and has the fields that this basis needs. */
export function agreementErrors(
  { agreement, patient }: { agreement?: Agreement | undefined; patient: { birth_date: string } },
  today: string,
  field: 'agreement' | 'said_by' = 'agreement',
): FieldError[] {
  if (!agreement) return [];
  const { basis, judged_by, when, decided_by } = agreement;
  const months = ageInMonths(patient.birth_date, today);
  const error = (message: string, code: string) => [{ pointer: `/${field}/basis`, message, code }];
  if (basis === 'person' && isUnder16(patient.birth_date, today))
    return error(
      'must say who agreed, because the person is under 16: parental_responsibility, competent_child, best_interests or safeguarding',
      'under-16',
    );
  if ((basis === 'parental_responsibility' || basis === 'competent_child') && months >= adultMonths)
    return error('is for somebody under 18', 'not-a-child');
  if (basis === 'attorney_or_deputy' && isUnder16(patient.birth_date, today))
    return error('is for somebody of 16 or over', 'a-child');
  if (
    basis === 'competent_child' &&
    ageInMonths(patient.birth_date, (when ?? today).slice(0, 10)) < minAgeToDecide * 12
  )
    return error(tooYoungToDecide, 'too-young-to-decide');
  const missingError = (name: string) => ({
    pointer: `/${field}/${name}`,
    message: `is required with ${basis}`,
    code: 'required',
  });
  if (basis === 'competent_child')
    return [...(judged_by ? [] : [missingError('judged_by')]), ...(when ? [] : [missingError('when')])];
  if (basis === 'best_interests' && !decided_by) return [missingError('decided_by')];
  return [];
}

const tooYoungToDecide = `is not accepted for a child who was under ${minAgeToDecide} then. Use parental_responsibility, best_interests or safeguarding, or correct the birth date`;

/** What an agreement rests on where the client did not say: from 16 on, the person. */
export function basisWhenLeftOut(birthDate: string, today: string): 'person' | 'not_asked' {
  return isUnder16(birthDate, today) ? 'not_asked' : 'person';
}

/**
 * Whether a change of the agreement must say who made it: the person is under 16, or somebody else agreed for them. Otherwise it is
 * taken to be the person.
 */
export function mustSayWhoDecided(
  { agreement, patient }: Pick<Referral['content'], 'agreement' | 'patient'>,
  today: string,
): boolean {
  return (agreement?.basis ?? 'person') !== 'person' || isUnder16(patient.birth_date, today);
}

/** How much the practice is told. */
export function sharingLevel(share: Referral['content']['consent']['share_with_gp']): number {
  return [false, 'codes_only', true].indexOf(share);
}

/** Whether this shares more with the practice than the referral does. */
export function sharesMore(
  { content }: Pick<Referral, 'content'>,
  { share_with_gp: share = false }: Partial<Pick<Referral['content']['consent'], 'share_with_gp'>>,
): boolean {
  return sharingLevel(share) > sharingLevel(content.consent.share_with_gp);
}

/** Whether the person decided what counts until now, as a child or an adult, and somebody else decides now. */
export function undoesOwnDecision(
  { agreement, consent }: Referral['content'],
  { basis }: Pick<Agreement, 'basis'>,
): boolean {
  const last = consent.said_by && consent.said_by.basis !== 'not_asked' ? consent.said_by : agreement;
  return isOwnDecision(last?.basis ?? 'person') && !isOwnDecision(basis);
}

/** The person decides: as an adult, or as a child who can decide. */
export type OwnBasis = 'person' | 'competent_child';

export function isOwnDecision(basis: Agreement['basis']): basis is OwnBasis {
  return basis === 'person' || basis === 'competent_child';
}

const agreementSentences: Readonly<Record<Agreement['basis'], string>> = {
  person: 'The person agreed.',
  parental_responsibility: 'Somebody with parental responsibility agreed.',
  competent_child: 'The child agreed, and was judged able to decide this',
  best_interests: 'It was decided in the person’s best interests',
  attorney_or_deputy: 'An attorney or deputy of the person agreed.',
  safeguarding: 'It was decided to keep the person or somebody else safe.',
  not_asked: 'Who agreed for the person was not asked.',
};

/** What the agreement rests on. `day` writes a moment as a date. */
export function agreementInWords(
  agreement: Agreement = { basis: 'person' },
  day: (moment: string) => string,
): string {
  return fillInSentence(agreementSentences, agreement, day);
}

/** In years. Few children below that can decide alone, so those who go on with the referral are told who judged it. */
const ageBelowWhichToCheck = 13;

/** What to check first if a young child decided. `today` counts where it is not known when it was judged. */
export function youngDeciderInWords(
  { agreement, consent, patient }: Partial<Pick<ReferralContent, 'agreement' | 'consent' | 'patient'>>,
  today: string,
): string | undefined {
  const judged = [consent?.said_by, agreement].find((each) => each?.basis === 'competent_child');
  if (!judged || !patient?.birth_date) return undefined;
  const age = Math.floor(ageInMonths(patient.birth_date, (judged.when ?? today).slice(0, 10)) / 12);
  if (age >= ageBelowWhichToCheck) return undefined;
  return `The child was judged competent at age ${age} by ${judged.judged_by ?? 'somebody not named'}. Few children under ${ageBelowWhichToCheck} can decide this alone: check that with them before you go on.`;
}

function fillInSentence(
  words: Readonly<Record<Agreement['basis'], string>>,
  { basis, judged_by, when, decided_by, consulted }: Agreement,
  day: (moment: string) => string,
): string {
  if (basis === 'competent_child')
    return `${words[basis]}: judged by ${judged_by ?? 'somebody not named'}${when ? ` on ${day(when)}` : ''}.`;
  if (basis === 'best_interests')
    return `${words[basis]} by ${decided_by ?? 'somebody not named'}${consulted ? `, who asked ${consulted}` : ''}.`;
  return words[basis];
}

const changeSentences: Readonly<Record<Agreement['basis'], string>> = {
  person: 'The person said so.',
  parental_responsibility: 'Somebody with parental responsibility said so.',
  competent_child: 'The child said so, and was judged able to decide this',
  best_interests: 'It was decided in the person’s best interests',
  attorney_or_deputy: 'An attorney or deputy of the person said so.',
  safeguarding: 'It was decided to keep the person or somebody else safe.',
  not_asked: 'Who said so for the person was not asked.',
};

/** Who said that the agreement changes. */
export function saidByInWords(saidBy: Agreement, day: (moment: string) => string): string {
  return fillInSentence(changeSentences, saidBy, day);
}
