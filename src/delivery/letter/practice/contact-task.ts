import { needsCareToContact, type Referral } from '../../../referrals/index.ts';
import type { PracticeLetterOptions, Task } from '../letter.ts';
import { ringReferrer } from '../whom-to-ask.ts';
import { unbroken } from '../words.ts';
import { mayWarn, saysHowToReach, wasNotReached } from './dangers.ts';
import { askBeforeContact, contactInTask, markOfWay } from './patient-lines.ts';
import { clinicianTask } from './task.ts';

/**
 * Before a task for which somebody may ring the patient: who works through the tasks does not read again how to contact them. A crisis has
 * it in steps of its own.
 */
export function contactTask(
  referral: Referral,
  options: PracticeLetterOptions,
  tasks: readonly Task[],
): Task[] {
  const { content } = referral;
  const { contact, patient } = content;
  const mayRing = tasks.some(({ role }) => role === 'clinician') || wasNotReached(referral, options);
  if (!mayRing || !mayWarn(referral)) return [];
  const ask = askBeforeContact(referral, options);
  if (ask !== undefined) return [clinicianTask('before you contact the patient', `${ask}.`)];
  if (!needsCareToContact(contact)) return [];
  if (saysHowToReach(referral, options)) return [];
  if (contact?.safe === 'no')
    return [
      clinicianTask(undefined, `do not contact the patient. Instead, ${ringReferrer(referral, options)}.`),
    ];
  const number = unbroken(patient.telephone);
  const isUsable = number && !markOfWay(contact, 'telephone', number).includes('do not use');
  const words = `${isUsable ? `${number}. ` : ''}${contactInTask(referral, options)}`;
  return [clinicianTask('if you contact the patient', words)];
}
