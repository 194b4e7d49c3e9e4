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
import { ourLetter, ourLetters } from '../letter-order.ts';
import { questionsTo, referrerTelephone, ringInShort, telephoneOf, whoToTell } from '../whom-to-ask.ts';
import {
  ageInYears,
  dateInWords,
  forPractice,
  isSameMoment,
  listed,
  momentAsDay,
  paragraphsOf,
  unbroken,
} from '../words.ts';
import { removalTasks } from './removal-notice.ts';

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
      ...(earlier ? [`asked already in ${ourLetter(options, earlier)}`] : []),
      ...(hasEarlier && !earlier && isFirstOfEnd ? ['new in this letter'] : []),
      ...(by_date === undefined ? ['no date given'] : []),
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
function hidingTasks(referral: Referral, options: LetterToPractice): Task[] {
  const { facts } = options;
  const { content, status, reference } = referral;
  const shown = (facts?.earlierLetters ?? []).filter(({ isHidden }) => isHidden === false);
  if (status === 'entered-in-error' || shown.length === 0 || !hidesOnline(content)) return [];
  const which = ourLetters(
    options,
    shown.map(({ at }) => at),
    'earlier ',
  );
  const broughtCode =
    content.episode !== 'continuing' && shown.some(({ at }) => isSameMoment(at, facts?.codedOn));
  return [
    {
      text: `Hide ${which}, reference ${reference}, from the patient’s online record${broughtCode ? `, and the code that you filed from it: ${codeInWords(referralCode)}` : ''}.`,
      details: 'At once',
    },
  ];
}

/** Work for a clerk in every letter that asks for it. It makes no letter one “for action”. */
function clerkTasks(referral: Referral, options: LetterToPractice): Task[] {
  const { content, status } = referral;
  const { replacesLetterOf, date } = options;
  if (status === 'entered-in-error') return [];
  const hasCode = newCodes(referral, options).length > 0;
  const isChild = ageInYears(content.patient.birth_date, date) < 16;
  return [
    ...(hidesOnline(content)
      ? [
          {
            text: `Hide this letter${hasCode ? ' and its code' : ''} from the online record, also from proxy access${isChild ? ' of parents' : ''}.`,
          },
        ]
      : []),
    ...(replacesLetterOf && !isCodesOnly('gp_practice', referral)
      ? [{ text: `Mark ${ourLetter(options, replacesLetterOf)} as superseded.` }]
      : []),
  ];
}

/** What to do with the paper itself, before anything that it asks. */
function filingTasks(referral: Referral, options: LetterToPractice): Task[] {
  if (referral.status === 'entered-in-error') return [];
  return [
    ...keepTasks(referral, options),
    ...restrictTasks(referral, options),
    ...checkTasks(referral, options),
  ];
}

/**
 * The practice may know less now than an earlier letter told. It has that letter, so its date tells nothing new; a reason is neither
 * needed nor given.
 */
function restrictTasks(referral: Referral, options: LetterToPractice): Task[] {
  if (!isCodesOnly('gp_practice', referral)) return [];
  const { facts } = options;
  const letters = (facts?.earlierLetters ?? []).filter(({ hadDetails }) => hadDetails);
  if (letters.length === 0) return [];
  const which = ourLetters(
    options,
    letters.map(({ at }) => at),
  );
  const it = letters.length === 1 ? 'it' : 'them';
  const keepsCode = facts?.codedOn && newCodes(referral, options).length === 0;
  return [
    {
      text: `Restrict ${which}: do not share ${it} further or show ${it} online.`,
      details: `At once. Reference ${referral.reference}. The patient has since changed what may be shared. If you are not sure what to do, ask who referred`,
    },
    ...(keepsCode
      ? [{ text: `Keep the code that you filed, “${referralCode[1]}”: see “Codes to file”.` }]
      : []),
  ];
}

/** That a letter replaces another asks for nothing by itself: a practice that is told to act each time stops reading. */
function checkTasks(referral: Referral, options: LetterToPractice): Task[] {
  if (!options.replacesLetterOf || isCodesOnly('gp_practice', referral)) return [];
  const corrected = correctedInRecord(options);
  if (corrected.length === 0) return [];
  return [
    {
      text: `Check the patient’s ${corrected.join(' and ')} in your record.`,
      details: whatWasCorrected(referral, corrected),
    },
  ];
}

/** A clerk compares the number without a search in the letter. */
function whatWasCorrected({ content: { patient } }: Referral, corrected: readonly string[]): string {
  return corrected.length === 1 && corrected[0] === 'telephone number' && patient.telephone
    ? `The number was corrected. Is ${unbroken(patient.telephone)} in your record?`
    : `No date given. What was corrected is under “What has changed”`;
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
        text: 'VERIFY FIRST with your own records, then record the death as you usually do. We were told that the patient has died; please tell us if not.',
        details: `${whatWasTold(referral, options)} This letter is not a confirmation of the death. If the patient is alive, tell ${whoToTell(referral, options)} at once`,
      },
      {
        text: 'End any open referral of this patient to this service in your record. File no new code.',
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
    ...(death && by?.organisation ? [`Passed on by: ${listed(by.name, by.organisation)}.`] : []),
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
  if (endedWithoutHelp(referral, options)) return 'nothing-asked';
  return options.replacesLetterOf && !hasNewsSinceAnswer(options) ? 'nothing-asked' : 'not-said';
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
function newsInWords(referral: Referral, options: LetterToPractice): string {
  const { at } = options.facts!.reported!.at(-1)!;
  return `On ${momentAsDay(at)} somebody said that things have changed for the patient. What changed was told to the service and the referrer, and is not in this letter: ${ringInShort(referral, options)} and ask before you next contact the patient.`;
}

/**
 * Why a clinician must read the letter. Most letters in which nobody said what to do need nothing done, and a practice that is told
 * each time that a clinician must read them soon stops reading. So only letters about danger ask for it.
 */
function whyForClinician(referral: Referral, options: LetterToPractice): string[] {
  return [...dangers(referral, options), ...noteWarnings(referral)];
}

/** What may be danger for somebody, each in a sentence. */
function dangers(referral: Referral, options: LetterToPractice): string[] {
  const { content, outcome, status_reason } = referral;
  const { crisisPhrases } = options.site;
  const end = { reasons: [outcome, status_reason].filter((each) => each !== null) };
  const parts = partsWithCrisis(inPracticeLetter(content), crisisPhrases);
  if (partsWithCrisis(end, crisisPhrases).length > 0) parts.push('the summary');
  const isForServiceAlone = parts.length === 0 && partsWithCrisis(content, crisisPhrases).length > 0;
  return [
    crisisReported(referral, options),
    riskAtStart(referral),
    parts.length > 0
      ? `The words of this letter may speak of a crisis: ${parts.map(forPractice).join(' and ')}.`
      : undefined,
    isForServiceAlone
      ? `What was written for the service alone may speak of a crisis, and is not in this letter: ${ringInShort(referral, options)} today and ask.`
      : undefined,
  ].filter((each) => each !== undefined);
}

/** A safety note that was shared with the practice. A long one is cut: it is whole under “Safety and sharing”. */
function noteWarnings({ content: { safety_notes, safety_notes_for_practice } }: Referral): string[] {
  const note = safety_notes_for_practice ? paragraphsOf(safety_notes).join(' ') : '';
  if (note === '') return [];
  const isLong = note.length > 200;
  return [`Safety note: ${isLong ? `${note.slice(0, 180)}… See “Safety and sharing”.` : note}`];
}

/** The last news in which somebody used words of a crisis. */
function lastCrisis({ facts, site }: LetterToPractice) {
  return facts?.reported?.findLast(({ text }) => mentionsCrisis(text, site.crisisPhrases));
}

/** What was told is not in the letter, so it says who knows it, and that nobody may have acted. */
function crisisReported(referral: Referral, options: LetterToPractice): string | undefined {
  const { facts } = options;
  const crisis = lastCrisis(options);
  if (crisis === undefined) return undefined;
  const { contact, referrer } = referral.content;
  const isOfService = crisis.side === 'provider';
  const who = crisis.by ?? (isOfService ? referral.service.name : referrer.name);
  const telephone = isOfService ? telephoneOf(facts) : referrerTelephone(referral, facts);
  const role = crisis.side === undefined ? '' : ` (${isOfService ? 'the service' : 'the referrer’s side'})`;
  const ring =
    crisis.side !== undefined && telephone !== undefined
      ? `Ring ${who}, ${telephone} now to hear it`
      : 'Ring now to hear it: the numbers are under “Questions”';
  const other = contact?.safe === 'no' ? '' : '; if nobody answers, ring the patient, as “Contact” allows';
  const by = crisis.by === undefined ? '' : ` by ${crisis.by}${role}`;
  return `CRISIS reported on ${momentAsDay(crisis.at)}${by}. We do not know that anybody has acted. ${ring}${other}.`;
}

/** Nobody reads “No action needed” about somebody who was at risk of serious harm, also where the practice is asked for nothing. */
function riskAtStart({ content: { risk, risk_acted_on: told } }: Referral): string | undefined {
  const whoWasTold =
    told &&
    `Told on ${momentAsDay(told.when)}: ${told.who_was_told.replace(/\.$/, '')}. What they did is not known here.`;
  if (risk === 'yes')
    return `The referrer answered yes to: is anybody at risk of serious harm, or is a child or adult being hurt? It was not asked who. ${whoWasTold ?? 'It does not say who was told.'}`;
  return whoWasTold && `The question about risk of serious harm was not answered with yes. ${whoWasTold}`;
}

/** Whether the letter must not calm its reader: there may be danger, or a safety note. */
export function hasDanger(referral: Referral, options: LetterToPractice): boolean {
  return whyForClinician(referral, options).length > 0;
}

/** What “Safety and sharing” names again, in few words: the box has the whole. */
export function dangersInShort(referral: Referral, options: LetterToPractice): string[] {
  const { risk, risk_acted_on } = referral.content;
  const crisis = lastCrisis(options);
  return [
    ...(crisis ? [`a crisis was reported on ${momentAsDay(crisis.at)}: see the box above`] : []),
    ...(risk === 'yes' ? ['risk of serious harm was answered yes: see the box above'] : []),
    ...(risk !== 'yes' && risk_acted_on ? ['somebody was told of a risk: see the box above'] : []),
  ];
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
  'not-said': 'No action asked for',
  'nothing-asked': 'No action asked for',
  nothing: 'No action needed – for the record',
  code: 'No action asked for – code to file',
  'no-new-code': 'No action asked for',
};

export function actionBox(referral: Referral, options: LetterToPractice): ActionBox {
  const asked = tasksAsked(referral, options);
  const filing = filingTasks(referral, options);
  // What is urgent for the patient is before what is only for the files; a letter to keep is before all.
  const tasks = options.replacesLetterOf ? [...asked, ...filing] : [...filing, ...asked];
  const kind = actionStatus(referral, options);
  const mustBeRead = kind === 'tasks' || kind === 'to-read';
  const hasCode = newCodes(referral, options).length > 0;
  const forClerk = clerkTasks(referral, options);
  const said = [wordsOfBox(referral, options, kind)].filter((each) => each !== undefined);
  return {
    // What a clerk does is work too, so such a letter must not say that there is nothing to do.
    heading: mustBeRead
      ? headings[kind]
      : forClerk.length > 0
        ? 'To do when you file this'
        : headings[hasCode ? 'code' : kind],
    tasks: [...tasks, ...forClerk],
    // That a clinician must decide comes before what a clerk does.
    warnings: [...warningsOfBox(referral, options), ...(kind === 'to-read' ? said : [])],
    words: [...(kind === 'to-read' ? [] : said), ...filingWords(referral, options)],
    mustBeRead,
    weight: weightOfBox(referral, options, kind),
    questions: questionsTo(referral, options),
  };
}

/** With a code alone, and about a death or a mistake, the letter warns of nothing. */
function hasWarnings(referral: Referral): boolean {
  return (
    referral.status !== 'entered-in-error' && !isCodesOnly('gp_practice', referral) && !hasDied(referral)
  );
}

/** Danger is the strongest. Something asked for the files alone, such as a corrected number, is plain. */
function weightOfBox(
  referral: Referral,
  options: LetterToPractice,
  kind: ActionStatus,
): NonNullable<ActionBox['weight']> {
  const isAsked = tasksAsked(referral, options).length > 0;
  const isOpenDanger = kind === 'to-read' || (options.purpose === 'referral' && hasWarnings(referral));
  if (isOpenDanger && dangers(referral, options).length > 0) return 'danger';
  const hasWarning =
    warningsOfBox(referral, options).length > 0 || (hasWarnings(referral) && hasNewsSinceAnswer(options));
  const mustRestrict = restrictTasks(referral, options).length > 0;
  return kind === 'to-read' || isAsked || mustRestrict || hasWarning ? 'action' : 'plain';
}

function warningsOfBox(referral: Referral, options: LetterToPractice): string[] {
  if (!hasWarnings(referral)) return [];
  const wasNotReached = options.purpose === 'outcome' && referral.status_reason?.code === 'failed-contact';
  return [
    ...whyForClinician(referral, options),
    ...(wasNotReached ? ['Nobody has reached the patient. How they are is not known here.'] : []),
  ];
}

function wordsOfBox(referral: Referral, options: LetterToPractice, kind: ActionStatus): string | undefined {
  if (referral.status === 'entered-in-error') return undefined;
  // The same whether there is something to do or not: that is not in the code that the patient agreed to.
  if (isCodesOnly('gp_practice', referral))
    return 'The patient agreed to a code and no details. If there is something for you to do, the staff who referred will contact you.';
  const hasNews = hasNewsSinceAnswer(options);
  if (hasDied(referral)) return undefined;
  if (wasAnswered(referral, options) && !hasNews) return wordsOfAnswer(options, kind);
  if (endedWithoutHelp(referral, options)) return wordsOfOtherEnd(referral, kind);
  // The reader must not take silence for a no, also beside something else that they have to do.
  const isEnd = options.purpose === 'outcome';
  const notSaid = isEnd
    ? 'When the referral ended, nobody said whether you need to do anything'
    : 'The referral does not say whether you need to do anything';
  if (kind === 'to-read')
    return hasNews && wasAnswered(referral, options)
      ? 'A clinician must decide what to do.'
      : `${notSaid}: a clinician must decide.`;
  if (hasNews) return `${newsInWords(referral, options)} ${notSaid} about it.`;
  if (kind === 'tasks') return `${notSaid} else. If you expected something, ask us.`;
  if (kind === 'nothing-asked')
    return `This update asks for nothing. ${notSaid} else. If you expected something, ask us.`;
  return `${notSaid}. If you expected something, ask us.`;
}

/** Who said that there is nothing to do. */
function wordsOfAnswer({ purpose }: LetterToPractice, kind: ActionStatus): string | undefined {
  const who = purpose === 'outcome' ? 'The service' : 'The referrer';
  if (kind === 'to-read')
    return `${who} asked you for nothing: a clinician must decide whether that is enough.`;
  return kind === 'nothing' || kind === 'nothing-asked' ? `${who} asked for nothing.` : undefined;
}

/** After an end in which nobody was asked what the practice has to do. */
function wordsOfOtherEnd(referral: Referral, kind: ActionStatus): string {
  if (kind === 'to-read') return 'Nobody asked you for anything: a clinician must decide.';
  const next = 'The referral has ended. The referrer decides what follows.';
  // What the referrer asked may be done by now.
  if (kind === 'tasks' || referral.content.gp_actions?.length)
    return `${next} Nobody asked you for anything else.`;
  return `${next} Neither the service nor the referrer asked you for anything.`;
}

/** What to do with codes when filing: no action, but nobody must overlook it. */
function filingWords(referral: Referral, options: LetterToPractice): string[] {
  if (referral.status === 'entered-in-error' || isCodesOnly('gp_practice', referral)) return [];
  const names = newCodes(referral, options).map(([, display]) => `“${display}”`);
  // By its words alone: a number that stands twice in a letter may be filed twice.
  return names.length === 0
    ? []
    : [
        `${names.length === 1 ? 'One new code' : 'New codes'} to file: ${names.join(' and ')}. See “Codes to file”.`,
      ];
}
