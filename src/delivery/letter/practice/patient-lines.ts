import {
  type ContactSentences,
  cannotBePrinted,
  channelInBrackets,
  contactNotAsked,
  groupedNhsNumber,
  hidesOnline,
  needsCareToContact,
  printedPart,
  type Referral,
  safeContactInWords,
  sharedContactSentences,
  waysInWords,
  waysLeftOut,
} from '../../../referrals/index.ts';
import { referralCode } from '../codes.ts';
import type { PatientLines, PracticeLetterOptions } from '../letter.ts';
import { lettersInShort } from '../letter-order.ts';
import { isRightToLeft, onlyRightToLeft, withoutRightToLeft } from '../printable.ts';
import { referrerTelephone, ringReferrer } from '../whom-to-ask.ts';
import { ageInYears, dateInWords, inWordsForPractice, listed, unbroken, yearsInWords } from '../words.ts';
import type { PracticeLetter } from './prepare-letter.ts';

/** Who a letter to a practice is about, and how to contact them. */
export function patientLines(letter: PracticeLetter): PatientLines {
  const { content } = letter.referral;
  const known = withNumberFirst(identityLines(content.patient, letter.date), content.patient);
  // With a code alone, the letter has nothing that somebody wrote.
  if (letter.isCodesOnly) return known;
  const secretFrom = doNotTellLine(letter.referral);
  const address = addressLine(letter);
  const contact = contactLine(letter);
  const isUnsafe = whomToRingInstead(letter.referral, letter) !== undefined;
  return {
    ...known,
    ...(secretFrom !== undefined && { doNotTell: secretFrom }),
    ...(isUnsafe && { isUnsafe: true as const }),
    ...(address !== undefined && { address }),
    ...(contact !== undefined && { contact }),
  };
}

/** A letter with a code alone is always hidden: hidden only sometimes, it would tell of a sensitive service. */
export function isHiddenAtPractice({ referral, isCodesOnly, isRemovalNotice }: PracticeLetter): boolean {
  return hidesOnline(referral.content) || (isCodesOnly && !isRemovalNotice);
}

/** What finds a person, and tells two of one name apart. */
export function identityLines(
  patient: Referral['content']['patient'],
  date: Date,
): Pick<PatientLines, 'name' | 'ownScript' | 'identity' | 'numberNote'> {
  const { nhs_number: number, birth_date } = patient;
  // Somebody who cannot type the name finds the record by something else.
  const byWhat = namesToFind(patient) ? undefined : 'Search by';
  const [nhsNumber, numberNote] =
    number === undefined
      ? [
          'NHS number not known',
          `No NHS number. ${byWhat ? `${byWhat} date of birth and address` : 'Compare the name and date of birth'}.`,
        ]
      : // The site looks nobody up: see `notTraced` in build-bundle.ts.
        [
          `NHS number ${groupedNhsNumber(number)} (not traced)`,
          `“Not traced”: not checked against NHS records. ${byWhat ? `${byWhat} NHS number. Without it, date of birth and address must both match` : 'Compare the name and date of birth'}.`,
        ];
  const child = ageInYears(birth_date, date) < 16 ? ', a child' : '';
  return {
    name: nameInFull(patient),
    ...inOwnScript(patient),
    identity: `Born ${dateInWords(birth_date)} (${yearsInWords(birth_date, date)}${child})   ${nhsNumber}`,
    numberNote,
  };
}

/** A name that nobody can type comes last: the record is found by the number. */
function withNumberFirst(
  lines: ReturnType<typeof identityLines>,
  patient: Referral['content']['patient'],
): ReturnType<typeof identityLines> {
  if (hasNameToFind(patient) || patient.nhs_number === undefined) return lines;
  const [born, number] = lines.identity.split(betweenFacts);
  const name = cannotBePrinted(patient.family_name + patient.given_name)
    ? 'Name not in Latin letters'
    : lines.name;
  return { ...lines, name: `${number}: search by this`, identity: [born, name].join(betweenFacts) };
}

const betweenFacts = '   ';

/** The words say which is the surname in scripts that are read from right to left: they have no capitals. */
function nameInFull(patient: Referral['content']['patient']): string {
  const { family_name, given_name, title } = patient;
  // A name that was typed in both scripts is found by its Latin letters.
  const latin = namesToFind(patient);
  if (!latin && cannotBePrinted(family_name + given_name))
    return `NAME NOT IN LATIN LETTERS: search by ${patient.nhs_number ? 'NHS number' : 'date of birth and address'}`;
  if (!latin)
    return `${title === undefined ? '' : `Title: ${title}   `}Surname: ${family_name}   First name: ${given_name}`;
  const inBrackets = title === undefined ? '' : ` (${title})`;
  return `${latin.family_name.toLocaleUpperCase('en-GB')}, ${latin.given_name}${inBrackets}`;
}

type Names = Pick<Referral['content']['patient'], 'family_name' | 'given_name'>;

/** The names that a clerk can type; undefined for a name that is only in a script from right to left, or that cannot be printed. */
function namesToFind(patient: Names): Names | undefined {
  const name = patient.family_name + patient.given_name;
  return cannotBePrinted(name) || isRightToLeft(name) ? latinNames(patient) : patient;
}

/** Whether a clerk can search for the name. */
export function hasNameToFind(patient: Names): boolean {
  return namesToFind(patient) !== undefined;
}

/** The Latin letters of both names; undefined if one has none. */
function latinNames(patient: Names): Names | undefined {
  const family_name = printedPart(withoutRightToLeft(patient.family_name));
  const given_name = printedPart(withoutRightToLeft(patient.given_name));
  return [family_name, given_name].every((name) => /\p{L}/u.test(name))
    ? { family_name, given_name }
    : undefined;
}

/** Under the Latin name, what was typed: the patient may show it, and staff compare it. */
function inOwnScript({ family_name, given_name }: Names): Pick<PatientLines, 'ownScript'> {
  return isRightToLeft(family_name + given_name) && latinNames({ family_name, given_name })
    ? {
        ownScript: `In the patient’s own script – surname: ${onlyRightToLeft(family_name)}   first name: ${onlyRightToLeft(given_name)}`,
      }
    : {};
}

/**
 * Everything about the referral, whichever letter brought it. A code that is filed late, because the letter with it never came, would be
 * seen as well.
 */
export function whatToHide(letter: PracticeLetter): string {
  const { facts, codes, earlierLetters: earlier } = letter;
  const hasCode = codes.length > 0 || Boolean(facts?.codeSentAt);
  const isFirst = earlier.length === 0;
  if (isFirst) return hasCode ? `this letter and its code${codes.length > 1 ? 's' : ''}` : 'this letter';
  const others = lettersInShort(
    letter,
    earlier.map(({ at }) => at),
  );
  // “Its code” beside two of them leaves the other one to be seen.
  if (facts?.codeSentAt && codes.length > 0) {
    const numbers = [referralCode, ...codes].map(([number]) => number);
    return `this letter, ${others} and both codes, ${numbers.join(' and ')},`;
  }
  return hasCode
    ? `this letter, ${others} and ${earlier.length === 1 ? 'its' : 'their'} code`
    : `this letter and ${others}`;
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

/**
 * Where another open referral of the person asks for more care: whom to ask first. The practice may not know the other referral, so
 * nothing of it is told. Where nobody contacts the patient, or the letter has a code alone, it would add nothing.
 */
export function askBeforeContact(letter: PracticeLetter): string | undefined {
  const careful = letter.contactElsewhere.filter(({ stricter }) => stricter);
  if (careful.length === 0 || letter.isContactUnsafe || !letter.mayWarn) return undefined;
  const { clinicalSafetyContact } = letter.site;
  // What is in a restricted record, nobody at the referrer’s may open.
  const isClosed = careful.every(({ contact, ring_first }) => contact === null && ring_first === undefined);
  return isClosed && clinicalSafetyContact ? `ask ${clinicalSafetyContact}` : ringReferrer(letter);
}

/** Nobody knows yet who is at risk, so the person who hears a voicemail may be the one who must not. */
export function asksAboutRisk(letter: PracticeLetter): boolean {
  const isOpen = letter.purpose === 'referral' && !letter.isRemovalNotice;
  return isOpen && letter.referral.content.risk === 'yes' && !letter.isContactUnsafe;
}

/** Whether somebody is rung before the patient: because of other answers, a risk, or news that the practice may not read. */
function asksFirst(letter: PracticeLetter): boolean {
  if (letter.isContactUnsafe) return false;
  return askBeforeContact(letter) !== undefined || asksAboutRisk(letter) || letter.hasNews;
}

/** A copy has the whole address, a later letter what tells people of one name apart, and a notice of a mistake none. */
function addressLine(letter: PracticeLetter): string | undefined {
  const { patient, contact } = letter.referral.content;
  if (letter.isRemovalNotice) return undefined;
  const { address, communication_needs } = patient;
  // A person who rings must know it before they ring. Nobody rings somebody who has died.
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
  const known = [...address.lines, postcode].filter(Boolean).join(', ');
  const where = known ? `${known}${mark}` : withoutAddress;
  const all = [
    where,
    ...patientsTelephone(letter),
    ...interpreter,
    ...(letter.isChild ? whetherParentKnows(letter) : []),
  ];
  return `${all.join('. ')}.`;
}

const namesParent = /\b(?:mother|father|mum|mam|dad|parents?|guardian|foster\w*)\b/i;

/** Nobody is sent to ask a child whom they may not contact, or reach through a parent alone. */
function whetherParentKnows(letter: PracticeLetter): string[] {
  const { agreement, contact, patient, referrer } = letter.referral.content;
  if (agreement?.basis === 'parental_responsibility') return ['A parent or guardian knows of the referral'];
  // Beside “Do not tell: her parents” it would sound as if they might be told.
  if (contact?.who_must_not_know !== undefined) return [];
  if (isParentReached(contact, patient.carer)) return [];
  // Where somebody may ask the child, the box says so.
  if (contact?.safe !== 'no') return ['Whether a parent knows was not recorded'];
  const telephone = referrerTelephone(letter.referral, letter.facts);
  const whom = listed(`${referrer.name} (who referred)`, telephone && `${telephone},`);
  return [`Whether a parent knows was not recorded. Ask ${whom} before you tell a parent`];
}

function isParentReached(
  contact: Referral['content']['contact'],
  carer: Referral['content']['patient']['carer'],
): boolean {
  const isThroughParent = contact?.safe === 'only_at' && namesParent.test(contact.only_at ?? '');
  return isThroughParent || isThroughCarer(contact, carer);
}

/** Whether only the child can say if a parent may know: a parent may read the record, or answer the telephone. */
export function isParentUnknown(letter: PracticeLetter): boolean {
  const { agreement, contact, patient } = letter.referral.content;
  if (!letter.isChild || letter.purpose !== 'referral') return false;
  if (agreement?.basis === 'parental_responsibility') return false;
  if (contact?.safe === 'no' || contact?.who_must_not_know !== undefined) return false;
  return !isParentReached(contact, patient.carer);
}

/** A carer’s number may be in the same letter, so each says whose it is, and whether it may be rung. */
function patientsTelephone(letter: PracticeLetter): string[] {
  const { patient, contact } = letter.referral.content;
  const number = unbroken(patient.telephone);
  if (number === undefined) return [];
  const mark = asksFirst(letter)
    ? ' (ask first: see the box)'
    : seeBox(markOfWay(contact, 'telephone', number));
  return [`${letter.isChild ? 'Telephone' : 'Patient’s telephone'}: ${number}${mark}`];
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

/** In a letter to a practice, the box says how. */
function seeBox(mark: string): string {
  return mark.replace('see how to contact the patient', 'see the box');
}

/** Nobody said that a letter or a visit is unsafe where no secret is kept: a practice must not stop the post of somebody with dementia. */
function markOfOtherWay(
  { channel, only_at: when = '', who_must_not_know }: SafeContact,
  way: ContactWay,
): string {
  if (way !== 'address' || who_must_not_know !== undefined) return ' (do not use it)';
  return waysOf.address.test(when) ? ' (see how to contact the patient)' : ` (agreed contact: ${channel})`;
}

function numbersIn(text: string): string[] {
  return (text.match(/\d[\d\s]{6,}\d/g) ?? []).map(digitsOf);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** Whether the way that was said to be safe is through the carer’s number, so that no letter warns of that number. */
export function isThroughCarer(
  contact: Referral['content']['contact'],
  carer: { telephone?: string } | undefined,
): boolean {
  if (contact?.safe !== 'only_at' || !carer?.telephone) return false;
  return numbersIn(contact.only_at ?? '').includes(digitsOf(carer.telephone));
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

/** Under the box. Where the box has limits, the line says no more than that: a laxer answer beside them would be followed. */
function contactLine(letter: PracticeLetter): PatientLines['contact'] {
  const { content } = letter.referral;
  // Nobody rings the patient now.
  if (letter.isRemovalNotice || letter.hasDied) return undefined;
  const prefers = preferenceBesideContact(content.patient.preferred_contact, content.contact);
  const isInBox = letter.isContactUnsafe || asksFirst(letter) || isContactLimited(letter);
  if (isInBox)
    return (content.contact?.safe ?? 'not_asked') === 'not_asked' && !isParentUnknown(letter)
      ? `Contact: only as the box says. ${notAskedForPractice}`
      : 'Contact: only as the box says.';
  // At the end, the summary may tell of other ways that the service tried.
  const start = letter.purpose === 'outcome' ? 'Contact, as recorded in the referral' : 'Contact';
  return [`${start}: ${howToContact(letter)}`, ...(prefers ? [`Prefers: ${prefers}.`] : [])].join(' ');
}

/** Whether somebody who rings, writes or visits as usual might do harm. */
export function isContactLimited(letter: PracticeLetter): boolean {
  return (
    needsCareToContact(letter.referral.content.contact) ||
    /Do not ring|No voicemail/.test(howToContact(letter))
  );
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
