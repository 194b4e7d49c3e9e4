import { lowerFirst } from '../../../platform/first-letter.ts';
import { ringReferrer } from '../whom-to-ask.ts';
import { withoutLineBreaks } from '../words.ts';
import {
  mustAskAboutCrisis,
  mustAskAboutRisk,
  whomToAskFirst,
  whomToAskIfAnswersDiffer,
} from './ask-first.ts';
import {
  doNotTell,
  howToContact,
  isByEmail,
  isContactLimited,
  markOfWay,
  notAskedForPractice,
  whomToRingInstead,
} from './contact-in-words.ts';
import { saysHowToReach } from './dangers.ts';
import { isParentUnknown } from './patient-lines.ts';
import type { PreparedLetter } from './prepare-letter.ts';

/** The red line of the box that says how to contact the patient. Undefined if every way is allowed. */
export function contactLimits(letter: PreparedLetter): string | undefined {
  const limits = limitsInWords(letter);
  return limits === undefined ? undefined : `Contact limits: ${limits}`;
}

/** The same without its label, as a clerk copies it to the record. */
export function limitsInWords(letter: PreparedLetter): string | undefined {
  if (!letter.mayWarn) return undefined;
  const instead = whomToRingInstead(letter.referral, letter);
  return (
    limitsIfAskingFirst(letter) ??
    (instead === undefined ? usualLimits(letter) : `${instead}${whomNotToTell(letter)}`)
  );
}

/** Comes last, because a telephone number after it would look like that person’s number. */
function whomNotToTell({ referral }: PreparedLetter): string {
  const secretFrom = referral.content.contact?.who_must_not_know;
  return secretFrom === undefined ? '' : ` ${doNotTell([secretFrom])}`;
}

/** Somebody who may know of a danger is asked before anybody contacts the patient. In a crisis, nobody waits for their answer. */
function limitsIfAskingFirst(letter: PreparedLetter): string | undefined {
  const words = askFirstInWords(letter);
  if (words === undefined) return undefined;
  if (saysHowToReach(letter))
    return `${words} If they do not answer: ${usualLimits(letter) ?? wayOfNoLimits(letter)}`;
  // If two referrals have different answers, the letter must not repeat the less careful one.
  const usual = whomToAskIfAnswersDiffer(letter) === undefined ? usualLimits(letter) : undefined;
  return usual === undefined ? `${words}${whomNotToTell(letter)}` : `${words} Then: ${usual}`;
}

function askFirstInWords(letter: PreparedLetter): string | undefined {
  const ask = whomToAskFirst(letter);
  if (ask === undefined) return undefined;
  if (whomToAskIfAnswersDiffer(letter) !== undefined)
    return `${ask}, before you contact the patient. We were told different things about safe contact.`;
  if (mustAskAboutCrisis(letter) && !mustAskAboutRisk(letter)) return `${ask}, first.`;
  const why = mustAskAboutRisk(letter) ? 'somebody is at risk: ' : '';
  return `${why}${ask}, before any contact.`;
}

/** The safe way to contact the patient, with the number or address to use, and whom not to tell. */
function usualLimits(letter: PreparedLetter): string | undefined {
  if (!isContactLimited(letter)) return undefined;
  // “Not asked” is said below the box, as in every letter. It stays here only if there is nothing else to say.
  const words = howToContact(letter);
  const way = lowerFirst(words.replace(notAskedForPractice, '').trim() || words);
  return `${way}${whereToReach(letter)}${whomNotToTell(letter)}${askChildFirst(letter)}`;
}

/** A parent who does not know of the referral may answer the child’s telephone. */
function askChildFirst(letter: PreparedLetter): string {
  if (!isParentUnknown(letter)) return '';
  const wasAsked = (letter.referral.content.contact?.safe ?? 'not_asked') !== 'not_asked';
  return ` Ask the child before you tell a parent.${wasAsked ? '' : ` ${notAskedForPractice}`}`;
}

/** Somebody at risk may not be alone, so nobody leaves a voicemail, even if the patient allows it on other days. */
function wayOfNoLimits({ referral }: PreparedLetter): string {
  const number = withoutLineBreaks(referral.content.patient.telephone);
  return `contact the patient without leaving a voicemail.${number === undefined ? '' : ` Number: ${number}.`}`;
}

/** The number or address to use, or whom to ask for it. */
function whereToReach(letter: PreparedLetter): string {
  const { contact, patient } = letter.referral.content;
  const number = withoutLineBreaks(patient.telephone);
  if (isByEmail(contact))
    return patient.email ? ` Address: ${patient.email}.` : ` For the address, ${ringReferrer(letter)}.`;
  if (contact?.channel !== undefined && !/phone|text/i.test(contact.channel)) return '';
  // The words about when to contact the patient may have the number already.
  if (/\d{5}/.test(contact?.only_at ?? '')) return '';
  if (number === undefined) return ` For the number, ${ringReferrer(letter)}.`;
  return markOfWay(contact, 'telephone', number).includes('do not use') ? '' : ` Number: ${number}.`;
}

/** Whether the box says how to contact the patient, for a clerk to copy. */
export function hasLimits(letter: PreparedLetter): boolean {
  return contactLimits(letter) !== undefined;
}
