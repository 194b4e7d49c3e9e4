import { mentionsCrisis } from '../../../library/index.ts';
import { upperFirst } from '../../../platform/first-letter.ts';
import {
  carerForPractice,
  hidesOnline,
  partsWithCrisis,
  type Referral,
  whoAnsweredGpActions,
} from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { correctedInRecord } from '../changes.ts';
import { codeInWords, hasDied, newCodes, referralCode } from '../codes.ts';
import type { ActionBox, ActionStatus, LetterToPractice, Task } from '../letter.ts';
import { questionsTo, telephoneOf, whoToTell } from '../whom-to-ask.ts';
import { dateInWords, forPractice, listed, momentAsDay, momentWithTime, paragraphsOf } from '../words.ts';
import { isSameMoment, removalTasks } from './removal-notice.ts';

/** What somebody asked of the practice. */
function tasksAsked(referral: Referral, options: LetterToPractice): Task[] {
  if (referral.status === 'entered-in-error') return removalTasks(referral, options);
  const actions = actionsAsked(referral, options).toSorted(soonestFirst);
  const hasEarlier = actions.some((action) => askedAlreadyOn(referral, options, action) !== undefined);
  const isFirstOfEnd = !options.facts?.earlierLetters.some(({ purpose }) => purpose === 'outcome');
  const asked = actions.map((action): Task => {
    const { text, by_date, asked_by, asked_with, patient_told } = action;
    const earlier = askedAlreadyOn(referral, options, action);
    const details = [
      ...(earlier ? [`asked already in our letter of ${momentAsDay(earlier)}`] : []),
      ...(hasEarlier && !earlier && isFirstOfEnd ? ['new in this letter'] : []),
      ...(by_date === undefined ? ['no date was given'] : []),
      `asked by ${withTelephone(asked_by, asked_with, options.facts)}`,
      ...(patient_told === undefined ? ['not known whether the patient was told'] : []),
      ...(patient_told ? ['the patient was told'] : []),
    ].join('; ');
    return {
      text: `${by_date === undefined ? '' : `By ${dateInWords(by_date)}: `}${paragraphsOf(text).join('\n')}`,
      ...(patient_told === false && { warning: 'The patient has not been told of this yet.' }),
      details: upperFirst(details),
    };
  });
  return [...hidingTasks(referral, options), ...deathTasks(referral, options), ...asked];
}

type Action = NonNullable<Referral['content']['gp_actions']>[number];

/** Those without a date come last. Of one day, in the order in which they were asked. */
function soonestFirst({ by_date: one = '9999' }: Action, { by_date: other = '9999' }: Action): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * When an earlier letter asked this practice for the same, so that nothing is done twice; undefined if none did. An earlier letter about an
 * end that was taken back did not have what was asked at this end.
 */
function askedAlreadyOn(
  { content }: Referral,
  { facts }: Pick<LetterToPractice, 'facts'>,
  { asked_with, told_by_hand_only }: Action,
): string | undefined {
  if (told_by_hand_only || asked_with !== 'referral') return undefined;
  // A letter with codes alone asked for nothing.
  return facts?.earlierLetters.find(({ version = 0 }) => version >= (content.full_copies_since ?? 0))?.at;
}

/**
 * The record may be read by somebody at the patient’s side. Once nothing may be shown online, the letters that are there already are
 * hidden before anything else is done.
 */
function hidingTasks(referral: Referral, { facts }: Pick<LetterToPractice, 'facts'>): Task[] {
  const { content, status, reference } = referral;
  const shown = (facts?.earlierLetters ?? []).filter(({ isHidden }) => isHidden === false);
  if (status === 'entered-in-error' || shown.length === 0 || !hidesOnline(content)) return [];
  const which = shown.map(({ at }) => `of ${momentWithTime(at)}`).join(' and ');
  const broughtCode =
    content.episode !== 'continuing' && shown.some(({ at }) => isSameMoment(at, facts?.codedOn));
  return [
    {
      text: `Hide our earlier ${shown.length === 1 ? 'letter' : 'letters'}, ${which}, reference ${reference}, from the patient’s online record${broughtCode ? `, and the code that you filed from it: ${codeInWords(referralCode)}` : ''}.`,
      details: 'At once. Hide this letter as well',
    },
  ];
}

/** What to do with the paper itself, before anything that it asks. */
function filingTasks(referral: Referral, options: LetterToPractice): Task[] {
  if (referral.status === 'entered-in-error') return [];
  return [...keepTasks(referral, options), ...checkTasks(referral, options)];
}

/** That a letter replaces another asks for nothing by itself: a practice that is told to act each time stops reading. */
function checkTasks(referral: Referral, options: LetterToPractice): Task[] {
  if (!options.replacesLetterOf || isCodesOnly('gp_practice', referral)) return [];
  const corrected = correctedInRecord(options);
  if (corrected.length === 0) return [];
  return [
    {
      text: `Check the patient’s ${corrected.join(' and ')} in your record.`,
      details: `No date was given; ${corrected.length === 1 ? 'it was' : 'they were'} corrected here: see “What has changed”`,
    },
  ];
}

/**
 * The practice was asked to remove its letter, and is the right one after all. Both letters may be of one day and have one reference,
 * so without this somebody who files them later removes the one that holds.
 */
function keepTasks({ reference }: Referral, { facts }: Pick<LetterToPractice, 'facts'>): Task[] {
  if (!facts?.removalAskedOn || facts.earlierLetters.length > 0) return [];
  const text = `Keep this letter. It replaces our request of ${momentAsDay(facts.removalAskedOn)} to remove our letter with the reference ${reference}: your practice was the right one.`;
  return [{ text, details: 'Also if you read that request after this letter' }];
}

/** The practice can ask back by telephone. What was asked with the referral was asked by its referrer. */
function withTelephone(askedBy: string, askedWith: string, facts: LetterToPractice['facts']): string {
  const hasTelephone = /\d{4}/.test(askedBy);
  return hasTelephone || askedWith === 'referral' ? askedBy : listed(askedBy, telephoneOf(facts));
}

/** A death that was told by mistake must not stay in the patient's record. */
function deathTasks(referral: Referral, options: LetterToPractice): Task[] {
  if (isCodesOnly('gp_practice', referral)) return [];
  const { status_reason: reason } = referral;
  const { death_mistake: mistake } = referral.content;
  if (reason?.code === 'died')
    return [
      {
        text: 'Check and record the death in your usual way. We were told that the patient has died; please tell us if not.',
        details: `${whatWasTold(referral, options)} This letter is not a confirmation of the death. If the patient is alive, tell ${whoToTell(referral, options)} at once`,
      },
      {
        text: 'Close the case of this referral in your record. File no new code.',
        details: 'Once you have filed this letter',
      },
    ];
  if (!mistake || !wasToldOfDeath(referral, options)) return [];
  const text = `Our letter of ${momentAsDay(mistake.told_at)} said that the patient has died. That was a mistake: the patient is alive. Please correct your record.`;
  return [{ text, details: 'At once' }];
}

/** When the patient died, as far as somebody said, who told it, and who of the two sides confirmed it. */
function whatWasTold({ versionAt }: Referral, { facts }: Pick<LetterToPractice, 'facts'>): string {
  const { death, by } = facts ?? {};
  const { date, toldBy, reportedAt } = death ?? {};
  return [
    `Date of death: ${date ? dateInWords(date) : 'not known'}.`,
    `Told by: ${toldBy ?? 'not stated'}, on ${momentAsDay(reportedAt ?? versionAt)}.`,
    // A death is confirmed on the site by the person who ends the referral for it.
    ...(death && by?.organisation ? [`Confirmed to us by: ${listed(by.name, by.organisation)}.`] : []),
  ].join(' ');
}

/** Whether this practice had a letter that said by mistake that the patient has died. One that was stopped in time has told nobody. */
export function wasToldOfDeath(
  { content: { death_mistake: mistake } }: Referral,
  { facts }: Pick<LetterToPractice, 'facts'>,
): boolean {
  if (!mistake) return false;
  return !facts || facts.earlierLetters.some(({ at }) => new Date(at) >= new Date(mistake.told_at));
}

/** What the practice is asked in this letter. */
export function actionsAsked(
  referral: Referral,
  { purpose, facts }: Pick<LetterToPractice, 'purpose' | 'facts'>,
): NonNullable<Referral['content']['gp_actions']> {
  if (referral.status === 'entered-in-error' || isCodesOnly('gp_practice', referral)) return [];
  return (referral.content.gp_actions ?? []).filter(({ asked_with, done_by_hand }) => {
    if (purpose === 'referral') return asked_with === 'referral' && !done_by_hand;
    // What was asked at first is repeated until somebody has confirmed it.
    return asked_with === 'outcome' || !(done_by_hand || facts?.isFirstConfirmed);
  });
}

/** What the practice has to do. The box at the top of the letter says it, and so does the message around the letter. */
export function actionStatus(referral: Referral, options: LetterToPractice): ActionStatus {
  if (tasksAsked(referral, options).length > 0) return 'tasks';
  const hasToFile = filingTasks(referral, options).length > 0;
  if (isCodesOnly('gp_practice', referral)) {
    if (hasToFile) return 'tasks';
    return newCodes(referral, options).length > 0 ? 'code' : 'no-new-code';
  }
  if (wasAnswered(referral, options) && !hasNewsSinceAnswer(options)) {
    if (riskAtStart(referral) !== undefined && options.purpose === 'referral') return 'to-read';
    if (hasToFile) return 'tasks';
    return riskAtStart(referral) === undefined ? 'nothing' : 'nothing-asked';
  }
  // Danger before papers.
  if (whyForClinician(referral, options).length > 0) return 'to-read';
  if (hasToFile) return 'tasks';
  if (endedWithoutHelp(referral, options))
    return whoAnsweredGpActions(referral.content).length > 0 ? 'nothing' : 'nothing-asked';
  return options.replacesLetterOf && !hasNewsSinceAnswer(options) ? 'nothing' : 'not-said';
}

/** Only who completes a referral is asked whether the practice has something to do. Any other end asks for nothing. */
function endedWithoutHelp({ status }: Referral, { purpose }: Pick<LetterToPractice, 'purpose'>): boolean {
  return purpose === 'outcome' && status !== 'completed' && status !== 'entered-in-error';
}

/** Whether the side that this letter comes from said what the practice has to do, or that there is nothing. */
function wasAnswered({ content }: Referral, { purpose }: Pick<LetterToPractice, 'purpose'>): boolean {
  return whoAnsweredGpActions(content).includes(purpose === 'outcome' ? 'outcome' : 'referral');
}

/** Who said at the start that there is nothing to do did not know what was told later. The end is answered by somebody who does. */
export function hasNewsSinceAnswer({ purpose, facts }: Pick<LetterToPractice, 'purpose' | 'facts'>): boolean {
  return purpose === 'referral' && (facts?.reported ?? []).length > 0;
}

/** When somebody last told what has changed. What they told is for the two sides, and not for the practice. */
function newsInWords({ facts }: Pick<LetterToPractice, 'facts'>): string {
  const { at } = facts!.reported!.at(-1)!;
  return `On ${momentAsDay(at)} something was said to have changed for the patient. What was said is on this site for the service and the referrer, and not in this letter: ring and ask.`;
}

/**
 * Why a clinician must read the letter. Most letters in which nobody said what to do need nothing done, and a practice that is told
 * each time that a clinician must read them soon stops reading. So only letters about danger ask for it.
 */
function whyForClinician(
  referral: Referral,
  { site: { crisisPhrases }, facts }: Pick<LetterToPractice, 'site' | 'facts'>,
): string[] {
  const { content, outcome, status_reason } = referral;
  const { safety_notes, safety_notes_for_practice } = content;
  const hasNote = Boolean(safety_notes && safety_notes_for_practice);
  const end = { reasons: [outcome, status_reason].filter((each) => each !== null) };
  const parts = partsWithCrisis(inPracticeLetter(content), crisisPhrases);
  if (partsWithCrisis(end, crisisPhrases).length > 0) parts.push('the summary');
  const crisis = facts?.reported?.findLast(({ text }) => mentionsCrisis(text, crisisPhrases));
  const isForServiceAlone = parts.length === 0 && partsWithCrisis(content, crisisPhrases).length > 0;
  return [
    riskAtStart(referral) ?? false,
    hasNote && 'it has a safety note',
    parts.length > 0 && `its words may speak of a crisis (${parts.map(forPractice).join(' and ')})`,
    crisis !== undefined &&
      `words of a crisis were reported on ${momentAsDay(crisis.at)}, after the referral was made, and are not in this letter: ring and ask`,
    isForServiceAlone && 'words for the service alone may speak of a crisis: ring and ask',
  ].filter((each): each is string => each !== false);
}

/** Nobody reads “No action needed” about somebody who was at risk of serious harm, also where the practice is asked for nothing. */
function riskAtStart({ content: { risk, risk_acted_on: told } }: Referral): string | undefined {
  const whoWasTold = told && `${told.who_was_told} was told on ${momentAsDay(told.when)}`;
  if (risk === 'yes')
    return `risk of serious harm was answered “yes” when the referral was made; ${whoWasTold ?? 'it does not say who was told'}`;
  return whoWasTold && `risk of serious harm was not answered “yes”, and yet ${whoWasTold}`;
}

/** What a letter to the practice says in words: neither notes for the service alone nor why the referral was made all the same. */
function inPracticeLetter(content: Referral['content']): object {
  const { reasons, what_matters, support_offered, goals, gp_actions, contact, patient } = content;
  const { safety_notes, safety_notes_for_practice } = content;
  const { carer: _carer, ...known } = patient;
  const carer = carerForPractice(content);
  return {
    ...{ reasons, what_matters, support_offered, goals, gp_actions, contact },
    ...(safety_notes_for_practice && { safety_notes }),
    patient: { ...known, ...(carer && { carer }) },
  };
}

const headings: Readonly<Record<ActionStatus, string>> = {
  tasks: 'Action for the GP practice – by when',
  'to-read': 'A clinician must read this today',
  'not-said': 'No action was recorded',
  'nothing-asked': 'No action asked for – for the record',
  nothing: 'No action needed – for the record',
  code: 'For the record – one code to file',
  'no-new-code': 'For the record – no new code to file',
};

/** A code to file is work for a clerk, so such a letter must not say that there is nothing to do. */
const headingsWithCode: Partial<typeof headings> = {
  'not-said': 'No clinical action was recorded – code to file',
  'nothing-asked': 'No clinical action asked for – code to file',
  nothing: 'No clinical action needed – code to file',
};

export function actionBox(referral: Referral, options: LetterToPractice): ActionBox {
  const asked = tasksAsked(referral, options);
  const filing = filingTasks(referral, options);
  // What is urgent for the patient is before what is only for the files; a letter to keep is before all.
  const tasks = options.replacesLetterOf ? [...asked, ...filing] : [...filing, ...asked];
  const kind = actionStatus(referral, options);
  return {
    heading: (newCodes(referral, options).length > 0 && headingsWithCode[kind]) || headings[kind],
    tasks,
    words: [wordsOfBox(referral, options, kind), ...filingWords(referral, options)].filter(
      (each) => each !== undefined,
    ),
    mustBeRead: kind === 'tasks' || kind === 'to-read',
    questions: questionsTo(referral, options),
  };
}

function wordsOfBox(referral: Referral, options: LetterToPractice, kind: ActionStatus): string | undefined {
  if (referral.status === 'entered-in-error') return undefined;
  // The same whether there is something to do or not: that is not in the code that the patient agreed to.
  if (isCodesOnly('gp_practice', referral))
    return 'The patient agreed to a code and no details. If there is something for you to do, the staff who referred will contact you.';
  const hasNews = hasNewsSinceAnswer(options);
  if (hasDied(referral)) return undefined;
  if (wasAnswered(referral, options) && !hasNews) return riskWords(referral, kind);
  if (endedWithoutHelp(referral, options)) return wordsOfOtherEnd(referral, options, kind);
  // The reader must not take silence for a no, also beside something else that they have to do.
  const isEnd = options.purpose === 'outcome';
  const notSaid = isEnd
    ? 'When the referral ended, nobody said whether you need to do anything'
    : 'The referral does not say whether you need to do anything';
  const unaskedBefore = hasNews && wasAnswered(referral, options);
  if (kind === 'to-read')
    return wordsForClinician(
      referral,
      options,
      unaskedBefore ? 'Before this, you were asked for nothing' : notSaid,
    );
  if (hasNews) return `${newsInWords(options)} ${notSaid} about it.`;
  if (kind === 'tasks') return `${notSaid} else. If you expected something, ask us.`;
  if (kind === 'nothing')
    return `This update asks for nothing. ${notSaid} else. If you expected something, ask us.`;
  return `${notSaid}. If you expected something, ask us.`;
}

/** Beside what was asked of the practice, or that nothing was. */
function riskWords(referral: Referral, kind: ActionStatus): string | undefined {
  const risk = riskAtStart(referral);
  if (risk === undefined) return undefined;
  if (kind === 'to-read')
    return `Why: ${risk}. The referrer asked you for nothing: a clinician must decide whether that is enough.`;
  return `${upperFirst(risk)}.${kind === 'nothing-asked' ? ' At the end, nobody asked you for anything.' : ''}`;
}

function wordsForClinician(referral: Referral, options: LetterToPractice, notSaid: string): string {
  return `Why: ${whyForClinician(referral, options).join('; ')}. ${notSaid}: a clinician must decide.`;
}

/** After an end in which nobody was asked what the practice has to do. */
function wordsOfOtherEnd(referral: Referral, options: LetterToPractice, kind: ActionStatus): string {
  if (kind === 'to-read') return wordsForClinician(referral, options, 'Nobody asked you for anything');
  const next = 'The referral has ended. The referrer decides what follows.';
  // What the referrer asked may be done by now.
  if (kind === 'tasks' || referral.content.gp_actions?.length)
    return `${next} Nobody asked you for anything else.`;
  return `${next} Neither the service nor the referrer asked you for anything.`;
}

/** What to do with letters and codes when filing: no action, but nobody must overlook it. */
function filingWords(referral: Referral, options: LetterToPractice): string[] {
  if (referral.status === 'entered-in-error') return [];
  if (isCodesOnly('gp_practice', referral)) return letterWithDetailsWords(referral, options);
  const { replacesLetterOf } = options;
  const names = newCodes(referral, options).map(([, display]) => `“${display}”`);
  return [
    ...(replacesLetterOf
      ? [`When you file this letter, mark our letter of ${momentWithTime(replacesLetterOf)} as superseded.`]
      : []),
    // By its words alone: a number that stands twice in a letter may be filed twice.
    ...(names.length > 0
      ? [
          `${names.length === 1 ? 'One new code' : 'New codes'} to file: ${names.join(' and ')}. See “Codes to file”.`,
        ]
      : []),
  ];
}

/**
 * The practice may know less now than an earlier letter told. It has that letter, so its date tells nothing new; a reason is neither
 * needed nor given.
 */
function letterWithDetailsWords({ reference }: Referral, { facts }: LetterToPractice): string[] {
  const letters = (facts?.earlierLetters ?? []).filter(({ hadDetails }) => hadDetails);
  if (letters.length === 0) return [];
  const which = letters.map(({ at }) => `of ${momentWithTime(at)}`).join(' and ');
  const [noun, it] = letters.length === 1 ? ['letter', 'it'] : ['letters', 'them'];
  return [
    `The patient has since changed what may be shared. Our earlier ${noun} ${which}, reference ${reference}, may hold more than they agree to now. Do not share ${it} further. If you are not sure what to do with ${it}, ask who referred.`,
  ];
}
