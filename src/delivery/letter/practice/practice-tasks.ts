import { lowerFirst, upperFirst } from '../../../platform/first-letter.ts';
import {
  adjustmentsInWords,
  hidesOnline,
  nextWorkingDay,
  type Referral,
  waysInWords,
  waysLeftOut,
} from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { correctedInRecord, hasNewContact, needsCorrected, noteCorrected } from '../changes.ts';
import { hasDied, newCodes } from '../codes.ts';
import type { PracticeLetterOptions, Task } from '../letter.ts';
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
  hasNewsToAsk,
  hasUrgentNewsForPractice,
  mayWarn,
  noteWarnings,
  ringAboutNews,
  ringOtherSide,
} from './dangers.ts';
import { deathTasks } from './death.ts';
import { removalHeadings } from './headings.ts';
import { askBeforeContact, hasNameToFind, isChildAt, whatToHide } from './patient-lines.ts';
import { removalTasks } from './removal-notice.ts';
import { atOnce, clerkTask, clinicianTask, handOverTask, whenFiling } from './task.ts';
import { actionsAsked } from './what-was-said.ts';

/** What somebody asked of the practice. */
export function tasksAsked(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (referral.status === 'entered-in-error') return removalTasks(referral, options);
  const actions = actionsAsked(referral, options);
  const hasEarlier = actions.some((action) => askedAlreadyOn(referral, options, action) !== undefined);
  // Beside “start today” in the heading, “no date given” would sound as if it could wait.
  const withoutDate = asksAboutSymptom(referral, options) ? 'start today' : undefined;
  const isFirstOfEnd = !options.facts?.earlierLetters.some(({ purpose }) => purpose === 'outcome');
  const asked = actions.map((action): Task => {
    const { text, by_date, asked_by, asked_with, patient_told } = action;
    const earlier = askedAlreadyOn(referral, options, action);
    const details = [
      ...(earlier ? [`asked already in ${lettersInShort(options, [earlier])}`] : []),
      ...(hasEarlier && !earlier && isFirstOfEnd ? ['new in this letter'] : []),
      ...(by_date === undefined && withoutDate === undefined ? ['no date given'] : []),
      `asked by ${withTelephone(asked_by, asked_with, options.facts)} (${partOfAuthor(referral, options, action)})`,
      ...(patient_told === undefined ? ['not known whether the patient was told'] : []),
      ...(patient_told ? [`${whoWasTold(referral)} was told`] : []),
    ].join('; ');
    const when = [
      ...(hasDied(referral) ? ['only if the patient is alive'] : []),
      by_date === undefined ? withoutDate : `by ${dateWithWeekday(by_date)}`,
    ]
      .filter(Boolean)
      .join(', ');
    return clinicianTask(
      when || undefined,
      `${withLead(`${beforeTask(referral, action)}${limitBeforeTask(referral, options, action)}`, paragraphsOf(text).join('\n'))}${isAboutAbuse(action) ? ' Hide any code for this online too.' : ''}`,
      {
        ...(mustNotBeSent(referral, options, action) && {
          warning: howToGive(referral),
        }),
        details: upperFirst(details),
      },
    );
  });
  return [...hidingTasks(referral, options), ...deathTasks(referral, options), ...asked];
}

/** “Then: offer him …”: a name or a title keeps its capital. */
export function withLead(lead: string, text: string): string {
  const isPlainWord = /^(?!(?:Dr|Mr|Mrs|Ms|Miss|Prof)\b)[A-Z][a-z]+\b/.test(text);
  return /[:;] $/.test(lead) && isPlainWord ? `${lead}${lowerFirst(text)}` : `${lead}${text}`;
}

/** A reader who meets it after the task has done the task by then. */
function beforeTask({ content: { contact } }: Referral, { patient_told }: Action): string {
  if (patient_told !== false) return '';
  return contact?.safe === 'no'
    ? 'The patient has not been told of this. '
    : 'first tell the patient, who has not been told of this; then: ';
}

/** Words of a task by which something leaves the practice. */
const wordsOfSending = /\b(?:send|sent|post|write|letter|mail|email|text)\b/i;

/** “Send her fit note to the job centre”, “Ring her sister”: how the patient may be contacted says nothing about them. */
const somebodyElse =
  /\b(?:to|ring|call|phone|telephone|text|ask) (?:the (?!patient\b)|(?:her|his|their|the patient’s) (?:husband|wife|partner|mother|father|mum|dad|parents?|son|daughter|brother|sister|family|carer|neighbour|friend|school|college|employer|work|landlord|solicitor|bank|creditors|council)\b)/i;

function isForSomebodyElse({ text }: Pick<Action, 'text'>): boolean {
  return somebodyElse.test(text);
}

const contactsPatient =
  /\b(?:ring|rings|call|phone|telephone|contact|text|tell|see|visit|invite|write|send|post|email|ask|book|offer)\b/i;

/** The limit of the letter comes before the words of the person who asked, who may not have known it: “Text only: ”. */
export function limitBeforeTask(referral: Referral, options: PracticeLetterOptions, action: Action): string {
  if (!mayWarn(referral)) return '';
  const { contact } = referral.content;
  const ask =
    askBeforeContact(referral, options) ??
    (contact?.safe === 'no' && contactsPatient.test(action.text)
      ? ringReferrer(referral, options)
      : undefined);
  if (ask !== undefined) return `first ${ask}; then, as they say: `;
  const isRung = /\b(?:ring|call|phone|telephone)\b/i.test(action.text);
  return contact?.channel === 'text' && isRung && !isForSomebodyElse(action) ? 'Text only: ' : '';
}

/** What only a clinician decides, and no heading says, because anybody may stand beside the clerk who opens the post. */
export function isAboutAbuse({ text }: Pick<Action, 'text'>): boolean {
  return /\b(?:abus\w*|violen\w*|coerci\w*|safeguard\w*|rape\w*|assault\w*)\b/i.test(text);
}

/** What is sent may be opened by the person who must not know. */
export function mustNotBeSent(referral: Referral, options: PracticeLetterOptions, action: Action): boolean {
  if (!wordsOfSending.test(action.text) || !mayWarn(referral)) return false;
  return hasLimits(referral, options) && !isForSomebodyElse(action);
}

/** How the patient gets it all the same. */
function howToGive({ content: { contact } }: Referral): string {
  return contact?.safe !== 'no' && contact?.channel === 'telephone'
    ? 'Do not send it to the patient. Ring, as the contact limits say, and ask how they want to get it.'
    : 'To the patient only as the contact limits say.';
}

/** Where a parent agreed, somebody may have told either. */
function whoWasTold({ content: { agreement } }: Referral): string {
  return agreement?.basis === 'parental_responsibility' ? 'the child or a parent' : 'the patient';
}

type Action = NonNullable<Referral['content']['gp_actions']>[number];

/** A practice knows few of these names, and the person who asks is often not the one who wrote the letter. */
function partOfAuthor(
  { content: { referrer } }: Referral,
  { facts }: Pick<PracticeLetterOptions, 'facts'>,
  { asked_by, asked_with }: Action,
): string {
  if (asked_by.startsWith(referrer.name)) return 'who referred';
  return asked_with === 'referral' || facts?.by?.isOfReferrer ? 'for the referrer' : 'the service';
}

/**
 * When an earlier letter asked this practice for the same, so that nothing is done twice; undefined if none did. An earlier letter about an
 * end that was taken back did not have what was asked at this end.
 */
function askedAlreadyOn(
  { content }: Referral,
  { facts }: Pick<PracticeLetterOptions, 'facts'>,
  { asked_with }: Action,
): string | undefined {
  // A letter with codes alone asked for nothing.
  const whole = facts?.earlierLetters.filter(
    ({ version = 0 }) => version >= (content.full_copies_since ?? 0),
  );
  if (asked_with === 'referral') return whole?.[0]?.at;
  const endedAt = facts?.statusAt;
  return whole?.find(
    ({ at, purpose }) => purpose === 'outcome' && endedAt && new Date(at) >= new Date(endedAt),
  )?.at;
}

/**
 * The record may be read by somebody at the patient’s side. Once nothing may be shown online, the letters that are there already are
 * hidden before anything else is done.
 */
export function hidingTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
  const { facts } = options;
  const { content, status } = referral;
  const isShown = (facts?.earlierLetters ?? []).some(({ isHidden }) => isHidden === false);
  if (status === 'entered-in-error' || !isShown || !hidesOnline(content)) return [];
  return [hidingTask(referral, options)];
}

/** At once also where no earlier letter is seen online: this one would be, from the minute in which it is filed. */
function hidingTask(referral: Referral, options: PracticeLetterOptions): Task {
  const ofParents = isChildAt(referral, options) ? ' of parents' : '';
  const what = whatToHide(referral, options);
  const until = hiddenUntil(referral, options);
  return clerkTask(
    atOnce,
    `hide ${what} from the online record, also from proxy access${ofParents}${until === undefined ? '' : `, until ${until}`}.`,
    { inHeading: 'hide online' },
  );
}

/** Work for a clerk in every letter that asks for it. It makes no letter one “for action”. */
export function clerkTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
  const { status } = referral;
  const { replacesLetterOf } = options;
  if (status === 'entered-in-error') return [];
  const isInCodes = isCodesOnly('gp_practice', referral);
  const isHiddenAtOnce = hidingTasks(referral, options).length > 0;
  return [
    ...(mustHide(referral, options) && !isHiddenAtOnce ? [hidingTask(referral, options)] : []),
    ...recordLimitsTask(referral, options),
    ...recordNoteTask(referral, options),
    ...noteIsOverTask(referral, options),
    ...removeWithdrawn(referral, options),
    ...findByNumberTask(referral, options),
    ...recordNeedsTask(referral, options),
    ...movedTask(referral, options),
    ...keepOtherTask(options),
    ...(replacesLetterOf && !isInCodes ? [supersededTask(options, replacesLetterOf)] : []),
  ];
}

export function hasNoteToRecord(referral: Referral, { purpose }: PracticeLetterOptions): boolean {
  return purpose === 'referral' && mayWarn(referral) && noteWarnings(referral).length > 0;
}

/** A colleague who visits opens the record, and not this letter. */
function recordNoteTask(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (!hasNoteToRecord(referral, options)) return [];
  const what = `${noteOnRecord(options).step}, hidden online, for home visits.`;
  return [clerkTask(atOnce, what, { inHeading: 'safety note' })];
}

/** What a clerk does with the safety note, in the step and in the heading of the box. */
export function noteOnRecord(options: PracticeLetterOptions): { step: string; inHeading: string } {
  const isFirst = (options.facts?.earlierLetters ?? []).length === 0;
  const put = 'put the safety note on the record';
  const check = 'check that the record has the safety note';
  const corrected = isFirst ? 'new' : noteCorrected(options);
  if (corrected === 'new') return { step: put, inHeading: put };
  return corrected === 'replaced'
    ? {
        step: 'replace the old safety note on the record with the new one',
        inHeading: 'replace the safety note on the record',
      }
    : { step: check, inHeading: check };
}

/** The colleague who books the next appointment reads the record. */
function recordNeedsTask(referral: Referral, options: PracticeLetterOptions): Task[] {
  const what = needsCorrected(options);
  if (what === undefined || !mayWarn(referral)) return [];
  const { patient, reasonable_adjustments } = referral.content;
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
function noteIsOverTask(referral: Referral, options: PracticeLetterOptions): Task[] {
  const { full_copies_since: since = 0 } = referral.content;
  const earlier = options.facts?.earlierLetters ?? [];
  const isFirstWithDetails = earlier.every(({ version = 0 }) => version < since);
  if (earlier.length === 0 || !isFirstWithDetails || !mayWarn(referral)) return [];
  const letters = lettersInShort(
    options,
    earlier.map(({ at }) => at),
  );
  const isHidden = mustHide(referral, options);
  const [its, that] = earlier.length === 1 ? ['its', 'that letter'] : ['their', 'those letters'];
  return [
    clerkTask(
      whenFiling,
      `delete the note “ring before any contact”, which ${letters} asked for: this letter says how to contact the patient. ${isHidden ? `Keep ${that} and ${its} code hidden online` : `You may show ${that} and ${its} code online again`}.`,
    ),
  ];
}

/** The notice about the mistake may have been lost, or come later. Updates need not say it again. */
function removeWithdrawn(referral: Referral, options: PracticeLetterOptions): Task[] {
  const { content, reference } = referral;
  const { facts } = options;
  const withdrawn = facts?.withdrawnBefore;
  if (!withdrawn || facts.earlierLetters.length > 0) return [];
  const wrongBirthDate = dateInWords(withdrawn.birthDate);
  const code = newCodes(referral, options).length > 0 ? ', and the code filed from it' : '';
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
function findByNumberTask(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (hasNameToFind(referral.content.patient)) return [];
  return [
    clerkTask(
      whenFiling,
      `find the record by the NHS number. Without it, date of birth and address must both match. If you are not sure, file nothing, and ${ringReferrer(referral, options)}, who can also spell the name in Latin letters.`,
    ),
  ];
}

/** The service heard of it. The patient may be with another practice by now. */
export function hasMoved(referral: Referral, { purpose }: PracticeLetterOptions): boolean {
  return purpose === 'outcome' && referral.status_reason?.code === 'moved-away' && mayWarn(referral);
}

function movedTask(referral: Referral, options: PracticeLetterOptions): Task[] {
  return hasMoved(referral, options)
    ? [clerkTask(whenFiling, 'check the patient’s address and registration: they have moved away.')]
    : [];
}

/** Two letters of one day about one patient are taken for two copies of one. */
function keepOtherTask({ facts }: PracticeLetterOptions): Task[] {
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
function supersededTask(options: PracticeLetterOptions, replaced: Date): Task {
  const isOfUpdate = options.purpose === 'referral' && (numberOfLetter(options, replaced) ?? 1) > 1;
  return clerkTask(
    whenFiling,
    `mark ${lettersToFind(options, [replaced])} as superseded.`,
    isOfUpdate
      ? {
          details:
            'What it asked you to check or change in your record is still to do, if nobody has done it',
        }
      : {},
  );
}

/** What to do with the paper itself, before anything that it asks. */
export function filingTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (referral.status === 'entered-in-error') return [];
  return [
    ...tasksToKeepLetter(options),
    ...tasksToRestrict(referral, options),
    ...tasksToStopMessages(referral),
    ...tasksToCheckRecord(referral, options),
  ];
}

/**
 * The practice may know less now than an earlier letter told. Whether that letter asked for something, this one may not say (wordsOfBox): a
 * clinician looks before it is put away.
 */
export function tasksToRestrict(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (!isCodesOnly('gp_practice', referral)) return [];
  const { facts } = options;
  const letters = (facts?.earlierLetters ?? []).filter(({ hadDetails }) => hadDetails);
  if (letters.length === 0) return [];
  const which = ourLetters(
    options,
    letters.map(({ at }) => at),
  );
  const [it, ask] = letters.length > 1 ? ['them', 'ask'] : ['it', 'asks'];
  const inShort = lettersInShort(
    options,
    letters.map(({ at }) => at),
  );
  const keepsCode = facts?.codeSentAt && newCodes(referral, options).length === 0;
  return [
    handOverTask(atOnce, `this letter and ${which}, reference ${referral.reference}, to a clinician`),
    clinicianTask(
      'today',
      `if ${inShort} ${ask} you to do something, ${ringReferrer(referral, options)}, and ask whether that still stands.`,
    ),
    clerkTask(
      'once a clinician has seen them',
      `restrict ${inShort}: only staff who need ${it} may open ${it}.${keepsCode ? ' Leave the code, hidden online.' : ''}`,
    ),
  ];
}

/** That a letter replaces another asks for nothing by itself: a practice that is told to act each time stops reading. */
function tasksToCheckRecord(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (!options.replacesLetterOf || isCodesOnly('gp_practice', referral)) return [];
  const corrected = correctedInRecord(options);
  return [
    ...(hasNewContact(options) ? [newContactTask(referral, options)] : []),
    ...(corrected.length === 0
      ? []
      : [
          clerkTask(whenFiling, `check the patient’s ${corrected.join(' and ')} in your record.`, {
            details: whatWasCorrected(referral, options, corrected),
          }),
        ]),
  ];
}

/** A clerk compares the number without a search in the letter, and overwrites none that may be newer. */
function whatWasCorrected(
  referral: Referral,
  options: PracticeLetterOptions,
  corrected: readonly string[],
): string {
  const { patient, contact } = referral.content;
  const ask =
    askedFirst(referral, options) === undefined
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
function tasksToStopMessages(referral: Referral): Task[] {
  const { content, status } = referral;
  const withheld = waysLeftOut(referral);
  const isInCodes = isCodesOnly('gp_practice', referral);
  if (withheld.length === 0 || content.contact?.safe !== 'no') return [];
  if (isInCodes || status === 'entered-in-error' || hasDied(referral)) return [];
  return [
    clerkTask(
      'today',
      `stop everything that goes to the ${waysInWords(withheld)} in your record, reminders and results too.`,
    ),
  ];
}

/** “our letter 1”: what that request asked to remove. */
function removedInShort({ series }: Pick<PracticeLetterOptions, 'series'>): string {
  const removed = (series?.earlier ?? []).filter(
    ({ purpose, isWithdrawn }) => isWithdrawn && purpose !== 'removal',
  );
  return removed.length === 0
    ? 'our earlier letter'
    : lettersInShort(
        { series },
        removed.map(({ at }) => at),
      );
}

/** Whether the practice was asked to remove all that it had, and may not have done it. */
export function wasAskedToRemove({ facts }: Pick<PracticeLetterOptions, 'facts'>): boolean {
  return Boolean(facts?.removalAskedOn) && facts!.earlierLetters.length === 0;
}

/**
 * The practice was asked to remove its letter, and is the right one after all. Both letters may be of one day and have one reference,
 * so without this somebody who files them later removes the one that holds.
 */
function tasksToKeepLetter(options: PracticeLetterOptions): Task[] {
  const { facts } = options;
  if (!wasAskedToRemove({ facts })) return [];
  const request = ourLetter(options, facts!.removalAskedOn!);
  return [
    clerkTask(
      whenFiling,
      `keep this letter, and ignore ${request}, headed “${removalHeadings['wrong-practice']}”: your practice was the right one.`,
      {
        details: 'Do this also if you read that request after this letter',
      },
    ),
    clerkTask(whenFiling, `mark ${removedInShort(options)} as superseded, if it is still in the record.`),
  ];
}

/** The practice can ask back by telephone. What was asked with the referral was asked by its referrer. */
function withTelephone(askedBy: string, askedWith: string, facts: PracticeLetterOptions['facts']): string {
  const hasTelephone = /\d{4}/.test(askedBy);
  return hasTelephone || askedWith === 'referral'
    ? withUnbrokenNumbers(askedBy)
    : listed(askedBy, telephoneOf(facts));
}

/** When somebody last told what has changed. What they told is for the two sides, and not for the practice. */
export function newsTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (!hasNewsToAsk(referral, options)) return [];
  const ring = `${ringAboutNews(referral, options)},`;
  const details = [
    'We are not allowed to write it here. Nobody said whether you need to do anything about it',
    ifNobodyTells(referral, options),
  ].join('. ');
  return [
    hasUrgentNewsForPractice(referral, options)
      ? clinicianTask('today', `${ring} and ask what has changed for the patient.`, { details })
      : clinicianTask(
          `by ${newsDueBy(options)}`,
          `${ring} and ask what has changed, before your practice next contacts the patient.`,
          { details },
        ),
  ];
}

/** The person who told of the news may be away: then the other side, and then a clinician decides with what there is. */
function ifNobodyTells(referral: Referral, options: PracticeLetterOptions): string {
  const other = ringOtherSide(referral, options);
  return other === undefined
    ? 'If they do not answer, decide whether to contact the patient'
    : `If they do not answer, ${other}. If nobody answers, decide whether to contact the patient`;
}

/** News that nobody called urgent: long enough that a practice which files within days is not late, and a working day. */
export function newsDueBy({ date, site }: PracticeLetterOptions): string {
  const inNineDays = new Date(date.getTime() + 9 * 86_400_000);
  return dateWithWeekday(nextWorkingDay({ extraBankHolidays: [], ...site }, inNineDays).date);
}
