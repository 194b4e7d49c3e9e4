import { type Referral, waysLeftOut } from '../../../referrals/index.ts';
import type { PatientLines } from '../letter.ts';
import { referrerTelephone } from '../whom-to-ask.ts';
import { joinWithCommas, withoutLineBreaks } from '../words.ts';
import { mustAskFirst } from './ask-first.ts';
import {
  doNotTellLine,
  howToContact,
  isContactLimited,
  isThroughCarer,
  markOfWay,
  notAskedForPractice,
  preferenceBesideContact,
  whomToRingInstead,
} from './contact-in-words.ts';
import { identityLines, withNumberFirst } from './identity-lines.ts';
import type { PreparedLetter } from './prepare-letter.ts';

/** Who a letter to a practice is about, and how to contact them. */
export function patientLines(letter: PreparedLetter): PatientLines {
  const { content } = letter.referral;
  const identity = withNumberFirst(identityLines(content.patient, letter.date), content.patient);
  // With a code alone, the letter has nothing that somebody wrote.
  if (letter.isCodesOnly) return identity;
  const secretFrom = doNotTellLine(letter.referral);
  const address = addressLine(letter);
  const contact = contactLine(letter);
  const isUnsafe = whomToRingInstead(letter.referral, letter) !== undefined;
  return {
    ...identity,
    ...(secretFrom !== undefined && { doNotTell: secretFrom }),
    ...(isUnsafe && { isUnsafe: true as const }),
    ...(address !== undefined && { address }),
    ...(contact !== undefined && { contact }),
  };
}

/** A copy of the referral has the whole address, an outcome the postcode, which tells namesakes apart, and a removal notice none. */
function addressLine(letter: PreparedLetter): string | undefined {
  const { patient, contact } = letter.referral.content;
  if (letter.isRemovalNotice) return undefined;
  const { address, communication_needs } = patient;
  // Somebody who rings the patient has to book an interpreter before.
  const interpreter =
    communication_needs?.interpreter && !letter.hasDied
      ? [`Interpreter: ${communication_needs.interpreter.replace(/\.$/, '')}`]
      : [];
  const postcode = address.postcode.toUpperCase();
  const mark = seeBox(markOfWay(contact, 'address', postcode));
  const withoutAddress = waysLeftOut(letter.referral).includes('address')
    ? 'New address held back: see the red box'
    : 'No address given';
  if (letter.purpose !== 'referral')
    return `${[
      postcode ? `Postcode ${postcode}` : withoutAddress,
      ...(letter.hasDied ? [] : patientsTelephone(letter)),
      ...interpreter,
    ].join('. ')}.`;
  const wholeAddress = [...address.lines, postcode].filter(Boolean).join(', ');
  const where = wholeAddress ? `${wholeAddress}${mark}` : withoutAddress;
  const all = [
    where,
    ...patientsTelephone(letter),
    ...interpreter,
    ...(letter.isChild ? whetherParentKnows(letter) : []),
  ];
  return `${all.join('. ')}.`;
}

const namesParent = /\b(?:mother|father|mum|mam|dad|parents?|guardian|foster\w*)\b/i;

/** Whether a parent knows of the referral. Left out if only a parent could answer, or if a parent must not know. */
function whetherParentKnows(letter: PreparedLetter): string[] {
  const { agreement, contact, patient, referrer } = letter.referral.content;
  if (agreement?.basis === 'parental_responsibility') return ['A parent or guardian knows of the referral'];
  // After “Do not tell: her parents”, this would sound as if somebody might tell them.
  if (contact?.who_must_not_know !== undefined) return [];
  if (isParentReached(contact, patient.carer)) return [];
  // The box says to ask the child.
  if (contact?.safe !== 'no') return ['Whether a parent knows was not recorded'];
  const telephone = referrerTelephone(letter.referral, letter.facts);
  const whom = joinWithCommas(`${referrer.name} (who referred)`, telephone && `${telephone},`);
  return [`Whether a parent knows was not recorded. Ask ${whom} before you tell a parent`];
}

function isParentReached(
  contact: Referral['content']['contact'],
  carer: Referral['content']['patient']['carer'],
): boolean {
  const isThroughParent = contact?.safe === 'only_at' && namesParent.test(contact.only_at ?? '');
  return isThroughParent || isThroughCarer(contact, carer);
}

/** Whether only the child can say if a parent may know. A parent may read the record online, or answer the telephone. */
export function isParentUnknown(letter: PreparedLetter): boolean {
  const { agreement, contact, patient } = letter.referral.content;
  if (!letter.isChild || letter.purpose !== 'referral') return false;
  if (agreement?.basis === 'parental_responsibility') return false;
  if (contact?.safe === 'no' || contact?.who_must_not_know !== undefined) return false;
  return !isParentReached(contact, patient.carer);
}

/** Says whose number it is, because the letter may have a carer’s number too, and whether it is safe to ring. */
function patientsTelephone(letter: PreparedLetter): string[] {
  const { patient, contact } = letter.referral.content;
  const number = withoutLineBreaks(patient.telephone);
  if (number === undefined) return [];
  const mark = mustAskFirst(letter)
    ? ' (ask first: see the box)'
    : seeBox(markOfWay(contact, 'telephone', number));
  return [`${letter.isChild ? 'Telephone' : 'Patient’s telephone'}: ${number}${mark}`];
}

/** In a letter to a practice, the box says how to contact the patient. */
function seeBox(mark: string): string {
  return mark.replace('see how to contact the patient', 'see the box');
}

/** How to contact the patient, under the box. If the box has limits, this only points to them: staff would follow a less careful answer. */
function contactLine(letter: PreparedLetter): PatientLines['contact'] {
  const { content } = letter.referral;
  // Nobody rings the patient.
  if (letter.isRemovalNotice || letter.hasDied) return undefined;
  const prefers = preferenceBesideContact(content.patient.preferred_contact, content.contact);
  const isInBox = letter.isContactUnsafe || mustAskFirst(letter) || isContactLimited(letter);
  if (isInBox)
    return (content.contact?.safe ?? 'not_asked') === 'not_asked' && !isParentUnknown(letter)
      ? `Contact: only as the box says. ${notAskedForPractice}`
      : 'Contact: only as the box says.';
  // The summary of an outcome may name other ways that the service tried.
  const start = letter.purpose === 'outcome' ? 'Contact, as recorded in the referral' : 'Contact';
  return [`${start}: ${howToContact(letter)}`, ...(prefers ? [`Prefers: ${prefers}.`] : [])].join(' ');
}
