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
import type { PracticeLetterOptions } from '../letter.ts';
import { referrerTelephone } from '../whom-to-ask.ts';
import { ageInYears, inWordsForPractice, listed, unbroken } from '../words.ts';
import type { PracticeLetter } from './prepare-letter.ts';

/** How to contact the patient, as the referral says it. */
export function howToContact({ referral: { content }, date }: PracticeLetter): string {
  return contactForPractice(content.contact, whoseTelephone(content, date));
}

/** How to contact the patient. A letter never leaves it open: what was not asked is said. */
export function contactForPractice(contact: Referral['content']['contact'], whose: Whose): string {
  return contactInWords(contact, whose, sentencesForPractice);
}

/** The same for a service: somebody who rings or texts a child must know as much as the practice does. */
export function contactForService(contact: Referral['content']['contact'], whose: Whose): string {
  return contactInWords(contact, whose);
}

/** Nobody leaves a message on a telephone if nobody knows whose it is. */
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

/** Whose telephone a child gave is not recorded, unless it is the carer’s. */
type Whose = { isUnknown: boolean; referrer: string };

export function whoseTelephone(
  { patient, contact, referrer }: Pick<Referral['content'], 'patient' | 'contact' | 'referrer'>,
  date: Date,
): Whose {
  const isChild = ageInYears(patient.birth_date, date) < 16;
  const isKnown = contact?.who_must_not_know === undefined && isThroughCarer(contact, patient.carer);
  return {
    isUnknown: isChild && !isKnown,
    referrer: referrer.telephone ? `${referrer.name} (${unbroken(referrer.telephone)})` : referrer.name,
  };
}

export const notAskedForPractice = inWordsForPractice(contactNotAsked);

/** The words that staff of the service read as well. Whom not to tell has a line of its own. */
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

/** Whether somebody who rings, writes or visits as usual might do harm. */
export function isContactLimited(letter: PracticeLetter): boolean {
  return (
    needsCareToContact(letter.referral.content.contact) ||
    /Do not ring|No voicemail/.test(howToContact(letter))
  );
}

/** Where no way is safe: whom to ring instead. */
export function whomToRingInstead(
  referral: Referral,
  { facts, site }: Pick<PracticeLetterOptions, 'facts' | 'site'>,
): string | undefined {
  const { content, status, status_reason: reason } = referral;
  const { contact, referrer } = content;
  if (contact?.safe !== 'no' || status === 'entered-in-error' || reason?.code === 'died') return undefined;
  const who = listed(referrer.name, referrer.organisation);
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

/** First and alone, before any word on how to contact the patient. What was about another person helps nobody. */
export function doNotTellLine({ content, status, status_reason: reason }: Referral): string | undefined {
  const secretFrom = content.contact?.who_must_not_know;
  const isOfAnother = status === 'entered-in-error' && reason?.code === 'wrong-person';
  return secretFrom === undefined || isOfAnother ? undefined : doNotTell([secretFrom]);
}

/** “Do not tell: her husband; her brother.” */
export function doNotTell(whom: readonly string[]): string {
  return `Do not tell: ${whom.map((each) => each.replace(/\.$/, '')).join('; ')}.`;
}

/** What the person would like may be another way than the one that was said to be safe. */
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

/** Somebody who looks for a number or an address alone must see beside it that it is not safe. */
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

/** A reader who looks for a number rings it. */
function mustNotRing(contact: SafeContact): boolean {
  return sharedContactSentences.safe(contact).includes('Do not ring');
}

/** Whether somebody writes to an email address, and to no other. */
export function isByEmail(contact: Referral['content']['contact']): boolean {
  return contact?.channel !== undefined && contact.safe !== 'no' && /^e-?mail$/i.test(contact.channel.trim());
}

/** Nobody said that a letter or a visit is unsafe where no secret is kept: a practice must not stop the post of somebody with dementia. */
function markOfOtherWay(
  { channel, only_at: when = '', who_must_not_know }: SafeContact,
  way: ContactWay,
): string {
  if (way !== 'address' || who_must_not_know !== undefined) return ' (do not use it)';
  return waysOf.address.test(when) ? ' (see how to contact the patient)' : ` (agreed contact: ${channel})`;
}

/** Whether the way that was said to be safe is through the carer’s number, so that no letter warns of that number. */
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
