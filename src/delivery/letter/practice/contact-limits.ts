import { lowerFirst } from '../../../platform/first-letter.ts';
import { hidesOnline, type Referral } from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { hasNewContact } from '../changes.ts';
import type { PracticeLetterOptions, Task } from '../letter.ts';
import { ringReferrer } from '../whom-to-ask.ts';
import { unbroken } from '../words.ts';
import { mayWarn, saysHowToReach } from './dangers.ts';
import {
  askBeforeContact,
  asksAboutRisk,
  contactForPractice,
  contactInTask,
  doNotTell,
  isContactLimited,
  markOfWay,
  whomToRingInstead,
  whoseTelephone,
} from './patient-lines.ts';
import { atOnce, clerkTask } from './task.ts';

/** How the patient may be contacted, in the box once for clerks and clinicians; undefined where every way is allowed. */
export function contactLimits(referral: Referral, options: PracticeLetterOptions): string | undefined {
  if (!mayWarn(referral)) return undefined;
  const { contact } = referral.content;
  const secretFrom = contact?.who_must_not_know;
  const ask = askBeforeContact(referral, options);
  if (ask !== undefined) {
    const whom = secretFrom === undefined ? '' : ` ${doNotTell([secretFrom])}`;
    return `Contact limits: ${ask}, before you contact the patient. We were told different things about safe contact.${whom}`;
  }
  if (asksAboutRisk(referral, options) && !saysHowToReach(referral, options)) {
    const limited = isContactLimited(referral, options)
      ? ` Then: ${lowerFirst(contactInTask(referral, options))}`
      : '';
    return `Contact limits: ${ringReferrer(referral, options)}, before you contact the patient, leave a voicemail or show this letter online. Somebody is at risk.${limited}`;
  }
  const instead = whomToRingInstead(referral, options);
  if (instead !== undefined) return `Contact limits: ${instead}`;
  // Beside words of a crisis, the box says it in the line on how to reach the patient today.
  if (!isContactLimited(referral, options) || saysHowToReach(referral, options)) return undefined;
  return `Contact limits: ${lowerFirst(contactInTask(referral, options))}${telephoneForLimits(referral, options)}`;
}

/** The number to use. Where there is none, “Text only” says whom to ask for it. */
function telephoneForLimits(referral: Referral, options: PracticeLetterOptions): string {
  const { contact, patient } = referral.content;
  const number = unbroken(patient.telephone);
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
export function verbForLimits(options: PracticeLetterOptions): 'change' | 'check' | 'put' {
  if (hasNewContact(options)) return 'change';
  return (options.facts?.earlierLetters ?? []).length > 0 ? 'check' : 'put';
}

const onTheRecord = {
  change: 'change the contact limits on the record to those above',
  check: 'check that the record has the contact limits above',
  put: 'put on the record the contact limits above',
} as const;

function recordTask(referral: Referral, options: PracticeLetterOptions): Task {
  const hidden = hidesOnline(referral.content) ? ', hidden online' : '';
  return clerkTask(atOnce, `${onTheRecord[verbForLimits(options)]}${hidden}.`);
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
  if (!mayWarn(referral)) return false;
  return (
    contactLimits(referral, options) !== undefined ||
    (saysHowToReach(referral, options) && isContactLimited(referral, options))
  );
}
