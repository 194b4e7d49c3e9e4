import { lowerFirst, upperFirst } from '../../../../platform/first-letter.ts';
import type { Task } from '../../letter.ts';
import { lettersInShort } from '../../letter-order.ts';
import { ringReferrer, telephoneOf } from '../../whom-to-ask.ts';
import { dateWithWeekday, listed, paragraphsOf, withUnbrokenNumbers } from '../../words.ts';
import { askBeforeContact } from '../ask-first.ts';
import { hasLimits } from '../contact-limits.ts';
import { deathTasks } from '../death.ts';
import { hideEarlierLettersTasks } from '../hide-online.ts';
import type { GpAction, PracticeLetter } from '../prepare-letter.ts';
import { removalTasks } from '../removal-notice.ts';
import { asksAboutSymptom } from './clinician-tasks.ts';
import { clinicianTask } from './task.ts';

/** What somebody asked of the practice. */
export function requestedTasks(letter: PracticeLetter): Task[] {
  if (letter.isRemovalNotice) return removalTasks(letter);
  const { actions } = letter;
  const hasEarlier = actions.some((action) => askedBeforeAt(letter, action) !== undefined);
  // Beside “start today” in the heading, “no date given” would sound as if it could wait.
  const withoutDate = asksAboutSymptom(letter) ? 'start today' : undefined;
  const isFirstOfEnd = !letter.earlierLetters.some(({ purpose }) => purpose === 'outcome');
  const asked = actions.map((action): Task => {
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
  return [...hideEarlierLettersTasks(letter), ...deathTasks(letter), ...asked];
}

/**
 * When an earlier letter asked this practice for the same, so that nothing is done twice; undefined if none did. An earlier letter about an
 * end that was taken back did not have what was asked at this end.
 */
function askedBeforeAt(letter: PracticeLetter, { asked_with }: GpAction): string | undefined {
  // A letter with codes alone asked for nothing.
  const letters = letter.earlierFullLetters;
  if (asked_with === 'referral') return letters[0]?.at;
  const endedAt = letter.facts?.statusAt;
  return letters.find(
    ({ at, purpose }) => purpose === 'outcome' && endedAt && new Date(at) >= new Date(endedAt),
  )?.at;
}

/** The practice can ask back by telephone. What was asked with the referral was asked by its referrer. */
function withTelephone(askedBy: string, askedWith: string, facts: PracticeLetter['facts']): string {
  const hasTelephone = /\d{4}/.test(askedBy);
  return hasTelephone || askedWith === 'referral'
    ? withUnbrokenNumbers(askedBy)
    : listed(askedBy, telephoneOf(facts));
}

/** A practice knows few of these names, and the person who asks is often not the one who wrote the letter. */
function roleOfAuthor({ referral, facts }: PracticeLetter, { asked_by, asked_with }: GpAction): string {
  if (asked_by.startsWith(referral.content.referrer.name)) return 'who referred';
  return asked_with === 'referral' || facts?.by?.isOfReferrer ? 'for the referrer' : 'the service';
}

/** Where a parent agreed, somebody may have told either. */
function whoWasTold({ referral }: PracticeLetter): string {
  return referral.content.agreement?.basis === 'parental_responsibility'
    ? 'the child or a parent'
    : 'the patient';
}

/** A reader who meets it after the task has done the task by then. */
function leadIfNotTold({ isContactUnsafe }: PracticeLetter, { patient_told }: GpAction): string {
  if (patient_told !== false) return '';
  return isContactUnsafe
    ? 'The patient has not been told of this. '
    : 'first tell the patient, who has not been told of this; then: ';
}

const contactsPatient =
  /\b(?:ring|rings|call|phone|telephone|contact|text|tell|see|visit|invite|write|send|post|email|ask|book|offer)\b/i;

/** The limit of the letter comes before the words of the person who asked, who may not have known it: “Text only: ”. */
export function limitBeforeTask(letter: PracticeLetter, action: GpAction): string {
  if (!letter.mayWarn) return '';
  const { contact } = letter.referral.content;
  const ask =
    askBeforeContact(letter) ??
    (contact?.safe === 'no' && contactsPatient.test(action.text) ? ringReferrer(letter) : undefined);
  if (ask !== undefined) return `first ${ask}; then, as they say: `;
  const isRung = /\b(?:ring|call|phone|telephone)\b/i.test(action.text);
  return contact?.channel === 'text' && isRung && !isForSomebodyElse(action) ? 'Text only: ' : '';
}

function isForSomebodyElse({ text }: Pick<GpAction, 'text'>): boolean {
  return somebodyElse.test(text);
}

/** “Send her fit note to the job centre”, “Ring her sister”: how the patient may be contacted says nothing about them. */
const somebodyElse =
  /\b(?:to|ring|call|phone|telephone|text|ask) (?:the (?!patient\b)|(?:her|his|their|the patient’s) (?:husband|wife|partner|mother|father|mum|dad|parents?|son|daughter|brother|sister|family|carer|neighbour|friend|school|college|employer|work|landlord|solicitor|bank|creditors|council)\b)/i;

/** What only a clinician decides, and no heading says, because anybody may stand beside the clerk who opens the post. */
export function isAboutAbuse({ text }: Pick<GpAction, 'text'>): boolean {
  return /\b(?:abus\w*|violen\w*|coerci\w*|safeguard\w*|rape\w*|assault\w*)\b/i.test(text);
}

/** Words of a task by which something leaves the practice. */
const wordsOfSending = /\b(?:send|sent|post|write|letter|mail|email|text)\b/i;

/** What is sent may be opened by the person who must not know. */
export function mustNotSend(letter: PracticeLetter, action: GpAction): boolean {
  if (!wordsOfSending.test(action.text) || !letter.mayWarn) return false;
  return hasLimits(letter) && !isForSomebodyElse(action);
}

/** How the patient gets it all the same. */
function howToGive({ referral, isContactUnsafe }: PracticeLetter): string {
  return !isContactUnsafe && referral.content.contact?.channel === 'telephone'
    ? 'Do not send it to the patient. Ring, as the contact limits say, and ask how they want to get it.'
    : 'To the patient only as the contact limits say.';
}

/** “Then: offer him …”: a name or a title keeps its capital. */
export function withLead(lead: string, text: string): string {
  const isPlainWord = /^(?!(?:Dr|Mr|Mrs|Ms|Miss|Prof)\b)[A-Z][a-z]+\b/.test(text);
  return /[:;] $/.test(lead) && isPlainWord ? `${lead}${lowerFirst(text)}` : `${lead}${text}`;
}
