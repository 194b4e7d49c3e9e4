import { lowerFirst, upperFirst } from '../../../platform/first-letter.ts';
import {
  adjustmentsInWords,
  hidesOnline,
  nextWorkingDay,
  waysInWords,
  waysLeftOut,
} from '../../../referrals/index.ts';
import { correctedInRecord, hasNewContact, needsCorrected, noteCorrected } from '../changes.ts';
import type { Task } from '../letter.ts';
import {
  lettersInShort,
  lettersToFind,
  numberOfLetter,
  otherLetter,
  ourLetter,
  ourLetters,
} from '../letter-order.ts';
import { ringReferrer, telephoneOf } from '../whom-to-ask.ts';
import {
  dateInWords,
  dateWithWeekday,
  listed,
  paragraphsOf,
  unbroken,
  withUnbrokenNumbers,
} from '../words.ts';
import {
  askedFirst,
  hasLimits,
  hiddenUntil,
  mustHide,
  newContactTask,
  recordLimitsTask,
} from './contact-limits.ts';
import {
  asksAboutSymptom,
  hasUrgentNewsForPractice,
  noteWarnings,
  ringAboutNews,
  ringOtherSide,
} from './dangers.ts';
import { deathTasks } from './death.ts';
import { removalHeadings } from './headings.ts';
import { askBeforeContact, hasNameToFind, whatToHide } from './patient-lines.ts';
import type { GpAction, PracticeLetter } from './prepare-letter.ts';
import { removalTasks } from './removal-notice.ts';
import { atOnce, clerkTask, clinicianTask, handOverTask, whenFiling } from './task.ts';

/** What somebody asked of the practice. */
export function tasksAsked(letter: PracticeLetter): Task[] {
  if (letter.isRemovalNotice) return removalTasks(letter);
  const { actions } = letter;
  const hasEarlier = actions.some((action) => askedAlreadyOn(letter, action) !== undefined);
  // Beside “start today” in the heading, “no date given” would sound as if it could wait.
  const withoutDate = asksAboutSymptom(letter) ? 'start today' : undefined;
  const isFirstOfEnd = !letter.earlierLetters.some(({ purpose }) => purpose === 'outcome');
  const asked = actions.map((action): Task => {
    const { text, by_date, asked_by, asked_with, patient_told } = action;
    const earlier = askedAlreadyOn(letter, action);
    const details = [
      ...(earlier ? [`asked already in ${lettersInShort(letter, [earlier])}`] : []),
      ...(hasEarlier && !earlier && isFirstOfEnd ? ['new in this letter'] : []),
      ...(by_date === undefined && withoutDate === undefined ? ['no date given'] : []),
      `asked by ${withTelephone(asked_by, asked_with, letter.facts)} (${partOfAuthor(letter, action)})`,
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
      `${withLead(`${beforeTask(letter, action)}${limitBeforeTask(letter, action)}`, paragraphsOf(text).join('\n'))}${isAboutAbuse(action) ? ' Hide any code for this online too.' : ''}`,
      {
        ...(mustNotBeSent(letter, action) && {
          warning: howToGive(letter),
        }),
        details: upperFirst(details),
      },
    );
  });
  return [...hidingTasks(letter), ...deathTasks(letter), ...asked];
}

/** “Then: offer him …”: a name or a title keeps its capital. */
export function withLead(lead: string, text: string): string {
  const isPlainWord = /^(?!(?:Dr|Mr|Mrs|Ms|Miss|Prof)\b)[A-Z][a-z]+\b/.test(text);
  return /[:;] $/.test(lead) && isPlainWord ? `${lead}${lowerFirst(text)}` : `${lead}${text}`;
}

/** A reader who meets it after the task has done the task by then. */
function beforeTask({ isContactUnsafe }: PracticeLetter, { patient_told }: GpAction): string {
  if (patient_told !== false) return '';
  return isContactUnsafe
    ? 'The patient has not been told of this. '
    : 'first tell the patient, who has not been told of this; then: ';
}

/** Words of a task by which something leaves the practice. */
const wordsOfSending = /\b(?:send|sent|post|write|letter|mail|email|text)\b/i;

/** “Send her fit note to the job centre”, “Ring her sister”: how the patient may be contacted says nothing about them. */
const somebodyElse =
  /\b(?:to|ring|call|phone|telephone|text|ask) (?:the (?!patient\b)|(?:her|his|their|the patient’s) (?:husband|wife|partner|mother|father|mum|dad|parents?|son|daughter|brother|sister|family|carer|neighbour|friend|school|college|employer|work|landlord|solicitor|bank|creditors|council)\b)/i;

function isForSomebodyElse({ text }: Pick<GpAction, 'text'>): boolean {
  return somebodyElse.test(text);
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

/** What only a clinician decides, and no heading says, because anybody may stand beside the clerk who opens the post. */
export function isAboutAbuse({ text }: Pick<GpAction, 'text'>): boolean {
  return /\b(?:abus\w*|violen\w*|coerci\w*|safeguard\w*|rape\w*|assault\w*)\b/i.test(text);
}

/** What is sent may be opened by the person who must not know. */
export function mustNotBeSent(letter: PracticeLetter, action: GpAction): boolean {
  if (!wordsOfSending.test(action.text) || !letter.mayWarn) return false;
  return hasLimits(letter) && !isForSomebodyElse(action);
}

/** How the patient gets it all the same. */
function howToGive({ referral, isContactUnsafe }: PracticeLetter): string {
  return !isContactUnsafe && referral.content.contact?.channel === 'telephone'
    ? 'Do not send it to the patient. Ring, as the contact limits say, and ask how they want to get it.'
    : 'To the patient only as the contact limits say.';
}

/** Where a parent agreed, somebody may have told either. */
function whoWasTold({ referral }: PracticeLetter): string {
  return referral.content.agreement?.basis === 'parental_responsibility'
    ? 'the child or a parent'
    : 'the patient';
}

/** A practice knows few of these names, and the person who asks is often not the one who wrote the letter. */
function partOfAuthor({ referral, facts }: PracticeLetter, { asked_by, asked_with }: GpAction): string {
  if (asked_by.startsWith(referral.content.referrer.name)) return 'who referred';
  return asked_with === 'referral' || facts?.by?.isOfReferrer ? 'for the referrer' : 'the service';
}

/**
 * When an earlier letter asked this practice for the same, so that nothing is done twice; undefined if none did. An earlier letter about an
 * end that was taken back did not have what was asked at this end.
 */
function askedAlreadyOn(letter: PracticeLetter, { asked_with }: GpAction): string | undefined {
  // A letter with codes alone asked for nothing.
  const letters = letter.earlierFullLetters;
  if (asked_with === 'referral') return letters[0]?.at;
  const endedAt = letter.facts?.statusAt;
  return letters.find(
    ({ at, purpose }) => purpose === 'outcome' && endedAt && new Date(at) >= new Date(endedAt),
  )?.at;
}

/**
 * The record may be read by somebody at the patient’s side. Once nothing may be shown online, the letters that are there already are
 * hidden before anything else is done.
 */
export function hidingTasks(letter: PracticeLetter): Task[] {
  const isShown = letter.earlierLetters.some(({ isHidden }) => isHidden === false);
  if (letter.isRemovalNotice || !isShown || !hidesOnline(letter.referral.content)) return [];
  return [hidingTask(letter)];
}

/** At once also where no earlier letter is seen online: this one would be, from the minute in which it is filed. */
function hidingTask(letter: PracticeLetter): Task {
  const ofParents = letter.isChild ? ' of parents' : '';
  const what = whatToHide(letter);
  const until = hiddenUntil(letter);
  return clerkTask(
    atOnce,
    `hide ${what} from the online record, also from proxy access${ofParents}${until === undefined ? '' : `, until ${until}`}.`,
    { inHeading: 'hide online' },
  );
}

/** Work for a clerk in every letter that asks for it. It makes no letter one “for action”. */
export function clerkTasks(letter: PracticeLetter): Task[] {
  const { replacesLetterOf, isCodesOnly } = letter;
  if (letter.isRemovalNotice) return [];
  const isHiddenAtOnce = hidingTasks(letter).length > 0;
  return [
    ...(mustHide(letter) && !isHiddenAtOnce ? [hidingTask(letter)] : []),
    ...recordLimitsTask(letter),
    ...recordNoteTask(letter),
    ...noteIsOverTask(letter),
    ...removeWithdrawn(letter),
    ...findByNumberTask(letter),
    ...recordNeedsTask(letter),
    ...movedTask(letter),
    ...keepOtherTask(letter),
    ...(replacesLetterOf && !isCodesOnly ? [supersededTask(letter, replacesLetterOf)] : []),
  ];
}

export function hasNoteToRecord(letter: PracticeLetter): boolean {
  return letter.purpose === 'referral' && letter.mayWarn && noteWarnings(letter).length > 0;
}

/** A colleague who visits opens the record, and not this letter. */
function recordNoteTask(letter: PracticeLetter): Task[] {
  if (!hasNoteToRecord(letter)) return [];
  const what = `${noteOnRecord(letter).step}, hidden online, for home visits.`;
  return [clerkTask(atOnce, what, { inHeading: 'safety note' })];
}

/** What a clerk does with the safety note, in the step and in the heading of the box. */
export function noteOnRecord(letter: PracticeLetter): { step: string; inHeading: string } {
  const isFirst = letter.earlierLetters.length === 0;
  const put = 'put the safety note on the record';
  const check = 'check that the record has the safety note';
  const corrected = isFirst ? 'new' : noteCorrected(letter);
  if (corrected === 'new') return { step: put, inHeading: put };
  return corrected === 'replaced'
    ? {
        step: 'replace the old safety note on the record with the new one',
        inHeading: 'replace the safety note on the record',
      }
    : { step: check, inHeading: check };
}

/** The colleague who books the next appointment reads the record. */
function recordNeedsTask(letter: PracticeLetter): Task[] {
  const what = needsCorrected(letter);
  if (what === undefined || !letter.mayWarn) return [];
  const { patient, reasonable_adjustments } = letter.referral.content;
  const { interpreter, format } = patient.communication_needs ?? {};
  const adjustments = adjustmentsInWords(reasonable_adjustments);
  const now = [
    interpreter && `interpreter ${interpreter.replace(/\.$/, '')}`,
    format && `information in ${format.replace(/\.$/, '')}`,
    adjustments && lowerFirst(adjustments),
  ].filter(Boolean);
  return [
    clerkTask(
      whenFiling,
      `put the ${what} on the record${now.length > 0 ? `: ${now.join('; ')}` : ': none any more'}.`,
    ),
  ];
}

/** A letter with a code alone asked for a note and for hiding. The first one with details says what is left of that. */
function noteIsOverTask(letter: PracticeLetter): Task[] {
  const earlier = letter.earlierLetters;
  const isFirstWithDetails = letter.earlierFullLetters.length === 0;
  if (earlier.length === 0 || !isFirstWithDetails || !letter.mayWarn) return [];
  const letters = lettersInShort(
    letter,
    earlier.map(({ at }) => at),
  );
  const isHidden = mustHide(letter);
  const [its, that] = earlier.length === 1 ? ['its', 'that letter'] : ['their', 'those letters'];
  return [
    clerkTask(
      whenFiling,
      `delete the note “ring before any contact”, which ${letters} asked for: this letter says how to contact the patient. ${isHidden ? `Keep ${that} and ${its} code hidden online` : `You may show ${that} and ${its} code online again`}.`,
    ),
  ];
}

/** The notice about the mistake may have been lost, or come later. Updates need not say it again. */
function removeWithdrawn(letter: PracticeLetter): Task[] {
  const { content, reference } = letter.referral;
  const { facts } = letter;
  const withdrawn = facts?.withdrawnBefore;
  if (!withdrawn || facts.earlierLetters.length > 0) return [];
  const wrongBirthDate = dateInWords(withdrawn.birthDate);
  const code = letter.codes.length > 0 ? ', and the code filed from it' : '';
  return [
    clerkTask(
      whenFiling,
      `remove ${otherLetter(withdrawn)}, if it is in the record, and mark the code filed from it as entered in error.`,
      {
        details:
          withdrawn.birthDate === content.patient.birth_date
            ? 'That letter was sent by mistake'
            : `That letter had the wrong date of birth, ${wrongBirthDate}. Look for it also in a record of this name with that date`,
      },
    ),
    clerkTask(whenFiling, `keep this letter, reference ${reference}${code}.`),
  ];
}

/** Nobody can search for a name that they cannot read or type. */
function findByNumberTask(letter: PracticeLetter): Task[] {
  if (hasNameToFind(letter.referral.content.patient)) return [];
  return [
    clerkTask(
      whenFiling,
      `find the record by the NHS number. Without it, date of birth and address must both match. If you are not sure, file nothing, and ${ringReferrer(letter)}, who can also spell the name in Latin letters.`,
    ),
  ];
}

/** The service heard of it. The patient may be with another practice by now. */
export function hasMoved(letter: PracticeLetter): boolean {
  const { purpose } = letter;
  return purpose === 'outcome' && letter.referral.status_reason?.code === 'moved-away' && letter.mayWarn;
}

function movedTask(letter: PracticeLetter): Task[] {
  return hasMoved(letter)
    ? [clerkTask(whenFiling, 'check the patient’s address and registration: they have moved away.')]
    : [];
}

/** Two letters of one day about one patient are taken for two copies of one. */
function keepOtherTask({ facts }: PracticeLetter): Task[] {
  const others = facts?.otherLettersOfDay ?? [];
  if (others.length === 0) return [];
  const [it, is] = others.length === 1 ? ['it', 'is'] : ['they', 'are'];
  return [
    clerkTask(
      whenFiling,
      `file this beside ${new Intl.ListFormat('en-GB').format(others.map(otherLetter))}: ${it} ${is} about another referral.`,
      { details: 'Neither replaces the other' },
    ),
  ];
}

/** A letter that replaces an update may replace one whose number nobody has compared yet. */
function supersededTask(letter: PracticeLetter, replaced: Date): Task {
  const isOfUpdate = letter.purpose === 'referral' && (numberOfLetter(letter, replaced) ?? 1) > 1;
  return clerkTask(
    whenFiling,
    `mark ${lettersToFind(letter, [replaced])} as superseded.`,
    isOfUpdate
      ? {
          details:
            'What it asked you to check or change in your record is still to do, if nobody has done it',
        }
      : {},
  );
}

/** What to do with the paper itself, before anything that it asks. */
export function filingTasks(letter: PracticeLetter): Task[] {
  if (letter.isRemovalNotice) return [];
  return [
    ...tasksToKeepLetter(letter),
    ...tasksToRestrict(letter),
    ...tasksToStopMessages(letter),
    ...tasksToCheckRecord(letter),
  ];
}

/**
 * The practice may know less now than an earlier letter told. Whether that letter asked for something, this one may not say (wordsOfBox): a
 * clinician looks before it is put away.
 */
export function tasksToRestrict(letter: PracticeLetter): Task[] {
  if (!letter.isCodesOnly) return [];
  const { facts } = letter;
  const letters = letter.earlierLetters.filter(({ hadDetails }) => hadDetails);
  if (letters.length === 0) return [];
  const which = ourLetters(
    letter,
    letters.map(({ at }) => at),
  );
  const [it, ask] = letters.length > 1 ? ['them', 'ask'] : ['it', 'asks'];
  const inShort = lettersInShort(
    letter,
    letters.map(({ at }) => at),
  );
  const keepsCode = facts?.codeSentAt && letter.codes.length === 0;
  return [
    handOverTask(atOnce, `this letter and ${which}, reference ${letter.referral.reference}, to a clinician`),
    clinicianTask(
      'today',
      `if ${inShort} ${ask} you to do something, ${ringReferrer(letter)}, and ask whether that still stands.`,
    ),
    clerkTask(
      'once a clinician has seen them',
      `restrict ${inShort}: only staff who need ${it} may open ${it}.${keepsCode ? ' Leave the code, hidden online.' : ''}`,
    ),
  ];
}

/** That a letter replaces another asks for nothing by itself: a practice that is told to act each time stops reading. */
function tasksToCheckRecord(letter: PracticeLetter): Task[] {
  if (!letter.replacesLetterOf || letter.isCodesOnly) return [];
  const corrected = correctedInRecord(letter);
  return [
    ...(hasNewContact(letter) ? [newContactTask(letter)] : []),
    ...(corrected.length === 0
      ? []
      : [
          clerkTask(whenFiling, `check the patient’s ${corrected.join(' and ')} in your record.`, {
            details: whatWasCorrected(letter, corrected),
          }),
        ]),
  ];
}

/** A clerk compares the number without a search in the letter, and overwrites none that may be newer. */
function whatWasCorrected(letter: PracticeLetter, corrected: readonly string[]): string {
  const { patient, contact } = letter.referral.content;
  const ask =
    askedFirst(letter) === undefined
      ? 'ask the patient which is right'
      : 'change nothing yet, and ask as the contact limits say';
  const { lines, postcode } = patient.address;
  const now: Readonly<Record<string, string | undefined>> = {
    address: [...lines, postcode.toUpperCase()].filter(Boolean).join(', '),
    'telephone number': unbroken(patient.telephone),
  };
  const each = corrected.map((what) => now[what] && `${what} was corrected to ${now[what]}`);
  const areKnown = each.every(Boolean);
  return [
    areKnown ? upperFirst(`the ${each.join('. The ')}`) : 'What was corrected is under “What has changed”',
    ...(contact?.safe === 'no' ? [] : [`If your record has another one, ${ask}`]),
  ].join('. ');
}

/** What the record has may now be in the hands of somebody whom the patient fears. */
function tasksToStopMessages(letter: PracticeLetter): Task[] {
  const withheld = waysLeftOut(letter.referral);
  if (withheld.length === 0 || !letter.isContactUnsafe || !letter.mayWarn) return [];
  return [
    clerkTask(
      'today',
      `stop everything that goes to the ${waysInWords(withheld)} in your record, reminders and results too.`,
    ),
  ];
}

/** “our letter 1”: what that request asked to remove. */
function removedInShort(letter: PracticeLetter): string {
  const removed = (letter.series?.earlier ?? []).filter(
    ({ purpose, isWithdrawn }) => isWithdrawn && purpose !== 'removal',
  );
  return removed.length === 0
    ? 'our earlier letter'
    : lettersInShort(
        letter,
        removed.map(({ at }) => at),
      );
}

/** Whether the practice was asked to remove all that it had, and may not have done it. */
export function wasAskedToRemove(letter: PracticeLetter): boolean {
  const { facts } = letter;
  return Boolean(facts?.removalAskedOn) && facts!.earlierLetters.length === 0;
}

/**
 * The practice was asked to remove its letter, and is the right one after all. Both letters may be of one day and have one reference,
 * so without this somebody who files them later removes the one that holds.
 */
function tasksToKeepLetter(letter: PracticeLetter): Task[] {
  const { facts } = letter;
  if (!wasAskedToRemove(letter)) return [];
  const request = ourLetter(letter, facts!.removalAskedOn!);
  return [
    clerkTask(
      whenFiling,
      `keep this letter, and ignore ${request}, headed “${removalHeadings['wrong-practice']}”: your practice was the right one.`,
      {
        details: 'Do this also if you read that request after this letter',
      },
    ),
    clerkTask(whenFiling, `mark ${removedInShort(letter)} as superseded, if it is still in the record.`),
  ];
}

/** The practice can ask back by telephone. What was asked with the referral was asked by its referrer. */
function withTelephone(askedBy: string, askedWith: string, facts: PracticeLetter['facts']): string {
  const hasTelephone = /\d{4}/.test(askedBy);
  return hasTelephone || askedWith === 'referral'
    ? withUnbrokenNumbers(askedBy)
    : listed(askedBy, telephoneOf(facts));
}

/** When somebody last told what has changed. What they told is for the two sides, and not for the practice. */
export function newsTasks(letter: PracticeLetter): Task[] {
  if (!letter.hasNewsToAsk) return [];
  const ring = `${ringAboutNews(letter)},`;
  const details = [
    'We are not allowed to write it here. Nobody said whether you need to do anything about it',
    ifNobodyTells(letter),
  ].join('. ');
  return [
    hasUrgentNewsForPractice(letter)
      ? clinicianTask('today', `${ring} and ask what has changed for the patient.`, { details })
      : clinicianTask(
          `by ${newsDueBy(letter)}`,
          `${ring} and ask what has changed, before your practice next contacts the patient.`,
          { details },
        ),
  ];
}

/** The person who told of the news may be away: then the other side, and then a clinician decides with what there is. */
function ifNobodyTells(letter: PracticeLetter): string {
  const other = ringOtherSide(letter);
  return other === undefined
    ? 'If they do not answer, decide whether to contact the patient'
    : `If they do not answer, ${other}. If nobody answers, decide whether to contact the patient`;
}

/** News that nobody called urgent: long enough that a practice which files within days is not late, and a working day. */
export function newsDueBy(letter: PracticeLetter): string {
  const { date, site } = letter;
  const inNineDays = new Date(date.getTime() + 9 * 86_400_000);
  return dateWithWeekday(nextWorkingDay({ extraBankHolidays: [], ...site }, inNineDays).date);
}
