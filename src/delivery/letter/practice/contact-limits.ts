import { lowerFirst } from '../../../platform/first-letter.ts';
import { ringReferrer } from '../whom-to-ask.ts';
import { unbroken } from '../words.ts';
import { askBeforeContact, askedFirst, asksAboutCrisis, asksAboutRisk } from './ask-first.ts';
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
import type { PracticeLetter } from './prepare-letter.ts';

/** How the patient may be contacted, in the box once for clerks and clinicians; undefined where every way is allowed. */
export function contactLimits(letter: PracticeLetter): string | undefined {
  const limits = limitsInWords(letter);
  return limits === undefined ? undefined : `Contact limits: ${limits}`;
}

export function limitsInWords(letter: PracticeLetter): string | undefined {
  if (!letter.mayWarn) return undefined;
  const instead = whomToRingInstead(letter.referral, letter);
  return (
    whomToAskFirst(letter) ??
    (instead === undefined ? usualLimits(letter) : `${instead}${whomNotToTell(letter)}`)
  );
}

/** Last: a number after that reads as theirs. */
function whomNotToTell({ referral }: PracticeLetter): string {
  const secretFrom = referral.content.contact?.who_must_not_know;
  return secretFrom === undefined ? '' : ` ${doNotTell([secretFrom])}`;
}

/** Who may know of a danger is asked before anybody contacts the patient. In a crisis nobody waits for an answer. */
function whomToAskFirst(letter: PracticeLetter): string | undefined {
  const words = askFirstInWords(letter);
  if (words === undefined) return undefined;
  if (saysHowToReach(letter))
    return `${words} If they do not answer: ${usualLimits(letter) ?? wayOfNoLimits(letter)}`;
  // Beside different answers, the laxer one of this referral is not repeated.
  const usual = askBeforeContact(letter) === undefined ? usualLimits(letter) : undefined;
  return usual === undefined ? `${words}${whomNotToTell(letter)}` : `${words} Then: ${usual}`;
}

function askFirstInWords(letter: PracticeLetter): string | undefined {
  const ask = askedFirst(letter);
  if (ask === undefined) return undefined;
  if (askBeforeContact(letter) !== undefined)
    return `${ask}, before you contact the patient. We were told different things about safe contact.`;
  if (asksAboutCrisis(letter) && !asksAboutRisk(letter)) return `${ask}, first.`;
  const why = asksAboutRisk(letter) ? 'somebody is at risk: ' : '';
  return `${why}${ask}, before any contact.`;
}

/** The way that was said to be safe, with the number or address to use, and whom not to tell. */
function usualLimits(letter: PracticeLetter): string | undefined {
  if (!isContactLimited(letter)) return undefined;
  // That nobody asked is below the box, as in every letter, unless the limit is nothing but a secret.
  const known = howToContact(letter);
  const way = lowerFirst(known.replace(notAskedForPractice, '').trim() || known);
  return `${way}${whereToReach(letter)}${whomNotToTell(letter)}${askChildFirst(letter)}`;
}

/** In the box and on the record: the person who answers the telephone of a child may be a parent, who does not know. */
function askChildFirst(letter: PracticeLetter): string {
  if (!isParentUnknown(letter)) return '';
  const wasAsked = (letter.referral.content.contact?.safe ?? 'not_asked') !== 'not_asked';
  return ` Ask the child before you tell a parent.${wasAsked ? '' : ` ${notAskedForPractice}`}`;
}

/** Somebody who is at risk may not be alone: a voicemail that is allowed on other days waits. */
function wayOfNoLimits({ referral }: PracticeLetter): string {
  const number = unbroken(referral.content.patient.telephone);
  return `contact the patient without leaving a voicemail.${number === undefined ? '' : ` Number: ${number}.`}`;
}

/** The number or address to use. Where there is none, “Text only” says whom to ask for it. */
function whereToReach(letter: PracticeLetter): string {
  const { contact, patient } = letter.referral.content;
  const number = unbroken(patient.telephone);
  if (isByEmail(contact))
    return patient.email ? ` Address: ${patient.email}.` : ` For the address, ${ringReferrer(letter)}.`;
  if (contact?.channel !== undefined && !/phone|text/i.test(contact.channel)) return '';
  // The words on when to ring may have the number.
  if (/\d{5}/.test(contact?.only_at ?? '')) return '';
  if (number === undefined) return ` For the number, ${ringReferrer(letter)}.`;
  return markOfWay(contact, 'telephone', number).includes('do not use') ? '' : ` Number: ${number}.`;
}

/** Whether the box has lines about how to contact the patient, which a clerk copies. */
export function hasLimits(letter: PracticeLetter): boolean {
  return contactLimits(letter) !== undefined;
}
