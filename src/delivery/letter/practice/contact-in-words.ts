import {
  type ContactSentences,
  channelInBrackets,
  contactNotAsked,
  needsCareToContact,
  type Referral,
  safeContactInWords,
  sharedContactSentences,
  waysInWords,
  waysLeftOut,
} from '../../../referrals/index.ts';
import type { PracticeLetterInput } from '../letter.ts';
import { referrerTelephone } from '../whom-to-ask.ts';
import { ageInYears, inWordsForPractice, joinWithCommas, withoutLineBreaks } from '../words.ts';
import type { PreparedLetter } from './prepare-letter.ts';

/** How to contact the patient of this letter, in sentences. */
export function howToContact({ referral: { content }, date }: PreparedLetter): string {
  return contactForPractice(content.contact, whoseTelephone(content, date));
}

/** How to contact the patient, in sentences for a practice. They also say if nobody asked. */
export function contactForPractice(contact: Referral['content']['contact'], whose: Whose): string {
  return contactInWords(contact, whose, sentencesForPractice);
}

/** The same for a service. */
export function contactForService(contact: Referral['content']['contact'], whose: Whose): string {
  return contactInWords(contact, whose);
}

/** If nobody knows whose telephone it is, nobody may leave a message on it. */
function contactInWords(
  contact: Referral['content']['contact'],
  { isUnknown, referrer }: Whose,
  sentences?: ContactSentences,
): string {
  const { who_must_not_know: _secretFrom, ...known } = { safe: 'not_asked' as const, ...contact };
  if (!isUnknown) return safeContactInWords(known, sentences);
  const { voicemail: _voicemail, ...way } = known;
  const warning =
    contact?.channel === 'text'
      ? `No voicemail. Before you text, ask ${referrer} whose telephone it is.`
      : 'No voicemail or message: we do not know whose telephone this is.';
  return `${safeContactInWords(way, sentences)} ${warning}`;
}

/** `isUnknown`: nobody recorded whose telephone it is. `referrer`: whom to ask, “Asha Patel (01632 960888)”. */
type Whose = { isUnknown: boolean; referrer: string };

/** A child may give somebody else’s telephone. Only if it is the carer’s do we know whose it is. */
export function whoseTelephone(
  { patient, contact, referrer }: Pick<Referral['content'], 'patient' | 'contact' | 'referrer'>,
  date: Date,
): Whose {
  const isChild = ageInYears(patient.birth_date, date) < 16;
  const isKnown = contact?.who_must_not_know === undefined && isThroughCarer(contact, patient.carer);
  return {
    isUnknown: isChild && !isKnown,
    referrer: referrer.telephone
      ? `${referrer.name} (${withoutLineBreaks(referrer.telephone)})`
      : referrer.name,
  };
}

/** What a letter to a practice says if nobody asked how to contact the patient. */
export const notAskedForPractice = inWordsForPractice(contactNotAsked);

/** The words that pages use too, except for two. Whom not to tell has a line of its own in letters. */
const sentencesForPractice: ContactSentences = {
  'do-not-tell': sharedContactSentences['do-not-tell'],
  'not-safe': (contact) =>
    `IT IS NOT SAFE TO CONTACT THE PATIENT${channelInBrackets(contact)}: ask who referred them.`,
  safe: (contact) => inWordsForPractice(sharedContactSentences.safe(contact)),
  'only-at': sharedContactSentences['only-at'],
  'not-asked': () => notAskedForPractice,
  'no-voicemail': sharedContactSentences['no-voicemail'],
  'may-leave-voicemail': sharedContactSentences['may-leave-voicemail'],
};

/** Whether an ordinary call, letter or visit might do harm. */
export function isContactLimited(letter: PreparedLetter): boolean {
  return (
    needsCareToContact(letter.referral.content.contact) ||
    /Do not ring|No voicemail/.test(howToContact(letter))
  );
}

/** Whom to ring instead, if no way to contact the patient is safe; otherwise undefined. */
export function whomToRingInstead(
  referral: Referral,
  { facts, site }: Pick<PracticeLetterInput, 'facts' | 'site'>,
): string | undefined {
  const { content, status, status_reason: reason } = referral;
  const { contact, referrer } = content;
  if (contact?.safe !== 'no' || status === 'entered-in-error' || reason?.code === 'died') return undefined;
  const who = joinWithCommas(referrer.name, referrer.organisation);
  const telephone = referrerTelephone(referral, facts);
  const instead = telephone
    ? `Ring instead: ${who} (who referred), ${telephone}.`
    : `Ask instead: ${who}. No telephone number was recorded${site.operatorContact ? `; or ${site.operatorContact}` : ''}.`;
  const withheld = waysLeftOut(referral);
  const old =
    withheld.length > 0 &&
    `Their new ${waysInWords(withheld)} ${withheld.length > 1 ? 'are' : 'is'} held back, to keep them safe.`;
  const words = [`it is not safe to contact the patient in any way. ${instead}`, old];
  return words.filter(Boolean).join(' ').replaceAll('..', '.');
}

/** Whom not to tell, on a line of its own above everything else. Left out if the referral was about another person by mistake. */
export function doNotTellLine({ content, status, status_reason: reason }: Referral): string | undefined {
  const secretFrom = content.contact?.who_must_not_know;
  const isOfAnother = status === 'entered-in-error' && reason?.code === 'wrong-person';
  return secretFrom === undefined || isOfAnother ? undefined : doNotTell([secretFrom]);
}

/** “Do not tell: her husband; her brother.” */
export function doNotTell(whom: readonly string[]): string {
  return `Do not tell: ${whom.map((each) => each.replace(/\.$/, '')).join('; ')}.`;
}

/** How the person prefers to be contacted, with a warning if that is not the safe way. */
export function preferenceBesideContact(
  preferred: string | undefined,
  contact: Referral['content']['contact'],
): string | undefined {
  if (preferred === undefined || contact?.safe === 'no') return undefined;
  const { channel } = contact ?? {};
  if (channel === undefined) return preferred;
  const isAnother = Object.values(waysOf).some((way) => way.test(preferred) && !way.test(channel));
  const isText = /text|sms/i.test(preferred) && channel === 'telephone';
  return isAnother || isText ? `${preferred} (but only ${channel} was said to be safe)` : preferred;
}

type SafeContact = NonNullable<Referral['content']['contact']>;

export type ContactWay = 'telephone' | 'email' | 'address';

const waysOf: Readonly<Record<ContactWay, RegExp>> = {
  telephone: /phone|text|sms|call|ring|mobile/i,
  email: /e-?mail/i,
  address: /letter|post|person|visit|home/i,
};

/** What stands in brackets after a number or an address that is not safe, because some readers look only for the number. Otherwise “”. */
export function markOfWay(contact: Referral['content']['contact'], way: ContactWay, value: string): string {
  if (contact?.safe === 'no') return ' (do not use it)';
  if (contact?.safe === 'yes' && way === 'telephone' && mustNotRing(contact))
    return waysOf.telephone.test(contact.channel ?? '') ? ' (text only)' : ' (do not ring)';
  if (contact?.safe !== 'only_at') return '';
  const { channel, only_at: when = '' } = contact;
  if (channel !== undefined && !waysOf[way].test(channel)) return markOfOtherWay(contact, way);
  // “At work, 01632 960514” is another number than the one at home.
  const numbers = numbersIn(when);
  const isOther = way === 'telephone' && numbers.length > 0 && !numbers.includes(digitsOf(value));
  return isOther ? ' (do not use it)' : ' (see how to contact the patient)';
}

function mustNotRing(contact: SafeContact): boolean {
  return sharedContactSentences.safe(contact).includes('Do not ring');
}

/** Whether email is the only safe way. */
export function isByEmail(contact: Referral['content']['contact']): boolean {
  return contact?.channel !== undefined && contact.safe !== 'no' && /^e-?mail$/i.test(contact.channel.trim());
}

/** If there is no secret to keep, letters and visits are not unsafe: a practice must not stop the post of somebody with dementia. */
function markOfOtherWay(
  { channel, only_at: when = '', who_must_not_know }: SafeContact,
  way: ContactWay,
): string {
  if (way !== 'address' || who_must_not_know !== undefined) return ' (do not use it)';
  return waysOf.address.test(when) ? ' (see how to contact the patient)' : ` (agreed contact: ${channel})`;
}

/** Whether the safe way is to ring the carer. Then no letter warns against the carer’s number. */
export function isThroughCarer(
  contact: Referral['content']['contact'],
  carer: { telephone?: string } | undefined,
): boolean {
  if (contact?.safe !== 'only_at' || !carer?.telephone) return false;
  return numbersIn(contact.only_at ?? '').includes(digitsOf(carer.telephone));
}

function numbersIn(text: string): string[] {
  return (text.match(/\d[\d\s]{6,}\d/g) ?? []).map(digitsOf);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}
