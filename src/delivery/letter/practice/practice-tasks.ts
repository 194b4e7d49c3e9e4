import { mentionsCrisis } from '../../../library/index.ts';
import { upperFirst } from '../../../platform/first-letter.ts';
import {
  carerForPractice,
  hidesOnline,
  partsWithCrisis,
  type Referral,
  somebodyAtRisk,
  waysInWords,
  waysLeftOut,
  whoAnsweredGpActions,
} from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { correctedInRecord, hasNewContact, isUrgentNow } from '../changes.ts';
import { codeInWords, hasDied, newCodes, referralCode } from '../codes.ts';
import type { ActionBox, BoxLine, PracticeLetterOptions, Task } from '../letter.ts';
import { numberOfLetter, ourLetter, ourLetters } from '../letter-order.ts';
import { questionsTo, referrerTelephone, ringInShort, telephoneOf, whoToTell } from '../whom-to-ask.ts';
import {
  ageInYears,
  dateInWords,
  inWordsForPractice,
  isSameMoment,
  listed,
  momentAsDay,
  paragraphsOf,
  unbroken,
} from '../words.ts';
import { contactForPractice, whatToHide } from './patient-lines.ts';
import { removalTasks } from './removal-notice.ts';

/** What somebody asked of the practice. */
function tasksAsked(referral: Referral, options: PracticeLetterOptions): Task[] {
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
      ...(patient_told === false && {
        warning: 'The patient has not been told of this: tell them when you do it.',
      }),
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
  { facts }: Pick<PracticeLetterOptions, 'facts'>,
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
function hidingTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
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
      text: `Clerk, at once: hide ${which}, reference ${reference}, from the online record, also from proxy access.`,
    },
    ...(broughtCode
      ? [{ text: `Clerk, at once: hide the code that you filed from it: ${codeInWords(referralCode)}.` }]
      : []),
  ];
}

/** Work for a clerk in every letter that asks for it. It makes no letter one “for action”. */
function clerkTasks(referral: Referral, options: PracticeLetterOptions, kind: BoxLine): Task[] {
  const { content, status } = referral;
  const { replacesLetterOf } = options;
  if (status === 'entered-in-error') return [];
  const isInCodes = isCodesOnly('gp_practice', referral);
  const hides = hidesOnline(content);
  return [
    ...(isNoteForNobody(referral, kind)
      ? [{ text: 'Clerk, when you file this: show the safety note to a clinician.' }]
      : []),
    ...(hides
      ? [
          {
            text: `Clerk, when you file this: hide ${whatToHide(referral, options)} from the online record, also from proxy access${isChildAt(referral, options) ? ' of parents' : ''}.`,
          },
        ]
      : []),
    ...(restrictTasks(referral, options).length > 0 && !hides
      ? [{ text: 'Clerk: file this letter as usual. It has no details.' }]
      : []),
    ...(replacesLetterOf && !isInCodes ? [supersededTask(options, replacesLetterOf)] : []),
  ];
}

/** A safety note in a letter that asks for nothing: without a task, it would be filed by somebody who cannot judge it. */
function isNoteForNobody(referral: Referral, kind: BoxLine): boolean {
  return (
    hasWarnings(referral) &&
    (kind === 'nothing' || kind === 'nothing-asked') &&
    noteWarnings(referral).length > 0
  );
}

/** A letter that replaces an update may replace one whose number nobody has compared yet. */
function supersededTask(options: PracticeLetterOptions, replaced: Date): Task {
  const isOfUpdate = options.purpose === 'referral' && (numberOfLetter(options, replaced) ?? 1) > 1;
  return {
    text: `Clerk, when you file this: mark ${ourLetter(options, replaced)} as superseded.`,
    ...(isOfUpdate && {
      details: 'What it asked you to check or change in your record is still to do, if nobody has done it',
    }),
  };
}

function isChildAt({ content }: Referral, { date }: PracticeLetterOptions): boolean {
  return ageInYears(content.patient.birth_date, date) < 16;
}

/** What to do with the paper itself, before anything that it asks. */
function filingTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (referral.status === 'entered-in-error') return [];
  return [
    ...keepTasks(referral, options),
    ...restrictTasks(referral, options),
    ...stopTasks(referral),
    ...checkTasks(referral, options),
  ];
}

/**
 * The practice may know less now than an earlier letter told. It has that letter, so its date tells nothing new; a reason is neither
 * needed nor given.
 */
function restrictTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
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
      text: `Clerk, at once: restrict ${which}: do not share ${it} further or show ${it} online.`,
      details: `Reference ${referral.reference}. The patient has since changed what may be shared. If you are not sure what to do, ask ${referral.content.referrer.name}, who referred`,
    },
    ...(keepsCode
      ? [
          {
            text: `Clerk, when you file this: keep the code that you filed, “${referralCode[1]}”. See “Codes to file”.`,
          },
        ]
      : []),
  ];
}

/** That a letter replaces another asks for nothing by itself: a practice that is told to act each time stops reading. */
function checkTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (!options.replacesLetterOf || isCodesOnly('gp_practice', referral)) return [];
  const corrected = correctedInRecord(options);
  return [
    ...(hasNewContact(options) ? [newContactTask(referral, options)] : []),
    ...(corrected.length === 0
      ? []
      : [
          {
            text: `Clerk, when you file this: check the patient’s ${corrected.join(' and ')} in your record.`,
            details: whatWasCorrected(referral, corrected),
          },
        ]),
  ];
}

/** The record of a practice may say how to contact the patient, too, and is read when no letter is open. */
function newContactTask(referral: Referral, options: PracticeLetterOptions): Task {
  const { contact, referrer } = referral.content;
  const whose = { isChild: isChildAt(referral, options), referrer: referrer.name };
  const words =
    contact?.safe === 'no' ? 'DO NOT CONTACT. See the red box.' : contactForPractice(contact, whose);
  return {
    text: `Clerk, when you file this: change how to contact the patient in your record. ${words}`,
    details: 'What your record says may be unsafe: see “What has changed”',
  };
}

/** A clerk compares the number without a search in the letter, and overwrites none that may be newer. */
function whatWasCorrected({ content: { patient, contact } }: Referral, corrected: readonly string[]): string {
  const ask =
    contact?.safe === 'no' ? '' : '. If your record has another one, ask the patient which is right';
  return corrected.length === 1 && corrected[0] === 'telephone number' && patient.telephone
    ? `The number was corrected to ${unbroken(patient.telephone)}${ask}`
    : `What was corrected is under “What has changed”${ask}`;
}

/** What the record has may now be in the hands of somebody whom the patient fears. */
function stopTasks(referral: Referral): Task[] {
  const { content, status } = referral;
  const withheld = waysLeftOut(referral);
  const isInCodes = isCodesOnly('gp_practice', referral);
  if (withheld.length === 0 || content.contact?.safe !== 'no') return [];
  if (isInCodes || status === 'entered-in-error' || hasDied(referral)) return [];
  return [
    {
      text: `Clerk, today: stop everything that goes to the ${waysInWords(withheld)} in your record, reminders and results too.`,
    },
  ];
}

/**
 * The practice was asked to remove its letter, and is the right one after all. Both letters may be of one day and have one reference,
 * so without this somebody who files them later removes the one that holds.
 */
function keepTasks({ reference }: Referral, { facts }: Pick<PracticeLetterOptions, 'facts'>): Task[] {
  if (!facts?.removalAskedOn || facts.earlierLetters.length > 0) return [];
  const text = `Keep this letter. It replaces our request of ${momentAsDay(facts.removalAskedOn)} to remove our letter with the reference ${reference}: your practice was the right one.`;
  return [{ text, details: 'When you file this, also if you read that request after this letter' }];
}

/** The practice can ask back by telephone. What was asked with the referral was asked by its referrer. */
function withTelephone(askedBy: string, askedWith: string, facts: PracticeLetterOptions['facts']): string {
  const hasTelephone = /\d{4}/.test(askedBy);
  return hasTelephone || askedWith === 'referral' ? askedBy : listed(askedBy, telephoneOf(facts));
}

/** A death that was told by mistake must not stay in the patient's record. */
function deathTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (isCodesOnly('gp_practice', referral)) return [];
  const { status_reason: reason } = referral;
  const { death_mistake: mistake } = referral.content;
  if (reason?.code === 'died')
    return [
      {
        text: 'VERIFY FIRST, at once: look in your own records whether the patient has died. We were told so.',
        details: `${whatWasTold(referral, options)} This letter is not a confirmation of the death`,
      },
      { text: `If the patient is alive: tell ${whoToTell(referral, options)} at once.` },
      { text: 'If the patient has died: record the death as you usually do.' },
      {
        text: 'Clerk, when you file this: end any open referral of this patient to this service in your record.',
      },
    ];
  if (!mistake || !wasToldOfDeath(referral, options)) return [];
  const text = `Our letter of ${momentAsDay(mistake.told_at)} said that the patient has died. That was a mistake: the patient is alive. Please correct your record.`;
  return [{ text, details: 'At once' }];
}

/** When the patient died, as far as somebody said, who told it, and who of the two sides confirmed it. */
function whatWasTold({ versionAt }: Referral, { facts }: Pick<PracticeLetterOptions, 'facts'>): string {
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
  { facts }: Pick<PracticeLetterOptions, 'facts'>,
): boolean {
  if (!mistake) return false;
  return !facts || facts.earlierLetters.some(({ at }) => new Date(at) >= new Date(mistake.told_at));
}

/** What the practice is asked in this letter. */
export function actionsAsked(
  referral: Referral,
  { purpose, facts }: Pick<PracticeLetterOptions, 'purpose' | 'facts'>,
): NonNullable<Referral['content']['gp_actions']> {
  if (referral.status === 'entered-in-error' || isCodesOnly('gp_practice', referral)) return [];
  return (referral.content.gp_actions ?? []).filter(({ asked_with, done_by_hand }) => {
    if (purpose === 'referral') return asked_with === 'referral' && !done_by_hand;
    // What was asked at first is repeated until somebody has confirmed it.
    return asked_with === 'outcome' || !(done_by_hand || facts?.isFirstConfirmed);
  });
}

/** What the practice has to do. The box at the top of the letter says it, and so does the message around the letter. */
export function actionStatus(referral: Referral, options: PracticeLetterOptions): BoxLine {
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
function endedWithoutHelp(
  { status }: Referral,
  { purpose }: Pick<PracticeLetterOptions, 'purpose'>,
): boolean {
  return purpose === 'outcome' && status !== 'completed' && status !== 'entered-in-error';
}

/** Whether the side that this letter comes from said what the practice has to do, or that there is nothing. */
function wasAnswered({ content }: Referral, { purpose }: Pick<PracticeLetterOptions, 'purpose'>): boolean {
  return whoAnsweredGpActions(content).includes(purpose === 'outcome' ? 'outcome' : 'referral');
}

/** Who said at the start that there is nothing to do did not know what was told later. The end is answered by somebody who does. */
export function hasNewsSinceAnswer({
  purpose,
  facts,
}: Pick<PracticeLetterOptions, 'purpose' | 'facts'>): boolean {
  return purpose === 'referral' && (facts?.reported ?? []).length > 0;
}

/** When somebody last told what has changed. What they told is for the two sides, and not for the practice. */
function newsTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (!hasWarnings(referral) || !hasNewsSinceAnswer(options) || lastCrisis(options)) return [];
  const { at } = options.facts!.reported!.at(-1)!;
  const ring = ringInShort(referral, options);
  const isUrgent = referral.urgency === 'urgent';
  return [
    {
      text: isUrgent
        ? `Clinician, today: ${ring} and ask what has changed for the patient.`
        : `Before anybody here next contacts the patient: ${ring} and ask what has changed.`,
      details: `There is news of ${momentAsDay(at)} that may not be written here. Nobody said whether you need to do anything about it`,
    },
  ];
}

/**
 * What nobody may leave for tomorrow, as numbered steps: who opens the post is seldom who can judge it. The person who reported a crisis
 * is rung before the patient.
 */
function clinicianTasks(referral: Referral, options: PracticeLetterOptions, kind: BoxLine): Task[] {
  const isOpenDanger =
    options.purpose === 'referral' && hasWarnings(referral) && dangers(referral, options).length > 0;
  if (kind !== 'to-read' && !isOpenDanger) return [];
  const crisis = lastCrisis(options);
  return [
    {
      text: `Clerk, ${crisis ? 'now' : 'today'}: give this letter to a clinician.`,
      ...(crisis && { details: 'Whenever you open it, also if the day of its date is past' }),
    },
    ...(crisis ? [ringAboutCrisis(referral, options)] : []),
    ...(isCrisisForServiceAlone(referral, options)
      ? [{ text: `Clinician, today: ${ringInShort(referral, options)} and ask about a possible crisis.` }]
      : []),
    {
      text: 'Clinician, today: read this letter, and decide what to do.',
      ...(kind === 'to-read' && { details: wordsOfReading(referral, options) }),
    },
  ];
}

/**
 * Why a clinician must read the letter. Most letters in which nobody said what to do need nothing done, and a practice that is told
 * each time that a clinician must read them soon stops reading. So only letters about danger ask for it.
 */
function whyForClinician(referral: Referral, options: PracticeLetterOptions): string[] {
  return [...dangers(referral, options), ...noteWarnings(referral)];
}

/** What may be danger for somebody, each in a sentence. */
function dangers(referral: Referral, options: PracticeLetterOptions): string[] {
  const parts = partsInLetter(referral, options);
  return [
    crisisReported(options),
    riskAtStart(referral),
    parts.length > 0
      ? `Read ${new Intl.ListFormat('en-GB').format(parts.map(inWordsForPractice))}: it may describe a crisis.`
      : undefined,
    isCrisisForServiceAlone(referral, options)
      ? 'There may be a crisis that this letter does not describe: it was written for the service alone.'
      : undefined,
  ].filter((each) => each !== undefined);
}

/** Words of a crisis stand only where the practice does not read them. */
function isCrisisForServiceAlone(referral: Referral, options: PracticeLetterOptions): boolean {
  const { crisisPhrases } = options.site;
  return (
    partsInLetter(referral, options).length === 0 &&
    partsWithCrisis(referral.content, crisisPhrases).length > 0
  );
}

/** The parts of this letter that have words of a crisis. */
function partsInLetter(
  { content, outcome, status_reason }: Referral,
  { site: { crisisPhrases } }: PracticeLetterOptions,
): string[] {
  const end = { reasons: [outcome, status_reason].filter((each) => each !== null) };
  const parts = partsWithCrisis(inPracticeLetter(content), crisisPhrases);
  return partsWithCrisis(end, crisisPhrases).length > 0 ? [...parts, 'the summary'] : parts;
}

/** A safety note that was shared with the practice. A long one is cut: it is whole under “Safety and sharing”. */
function noteWarnings({ content: { safety_notes, safety_notes_for_practice } }: Referral): string[] {
  const note = safety_notes_for_practice ? paragraphsOf(safety_notes).join(' ') : '';
  if (note === '') return [];
  const isLong = note.length > 200;
  return [`Safety note: ${isLong ? `${note.slice(0, 180)}… See “Safety and sharing”.` : note}`];
}

/** The last news in which somebody used words of a crisis. */
function lastCrisis({ facts, site }: PracticeLetterOptions) {
  return facts?.reported?.findLast(({ text }) => mentionsCrisis(text, site.crisisPhrases));
}

/** What was told is not in the letter, so it says who knows it, and that nobody may have acted. */
function crisisReported(options: PracticeLetterOptions): string | undefined {
  const crisis = lastCrisis(options);
  if (crisis === undefined) return undefined;
  const role =
    crisis.side === undefined
      ? ''
      : ` (${crisis.side === 'provider' ? 'the service' : 'the referrer’s side'})`;
  const by = crisis.by === undefined ? '' : ` by ${crisis.by}${role}`;
  return `CRISIS reported on ${momentAsDay(crisis.at)}${by}. We do not know that anybody has acted.`;
}

/** Who knows what was told, and whom to contact where nobody answers. */
function ringAboutCrisis(referral: Referral, options: PracticeLetterOptions): Task {
  const { facts } = options;
  const { contact, referrer, patient } = referral.content;
  const crisis = lastCrisis(options)!;
  const isOfService = crisis.side === 'provider';
  const who = crisis.by ?? (isOfService ? referral.service.name : referrer.name);
  const telephone = isOfService ? telephoneOf(facts) : referrerTelephone(referral, facts);
  const ring =
    crisis.side !== undefined && telephone !== undefined
      ? `ring ${who}, ${telephone}`
      : 'ring one of the numbers under “Questions”';
  const number = unbroken(patient.telephone);
  const whose = { isChild: isChildAt(referral, options), referrer: referrer.name };
  const thePatient = `If nobody answers, contact the patient${number ? `: ${number}` : ''}. ${contactForPractice(contact, whose)}`;
  return {
    text: `Clinician, now: ${ring}, and ask what has happened.`,
    details: `${contact?.safe === 'no' ? '' : `${thePatient} `}If somebody is in danger now, call 999`,
  };
}

/** Nobody reads “No action needed” about somebody who was at risk of serious harm, also where the practice is asked for nothing. */
function riskAtStart({ content: { risk, risk_acted_on: told, referrer } }: Referral): string | undefined {
  const whoWasTold =
    told &&
    `Told on ${momentAsDay(told.when)}: ${told.who_was_told.replace(/\.$/, '')}. What they did is not known here.`;
  if (risk === 'yes')
    return `${somebodyAtRisk(referrer.name)} ${whoWasTold ?? 'It does not say who was told.'}`;
  return (
    whoWasTold &&
    `Nobody is said to be at risk of serious harm, and yet somebody was told of a risk. ${whoWasTold}`
  );
}

/** Whether the letter must not calm its reader: there may be danger, or a safety note. */
export function hasDanger(referral: Referral, options: PracticeLetterOptions): boolean {
  return whyForClinician(referral, options).length > 0;
}

/** What “Safety and sharing” names again, in few words: the box has the whole. */
export function dangersInShort(referral: Referral, options: PracticeLetterOptions): string[] {
  const { risk, risk_acted_on } = referral.content;
  const crisis = lastCrisis(options);
  return [
    ...(crisis ? [`a crisis was reported on ${momentAsDay(crisis.at)}: see the box above`] : []),
    ...(risk === 'yes' ? ['somebody is at risk of serious harm: see the box above'] : []),
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

const nothingAsked = 'No action asked for';
const headings: Readonly<Record<BoxLine, string>> = {
  tasks: 'Action for the GP practice',
  'to-read': 'A clinician must read this today',
  'not-said': nothingAsked,
  'nothing-asked': nothingAsked,
  nothing: nothingAsked,
  code: 'Code to file – nothing else asked',
  'no-new-code': nothingAsked,
};

/** It promises a day only where a task has one. */
function headingOfTasks(referral: Referral, options: PracticeLetterOptions): string {
  if (referral.status === 'entered-in-error') return `${headings.tasks} – at once`;
  const hasDay = actionsAsked(referral, options).some(({ by_date }) => by_date !== undefined);
  return hasDay ? `${headings.tasks} – by when` : headings.tasks;
}

export function actionBox(referral: Referral, options: PracticeLetterOptions): ActionBox {
  const asked = tasksAsked(referral, options);
  const filing = filingTasks(referral, options);
  // What is urgent for the patient is before what is only for the files; a letter to keep is before all.
  const tasks = options.replacesLetterOf ? [...asked, ...filing] : [...filing, ...asked];
  const kind = actionStatus(referral, options);
  const mustBeRead = kind === 'tasks' || kind === 'to-read';
  const news = newsTasks(referral, options);
  const forClerk = clerkTasks(referral, options, kind);
  const said = kind === 'to-read' ? undefined : wordsOfBox(referral, options, kind);
  return {
    heading: headingOfBox(referral, options, {
      kind,
      hasNews: news.length > 0,
      isFiled: forClerk.length > 0,
    }),
    tasks: [...clinicianTasks(referral, options, kind), ...news, ...tasks, ...forClerk],
    warnings: [...urgencyRaised(referral, options), ...warningsOfBox(referral, options)],
    words: [...(said === undefined ? [] : [said]), ...filingWords(referral, options)],
    mustBeRead,
    weight: weightOfBox(referral, options, kind),
    questions: questionsTo(referral, options),
  };
}

function headingOfBox(
  referral: Referral,
  options: PracticeLetterOptions,
  { kind, hasNews, isFiled }: { kind: BoxLine; hasNews: boolean; isFiled: boolean },
): string {
  if (kind === 'tasks') return headingOfTasks(referral, options);
  if (kind === 'to-read') return headings[kind];
  if (hasNews) return 'Something has changed: ring and ask';
  // What a clerk does is work too, so such a letter must not say that there is nothing to do.
  if (isFiled) return 'To do when you file this';
  return headings[newCodes(referral, options).length > 0 ? 'code' : kind];
}

/** First in the box: a practice that knew the referral as routine need not find it among the changes. */
function urgencyRaised(referral: Referral, options: PracticeLetterOptions): string[] {
  const isOpen = options.purpose === 'referral' && hasWarnings(referral);
  return isOpen && isUrgentNow(options) ? ['The referral is now urgent. It was routine.'] : [];
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
  options: PracticeLetterOptions,
  kind: BoxLine,
): NonNullable<ActionBox['weight']> {
  const isAsked = tasksAsked(referral, options).length > 0;
  const isOpenDanger = kind === 'to-read' || (options.purpose === 'referral' && hasWarnings(referral));
  if (isOpenDanger && dangers(referral, options).length > 0) return 'danger';
  const hasWarning =
    warningsOfBox(referral, options).length > 0 || (hasWarnings(referral) && hasNewsSinceAnswer(options));
  const mustRestrict = restrictTasks(referral, options).length > 0;
  return kind === 'to-read' || isAsked || mustRestrict || hasWarning ? 'action' : 'plain';
}

function warningsOfBox(referral: Referral, options: PracticeLetterOptions): string[] {
  if (!hasWarnings(referral)) return [];
  const wasNotReached = options.purpose === 'outcome' && referral.status_reason?.code === 'failed-contact';
  return [
    ...whyForClinician(referral, options),
    ...(wasNotReached ? ['Nobody has reached the patient. How they are is not known here.'] : []),
  ];
}

function wordsOfBox(referral: Referral, options: PracticeLetterOptions, kind: BoxLine): string | undefined {
  if (referral.status === 'entered-in-error') return undefined;
  // The same whether there is something to do or not: that is not in the code that the patient agreed to.
  if (isCodesOnly('gp_practice', referral))
    return 'The patient agreed to a code and no details. If there is something for you to do, the staff who referred will contact you.';
  const hasNews = hasNewsSinceAnswer(options);
  if (hasDied(referral)) return undefined;
  if (wasAnswered(referral, options) && !hasNews) return wordsOfAnswer(referral, options, kind);
  if (endedWithoutHelp(referral, options)) return wordsOfOtherEnd(referral, kind);
  // The step about the news says that nobody said more.
  if (hasNews) return undefined;
  const notSaid = wordsOfSilence(options);
  if (kind === 'tasks') return `${notSaid} else. If you expected something, ask us.`;
  if (kind === 'nothing-asked')
    return `This update asks for nothing. ${notSaid} else. If you expected something, ask us.`;
  return `${notSaid}. If you expected something, ask us.`;
}

/** The reader must not take silence for a no, also beside something else that they have to do. */
function wordsOfSilence({ purpose }: PracticeLetterOptions): string {
  return purpose === 'outcome'
    ? 'When the referral ended, nobody said whether you need to do anything'
    : 'The referral does not say whether you need to do anything';
}

/** Beside the step to read and decide: what anybody asked for. */
function wordsOfReading(referral: Referral, options: PracticeLetterOptions): string {
  if (wasAnswered(referral, options))
    return `${whoAnswered(referral, options)} asked you for nothing${hasNewsSinceAnswer(options) ? ', before this was known' : ''}`;
  if (endedWithoutHelp(referral, options)) return 'Nobody asked you for anything';
  return wordsOfSilence(options);
}

function whoAnswered({ content: { referrer } }: Referral, { purpose }: PracticeLetterOptions): string {
  return purpose === 'outcome' ? 'The service' : `${referrer.name}, who referred,`;
}

/** Who said that there is nothing to do. */
function wordsOfAnswer(
  referral: Referral,
  options: PracticeLetterOptions,
  kind: BoxLine,
): string | undefined {
  const who = whoAnswered(referral, options);
  return kind === 'nothing' || kind === 'nothing-asked' ? `${who} asked for nothing.` : undefined;
}

/** After an end in which nobody was asked what the practice has to do. */
function wordsOfOtherEnd(referral: Referral, kind: BoxLine): string {
  const next = `The referral has ended. ${referral.content.referrer.name}, who referred, decides what follows.`;
  // What the referrer asked may be done by now.
  if (kind === 'tasks' || referral.content.gp_actions?.length)
    return `${next} Nobody asked you for anything else.`;
  return `${next} Neither the service nor the referrer asked you for anything.`;
}

/** What to do with codes when filing: no action, but nobody must overlook it. */
function filingWords(referral: Referral, options: PracticeLetterOptions): string[] {
  if (referral.status === 'entered-in-error' || isCodesOnly('gp_practice', referral)) return [];
  const names = newCodes(referral, options).map(([, display]) => `“${display}”`);
  // By its words alone: a number that stands twice in a letter may be filed twice.
  return names.length === 0
    ? []
    : [
        `${names.length === 1 ? 'One new code' : 'New codes'} to file: ${names.join(' and ')}. See “Codes to file”.`,
      ];
}
