import { lowerFirst, upperFirst } from '../../../platform/first-letter.ts';
import { hidesOnline, type Referral } from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { hasNewContact } from '../changes.ts';
import type { PracticeLetterOptions, Task } from '../letter.ts';
import { ringInShort, ringReferrer } from '../whom-to-ask.ts';
import { unbroken } from '../words.ts';
import {
  asksAboutCrisis,
  hasNewsToAsk,
  mayWarn,
  ringAboutNews,
  ringWhoReported,
  saysHowToReach,
} from './dangers.ts';
import {
  askBeforeContact,
  asksAboutRisk,
  contactForPractice,
  doNotTell,
  isByEmail,
  isContactLimited,
  isHiddenAtPractice,
  isParentUnknown,
  markOfWay,
  notAskedForPractice,
  whomToRingInstead,
  whoseTelephone,
} from './patient-lines.ts';
import { atOnce, clerkTask } from './task.ts';

/** Until when the letter is hidden where nobody said whether it may be shown: whom to ring first is a secret from who reads the record too. */
export function hiddenUntil(referral: Referral, options: PracticeLetterOptions): string | undefined {
  if (!mayWarn(referral)) return undefined;
  if (isHiddenAtPractice(referral))
    return isHiddenForChildAlone(referral, options) ? untilParentMayKnow : undefined;
  const isForClinician =
    asksAboutRisk(referral, options) || asksAboutCrisis(referral, options) || hasNewsToAsk(referral, options);
  if (isForClinician) return 'a clinician has decided';
  if (askBeforeContact(referral, options) !== undefined) return 'you have rung and it is safe';
  return isParentUnknown(referral, options) ? untilParentMayKnow : undefined;
}

const untilParentMayKnow = 'the child says that a parent may know';

/** Nothing keeps the letter hidden but that the child agreed without a parent. */
function isHiddenForChildAlone(referral: Referral, options: PracticeLetterOptions): boolean {
  const isTold = referral.content.do_not_show_online === true;
  return !isTold && isParentUnknown(referral, options) && askedFirst(referral, options) === undefined;
}

/** Whether the letter must not be seen online: always, or until somebody has decided. */
export function mustHide(referral: Referral, options: PracticeLetterOptions): boolean {
  return isHiddenAtPractice(referral) || hiddenUntil(referral, options) !== undefined;
}

/** How the patient may be contacted, in the box once for clerks and clinicians; undefined where every way is allowed. */
export function contactLimits(referral: Referral, options: PracticeLetterOptions): string | undefined {
  const limits = limitsInWords(referral, options);
  return limits === undefined ? undefined : `Contact limits: ${limits}`;
}

function limitsInWords(referral: Referral, options: PracticeLetterOptions): string | undefined {
  if (!mayWarn(referral)) return undefined;
  const instead = whomToRingInstead(referral, options);
  return (
    whomToAskFirst(referral, options) ??
    (instead === undefined ? usualLimits(referral, options) : `${instead}${whomNotToTell(referral)}`)
  );
}

/** Last: a number after that reads as theirs. */
function whomNotToTell({ content: { contact } }: Referral): string {
  const secretFrom = contact?.who_must_not_know;
  return secretFrom === undefined ? '' : ` ${doNotTell([secretFrom])}`;
}

/** Who may know of a danger is asked before anybody contacts the patient. In a crisis nobody waits for an answer. */
function whomToAskFirst(referral: Referral, options: PracticeLetterOptions): string | undefined {
  const words = askFirstInWords(referral, options);
  if (words === undefined) return undefined;
  if (saysHowToReach(referral, options))
    return `${words} If they do not answer: ${usualLimits(referral, options) ?? wayOfNoLimits(referral)}`;
  // Beside different answers, the laxer one of this referral is not repeated.
  const usual =
    askBeforeContact(referral, options) === undefined ? usualLimits(referral, options) : undefined;
  return usual === undefined ? `${words}${whomNotToTell(referral)}` : `${words} Then: ${usual}`;
}

function askFirstInWords(referral: Referral, options: PracticeLetterOptions): string | undefined {
  const ask = askedFirst(referral, options);
  if (ask === undefined) return undefined;
  if (askBeforeContact(referral, options) !== undefined)
    return `${ask}, before you contact the patient. We were told different things about safe contact.`;
  if (asksAboutCrisis(referral, options) && !asksAboutRisk(referral, options)) return `${ask}, first.`;
  const why = asksAboutRisk(referral, options) ? 'somebody is at risk: ' : '';
  return `${why}${ask}, before any contact.`;
}

/** “ring Jo Hall (the service), 01632 960200”: before anybody contacts the patient. */
export function askedFirst(referral: Referral, options: PracticeLetterOptions): string | undefined {
  const ask = askBeforeContact(referral, options);
  if (ask !== undefined) return ask;
  if (asksAboutRisk(referral, options)) return ringReferrer(referral, options);
  if (asksAboutCrisis(referral, options))
    return ringWhoReported(referral, options) ?? ringInShort(referral, options);
  const isUnsafe = referral.content.contact?.safe === 'no';
  return hasNewsToAsk(referral, options) && !isUnsafe ? ringAboutNews(referral, options) : undefined;
}

/** The way that was said to be safe, with the number or address to use, and whom not to tell. */
function usualLimits(referral: Referral, options: PracticeLetterOptions): string | undefined {
  if (!isContactLimited(referral, options)) return undefined;
  const { content } = referral;
  // That nobody asked is below the box, as in every letter, unless the limit is nothing but a secret.
  const known = contactForPractice(content.contact, whoseTelephone(content, options.date));
  const way = lowerFirst(known.replace(notAskedForPractice, '').trim() || known);
  return `${way}${whereToReach(referral, options)}${whomNotToTell(referral)}${askChildFirst(referral, options)}`;
}

/** In the box and on the record: the person who answers the telephone of a child may be a parent, who does not know. */
function askChildFirst(referral: Referral, options: PracticeLetterOptions): string {
  if (!isParentUnknown(referral, options)) return '';
  const wasAsked = (referral.content.contact?.safe ?? 'not_asked') !== 'not_asked';
  return ` Ask the child before you tell a parent.${wasAsked ? '' : ` ${notAskedForPractice}`}`;
}

/** Somebody who is at risk may not be alone: a voicemail that is allowed on other days waits. */
function wayOfNoLimits({ content: { patient } }: Referral): string {
  const number = unbroken(patient.telephone);
  return `contact the patient without leaving a voicemail.${number === undefined ? '' : ` Number: ${number}.`}`;
}

/** The number or address to use. Where there is none, “Text only” says whom to ask for it. */
function whereToReach(referral: Referral, options: PracticeLetterOptions): string {
  const { contact, patient } = referral.content;
  const number = unbroken(patient.telephone);
  if (isByEmail(contact))
    return patient.email
      ? ` Address: ${patient.email}.`
      : ` For the address, ${ringReferrer(referral, options)}.`;
  if (contact?.channel !== undefined && !/phone|text/i.test(contact.channel)) return '';
  // The words on when to ring may have the number.
  if (/\d{5}/.test(contact?.only_at ?? '')) return '';
  if (number === undefined) return ` For the number, ${ringReferrer(referral, options)}.`;
  return markOfWay(contact, 'telephone', number).includes('do not use') ? '' : ` Number: ${number}.`;
}

/**
 * The first step of the person who files the letter: the record is read when no letter is open. A letter with a code alone has the same step whether
 * there is something to know or not.
 */
export function recordLimitsTask(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (isCodesOnly('gp_practice', referral) && referral.status !== 'entered-in-error')
    return [
      clerkTask(
        atOnce,
        `put on the record, hidden online: before any contact about this referral, ${ringReferrer(referral, options)}, to ask if it is safe.`,
        { details: 'We may not say here whether there is a safety concern' },
      ),
    ];
  if (hasNewContact(options) || !hasLimits(referral, options)) return [];
  return [recordTask(referral, options)];
}

/** An earlier letter may have brought them already. */
export function verbForLimits(
  referral: Referral,
  options: PracticeLetterOptions,
): 'change' | 'check' | 'put' {
  if (hasNewContact(options)) return 'change';
  // No earlier letter told whom to ring about the news.
  if (hasNewsToAsk(referral, options) || asksAboutCrisis(referral, options)) return 'put';
  return (options.facts?.earlierLetters ?? []).length > 0 ? 'check' : 'put';
}

const onTheRecord = {
  change: 'change the contact limits on the record to those above',
  check: 'check that the record has the contact limits above',
  put: 'put on the record the contact limits above',
} as const;

function recordTask(referral: Referral, options: PracticeLetterOptions): Task {
  const isHidden = hidesOnline(referral.content) || hiddenUntil(referral, options) !== undefined;
  const hidden = isHidden ? ', hidden online' : '';
  const verb = verbForLimits(referral, options);
  // Among the red lines of a danger, nobody finds which ones are to be copied.
  const what = asksAboutRisk(referral, options)
    ? `${verb === 'check' ? 'check that the record has the contact limits' : `${verb} the contact limits on the record`}${hidden}: “${upperFirst(limitsInWords(referral, options)!)}”`
    : `${onTheRecord[verb]}${hidden}.`;
  return clerkTask(atOnce, what, { inHeading: 'contact limits' });
}

/** What the record has may be unsafe now. */
export function newContactTask(referral: Referral, options: PracticeLetterOptions): Task {
  if (hasLimits(referral, options)) return recordTask(referral, options);
  const { content } = referral;
  const words = contactForPractice(content.contact, whoseTelephone(content, options.date));
  return clerkTask(atOnce, `change how to contact the patient in your record. ${words}`);
}

/** Whether the box has lines about how to contact the patient, which a clerk copies. */
export function hasLimits(referral: Referral, options: PracticeLetterOptions): boolean {
  return contactLimits(referral, options) !== undefined;
}
