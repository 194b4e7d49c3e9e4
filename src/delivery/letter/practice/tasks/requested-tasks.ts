import { lowerFirst, upperFirst } from '../../../../platform/first-letter.ts';
import type { Task } from '../../letter.ts';
import { lettersInShort } from '../../letter-order.ts';
import { ringReferrer, telephoneOf } from '../../whom-to-ask.ts';
import { dateWithWeekday, joinWithCommas, paragraphsOf, withUnbrokenNumbers } from '../../words.ts';
import { whomToAskIfAnswersDiffer } from '../ask-first.ts';
import { hasLimits } from '../contact-limits.ts';
import { deathTasks } from '../death.ts';
import { hideEarlierLettersTasks } from '../hide-online.ts';
import type { GpAction, PreparedLetter } from '../prepare-letter.ts';
import { removalTasks } from '../removal-notice.ts';
import { hasTaskAboutSymptom } from './clinician-tasks.ts';
import { clinicianTask } from './task.ts';

/** What the practice has to do because of an action, a death, a mistake, or earlier letters that somebody can see online. */
export function requestedTasks(letter: PreparedLetter): Task[] {
  if (letter.isRemovalNotice) return removalTasks(letter);
  const { actions } = letter;
  const hasEarlier = actions.some((action) => askedBeforeAt(letter, action) !== undefined);
  // If the heading says “start today”, “no date given” would sound as if it could wait.
  const withoutDate = hasTaskAboutSymptom(letter) ? 'start today' : undefined;
  const isFirstOfEnd = !letter.earlierLetters.some(({ purpose }) => purpose === 'outcome');
  const requested = actions.map((action): Task => {
    const { text, by_date, asked_by, asked_with, patient_told } = action;
    const earlier = askedBeforeAt(letter, action);
    const details = [
      ...(earlier ? [`asked already in ${lettersInShort(letter, [earlier])}`] : []),
      ...(hasEarlier && !earlier && isFirstOfEnd ? ['new in this letter'] : []),
      ...(by_date === undefined && withoutDate === undefined ? ['no date given'] : []),
      `asked by ${withTelephone(asked_by, asked_with, letter.facts)} (${roleOfAuthor(letter, action)})`,
      ...(patient_told === undefined ? ['not known whether the patient was told'] : []),
      ...(patient_told ? [`${whoWasTold(letter)} was told`] : []),
    ].join('; ');
    const when = [
      ...(letter.hasDied ? ['only if the patient is alive'] : []),
      by_date === undefined ? withoutDate : `by ${dateWithWeekday(by_date)}`,
    ]
      .filter(Boolean)
      .join(', ');
    return clinicianTask(
      when || undefined,
      `${withLead(`${leadIfNotTold(letter, action)}${limitBeforeTask(letter, action)}`, paragraphsOf(text).join('\n'))}${isAboutAbuse(action) ? ' Hide any code for this online too.' : ''}`,
      {
        ...(mustNotSend(letter, action) && {
          warning: howToGive(letter),
        }),
        details: upperFirst(details),
      },
    );
  });
  return [...hideEarlierLettersTasks(letter), ...deathTasks(letter), ...requested];
}

/**
 * When an earlier letter asked this practice for the same, in ISO 8601, so that nobody does it twice; undefined if none did. A letter
 * about an end that was taken back does not count: it did not have what the service asks now.
 */
function askedBeforeAt(letter: PreparedLetter, { asked_with }: GpAction): string | undefined {
  const letters = letter.earlierFullLetters;
  if (asked_with === 'referral') return letters[0]?.at;
  const endedAt = letter.facts?.statusAt;
  return letters.find(
    ({ at, purpose }) => purpose === 'outcome' && endedAt && new Date(at) >= new Date(endedAt),
  )?.at;
}

/** Who asks, with a telephone number for questions. The service’s number is only for what the service asked. */
function withTelephone(askedBy: string, askedWith: string, facts: PreparedLetter['facts']): string {
  const hasTelephone = /\d{4}/.test(askedBy);
  return hasTelephone || askedWith === 'referral'
    ? withUnbrokenNumbers(askedBy)
    : joinWithCommas(askedBy, telephoneOf(facts));
}

/** For which side somebody asks, because the practice knows few of these names. */
function roleOfAuthor({ referral, facts }: PreparedLetter, { asked_by, asked_with }: GpAction): string {
  if (asked_by.startsWith(referral.content.referrer.name)) return 'who referred';
  return asked_with === 'referral' || facts?.by?.isOfReferrer ? 'for the referrer' : 'the service';
}

/** If a parent agreed to the referral, somebody may have told the parent instead of the child. */
function whoWasTold({ referral }: PreparedLetter): string {
  return referral.content.agreement?.basis === 'parental_responsibility'
    ? 'the child or a parent'
    : 'the patient';
}

/** That the patient does not know of the task. It comes before the task, because a reader may do the task before they read on. */
function leadIfNotTold({ isContactUnsafe }: PreparedLetter, { patient_told }: GpAction): string {
  if (patient_told !== false) return '';
  return isContactUnsafe
    ? 'The patient has not been told of this. '
    : 'first tell the patient, who has not been told of this; then: ';
}

/** Words of a task for which somebody contacts the patient. */
const contactsPatient =
  /\b(?:ring|rings|call|phone|telephone|contact|text|tell|see|visit|invite|write|send|post|email|ask|book|offer)\b/i;

/** “Text only: ”, before the words of the task: the person who asked may not have known the limit. */
export function limitBeforeTask(letter: PreparedLetter, action: GpAction): string {
  if (!letter.mayWarn) return '';
  const { contact } = letter.referral.content;
  const ask =
    whomToAskIfAnswersDiffer(letter) ??
    (contact?.safe === 'no' && contactsPatient.test(action.text) ? ringReferrer(letter) : undefined);
  if (ask !== undefined) return `first ${ask}; then, as they say: `;
  const isRung = /\b(?:ring|call|phone|telephone)\b/i.test(action.text);
  return contact?.channel === 'text' && isRung && !isForSomebodyElse(action) ? 'Text only: ' : '';
}

function isForSomebodyElse({ text }: Pick<GpAction, 'text'>): boolean {
  return somebodyElse.test(text);
}

/** “Send her fit note to the job centre”, “Ring her sister”: the patient’s contact limits do not matter for these. */
const somebodyElse =
  /\b(?:to|ring|call|phone|telephone|text|ask) (?:the (?!patient\b)|(?:her|his|their|the patient’s) (?:husband|wife|partner|mother|father|mum|dad|parents?|son|daughter|brother|sister|family|carer|neighbour|friend|school|college|employer|work|landlord|solicitor|bank|creditors|council)\b)/i;

/** Whether the task is about abuse. Headings do not say so: anybody may stand beside the clerk who opens the post. */
export function isAboutAbuse({ text }: Pick<GpAction, 'text'>): boolean {
  return /\b(?:abus\w*|violen\w*|coerci\w*|safeguard\w*|rape\w*|assault\w*)\b/i.test(text);
}

/** Words of a task by which something leaves the practice. */
const wordsOfSending = /\b(?:send|sent|post|write|letter|mail|email|text)\b/i;

/** Whether the practice must not send it, because somebody else might open it. */
export function mustNotSend(letter: PreparedLetter, action: GpAction): boolean {
  if (!wordsOfSending.test(action.text) || !letter.mayWarn) return false;
  return hasLimits(letter) && !isForSomebodyElse(action);
}

/** How the patient may get it instead. */
function howToGive({ referral, isContactUnsafe }: PreparedLetter): string {
  return !isContactUnsafe && referral.content.contact?.channel === 'telephone'
    ? 'Do not send it to the patient. Ring, as the contact limits say, and ask how they want to get it.'
    : 'To the patient only as the contact limits say.';
}

/** “Then: offer him …”. A name or a title keeps its capital. */
export function withLead(lead: string, text: string): string {
  const isPlainWord = /^(?!(?:Dr|Mr|Mrs|Ms|Miss|Prof)\b)[A-Z][a-z]+\b/.test(text);
  return /[:;] $/.test(lead) && isPlainWord ? `${lead}${lowerFirst(text)}` : `${lead}${text}`;
}
