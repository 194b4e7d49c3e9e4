import { lowerFirst, upperFirst } from '../../../platform/first-letter.ts';
import { hidesOnline } from '../../../referrals/index.ts';
import { hasNewContact } from '../changes.ts';
import type { Task } from '../letter.ts';
import { ringInShort, ringReferrer } from '../whom-to-ask.ts';
import { unbroken } from '../words.ts';
import { asksAboutCrisis, ringAboutNews, ringWhoReported, saysHowToReach } from './dangers.ts';
import {
  askBeforeContact,
  asksAboutRisk,
  doNotTell,
  howToContact,
  isByEmail,
  isContactLimited,
  isHiddenAtPractice,
  isParentUnknown,
  markOfWay,
  notAskedForPractice,
  whomToRingInstead,
} from './patient-lines.ts';
import type { PracticeLetter } from './prepare-letter.ts';
import { atOnce, clerkTask } from './task.ts';

/** Until when the letter is hidden where nobody said whether it may be shown: whom to ring first is a secret from who reads the record too. */
export function hiddenUntil(letter: PracticeLetter): string | undefined {
  if (!letter.mayWarn) return undefined;
  if (isHiddenAtPractice(letter)) return isHiddenForChildAlone(letter) ? untilParentMayKnow : undefined;
  const isForClinician = asksAboutRisk(letter) || asksAboutCrisis(letter) || letter.hasNewsToAsk;
  if (isForClinician) return 'a clinician has decided';
  if (askBeforeContact(letter) !== undefined) return 'you have rung and it is safe';
  return isParentUnknown(letter) ? untilParentMayKnow : undefined;
}

const untilParentMayKnow = 'the child says that a parent may know';

/** Nothing keeps the letter hidden but that the child agreed without a parent. */
function isHiddenForChildAlone(letter: PracticeLetter): boolean {
  const isTold = letter.referral.content.do_not_show_online === true;
  return !isTold && isParentUnknown(letter) && askedFirst(letter) === undefined;
}

/** Whether the letter must not be seen online: always, or until somebody has decided. */
export function mustHide(letter: PracticeLetter): boolean {
  return isHiddenAtPractice(letter) || hiddenUntil(letter) !== undefined;
}

/** How the patient may be contacted, in the box once for clerks and clinicians; undefined where every way is allowed. */
export function contactLimits(letter: PracticeLetter): string | undefined {
  const limits = limitsInWords(letter);
  return limits === undefined ? undefined : `Contact limits: ${limits}`;
}

function limitsInWords(letter: PracticeLetter): string | undefined {
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

/** “ring Jo Hall (the service), 01632 960200”: before anybody contacts the patient. */
export function askedFirst(letter: PracticeLetter): string | undefined {
  const ask = askBeforeContact(letter);
  if (ask !== undefined) return ask;
  if (asksAboutRisk(letter)) return ringReferrer(letter);
  if (asksAboutCrisis(letter)) return ringWhoReported(letter) ?? ringInShort(letter);
  return letter.hasNewsToAsk && !letter.isContactUnsafe ? ringAboutNews(letter) : undefined;
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

/**
 * The first step of the person who files the letter: the record is read when no letter is open. A letter with a code alone has the same step whether
 * there is something to know or not.
 */
export function recordLimitsTask(letter: PracticeLetter): Task[] {
  if (letter.isCodesOnly && !letter.isRemovalNotice)
    return [
      clerkTask(
        atOnce,
        `put on the record, hidden online: before any contact about this referral, ${ringReferrer(letter)}, to ask if it is safe.`,
        { details: 'We may not say here whether there is a safety concern' },
      ),
    ];
  if (hasNewContact(letter) || !hasLimits(letter)) return [];
  return [recordTask(letter)];
}

/** An earlier letter may have brought them already. */
export function verbForLimits(letter: PracticeLetter): 'change' | 'check' | 'put' {
  if (hasNewContact(letter)) return 'change';
  // No earlier letter told whom to ring about the news.
  if (letter.hasNewsToAsk || asksAboutCrisis(letter)) return 'put';
  return letter.earlierLetters.length > 0 ? 'check' : 'put';
}

const onTheRecord = {
  change: 'change the contact limits on the record to those above',
  check: 'check that the record has the contact limits above',
  put: 'put on the record the contact limits above',
} as const;

function recordTask(letter: PracticeLetter): Task {
  const isHidden = hidesOnline(letter.referral.content) || hiddenUntil(letter) !== undefined;
  const hidden = isHidden ? ', hidden online' : '';
  const verb = verbForLimits(letter);
  // Among the red lines of a danger, nobody finds which ones are to be copied.
  const what = asksAboutRisk(letter)
    ? `${verb === 'check' ? 'check that the record has the contact limits' : `${verb} the contact limits on the record`}${hidden}: “${upperFirst(limitsInWords(letter)!)}”`
    : `${onTheRecord[verb]}${hidden}.`;
  return clerkTask(atOnce, what, { inHeading: 'contact limits' });
}

/** What the record has may be unsafe now. */
export function newContactTask(letter: PracticeLetter): Task {
  if (hasLimits(letter)) return recordTask(letter);
  const words = howToContact(letter);
  return clerkTask(atOnce, `change how to contact the patient in your record. ${words}`);
}

/** Whether the box has lines about how to contact the patient, which a clerk copies. */
export function hasLimits(letter: PracticeLetter): boolean {
  return contactLimits(letter) !== undefined;
}
