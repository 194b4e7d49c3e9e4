import { isRiskToRead, partsWithCrisis, type Referral, whoAnsweredGpActions } from '../../referrals/index.ts';
import { isCodesOnly, type LetterFacts } from '../model/delivery.ts';
import type { ActionBox, ActionStatus, LetterOptions, Task } from './letter.ts';
import { dateInWords, listed, momentAsDay, paragraphsOf, unbroken } from './words.ts';

/** What the practice has to do, for the letter and for the words around it. */
function tasksForPractice(
  referral: Referral,
  options: Pick<LetterOptions, 'site' | 'purpose' | 'facts'>,
): Task[] {
  if (referral.status === 'entered-in-error') return removalTasks(referral, options);
  const asked = actionsAsked(referral, options).map(
    ({ text, by_date, asked_by, asked_with, patient_told }): Task => ({
      text: `${by_date === undefined ? '' : `By ${dateInWords(by_date)}: `}${paragraphsOf(text).join('\n')}`,
      details: [
        ...(by_date === undefined ? ['No date was given'] : []),
        `${by_date === undefined ? 'asked' : 'Asked'} by ${withTelephone(asked_by, asked_with, options.facts)}`,
        patient_told === undefined
          ? 'not known whether the patient was told'
          : `the patient was ${patient_told ? '' : 'not '}told`,
      ].join('; '),
    }),
  );
  return [...keepTasks(referral, options), ...deathTasks(referral, options), ...asked];
}

/**
 * The practice was asked to remove its letter, and is the right one after all. Both letters may be of one day and have one reference,
 * so without this somebody who files them later removes the one that holds.
 */
function keepTasks({ reference }: Referral, { facts }: Pick<LetterOptions, 'facts'>): Task[] {
  if (!facts?.removalAskedOn || facts.earlierLetters.length > 0) return [];
  const text = `Keep this letter. It replaces our request of ${momentAsDay(facts.removalAskedOn)} to remove our letter with the reference ${reference}: your practice was the right one.`;
  return [{ text, details: 'Also if you read that request after this letter' }];
}

/** The practice can ask back by telephone. What was asked with the referral was asked by its referrer. */
function withTelephone(askedBy: string, askedWith: string, facts: LetterOptions['facts']): string {
  const hasTelephone = /\d{4}/.test(askedBy);
  return hasTelephone || askedWith === 'referral' ? askedBy : listed(askedBy, telephoneOf(facts));
}

/** Whom the practice answers: the site's contact, or else the person whose change the letter tells of. */
function whoToTell(referral: Referral, { site, facts }: Pick<LetterOptions, 'site' | 'facts'>): string {
  if (site.operatorContact) return site.operatorContact;
  if (!facts?.by?.organisation) return `the people who run ${site.siteName}`;
  return whoMadeChange(referral, facts, facts.by);
}

/** The person whose change the letter tells of, with a telephone number: their own, or else that of their side. */
function whoMadeChange(
  { content: { referrer } }: Referral,
  facts: LetterFacts,
  { name, organisation, telephone, email }: NonNullable<LetterFacts['by']>,
): string {
  if (organisation !== null && organisation !== referrer.organisation)
    return listed(name, organisation, unbroken(telephone) ?? telephoneOf(facts));
  const ofReferrer = unbroken(referrer.telephone ?? facts.referrerTelephone);
  const instead = name === referrer.name ? ofReferrer : ofReferrer && `or ${referrer.name}, ${ofReferrer}`;
  // Without any telephone number, at least an address.
  return listed(
    name,
    organisation,
    unbroken(telephone) ?? (organisation === null ? undefined : (instead ?? email)),
  );
}

/** A death that was told by mistake must not stay in the patient's record. */
function deathTasks(referral: Referral, options: Pick<LetterOptions, 'site' | 'facts'>): Task[] {
  if (isCodesOnly('gp_practice', referral)) return [];
  const { status_reason: reason } = referral;
  const { death_mistake: mistake } = referral.content;
  if (reason?.code === 'died')
    return [
      {
        text: 'We were told that the patient has died; please tell us if not.',
        details: `${whatWasTold(referral, options)} We have not confirmed it: code no death from this letter. If the patient is alive, tell ${whoToTell(referral, options)} at once`,
      },
    ];
  if (!mistake || !wasToldOfDeath(referral, options)) return [];
  const text = `Our letter of ${momentAsDay(mistake.told_at)} said that the patient has died. That was a mistake: the patient is alive. Please correct your record.`;
  return [{ text, details: 'At once' }];
}

/** When the patient died, as far as somebody said, and who told it. */
function whatWasTold({ versionAt }: Referral, { facts }: Pick<LetterOptions, 'facts'>): string {
  const { date, toldBy, reportedAt } = facts?.death ?? {};
  return [
    `Date of death: ${date ? dateInWords(date) : 'not known'}.`,
    `Told by: ${toldBy ?? 'not stated'}, on ${momentAsDay(reportedAt ?? versionAt)}.`,
  ].join(' ');
}

/** Whether this practice had a letter that said by mistake that the patient has died. One that was stopped in time has told nobody. */
export function wasToldOfDeath(
  { content: { death_mistake: mistake } }: Referral,
  { facts }: Pick<LetterOptions, 'facts'>,
): boolean {
  if (!mistake) return false;
  return !facts || facts.earlierLetters.some((sent) => new Date(sent) >= new Date(mistake.told_at));
}

/** What the practice is asked in this letter. */
export function actionsAsked(
  referral: Referral,
  { purpose, facts }: Pick<LetterOptions, 'purpose' | 'facts'>,
): NonNullable<Referral['content']['gp_actions']> {
  if (referral.status === 'entered-in-error' || isCodesOnly('gp_practice', referral)) return [];
  return (referral.content.gp_actions ?? []).filter(({ asked_with, done_by_hand }) => {
    if (purpose === 'referral') return asked_with === 'referral' && !done_by_hand;
    // What was asked at first is repeated until somebody has confirmed it.
    return asked_with === 'outcome' || !(done_by_hand || facts?.isFirstConfirmed);
  });
}

function removalTasks(referral: Referral, { site, facts }: Pick<LetterOptions, 'site' | 'facts'>): Task[] {
  const asked = facts?.by ? `; asked by ${whoMadeChange(referral, facts, facts.by)}` : '';
  const earlierLetters = facts?.earlierLetters ?? [];
  const areMany = earlierLetters.length > 1;
  const days = [...new Set(earlierLetters.map((date) => momentAsDay(date)))].join(' and ');
  return [
    {
      text: `Remove our ${areMany ? 'letters' : 'letter'}${days && ` of ${days}`}, reference ${referral.reference}, and each code filed from ${areMany ? 'them' : 'it'}, from this patient’s record.`,
      details: `At once${asked}. Keep this notice`,
    },
    {
      text: `Do nothing that ${areMany ? 'they' : 'it'} asked you to do.`,
      details: 'If you have done it already, tell us',
    },
    {
      text: `Confirm to ${whoToTell(referral, { site, facts })} that this is done.`,
      details: 'Once you have removed it',
    },
  ];
}

/** What the practice has to do. The box at the top of the letter says it, and so does the message around the letter. */
export function actionStatus(referral: Referral, options: LetterOptions): ActionStatus {
  if (tasksForPractice(referral, options).length > 0) return 'tasks';
  if (isCodesOnly('gp_practice', referral)) return 'code';
  if (wasAnswered(referral, options)) return 'nothing';
  return isForClinician(referral, options) ? 'to-read' : 'not-said';
}

/** Whether the side that this letter comes from said what the practice has to do, or that there is nothing. */
function wasAnswered({ content }: Referral, { purpose }: Pick<LetterOptions, 'purpose'>): boolean {
  return whoAnsweredGpActions(content).includes(purpose === 'outcome' ? 'outcome' : 'referral');
}

/**
 * Most letters in which nobody said what to do need nothing done, and a practice that is told each time that a clinician must read
 * them soon stops reading. So only letters about danger ask for it.
 */
function isForClinician({ content, outcome, status_reason }: Referral, { site }: LetterOptions): boolean {
  const { safety_notes, safety_notes_for_practice } = content;
  const end = { reasons: [outcome, status_reason].filter((each) => each !== null) };
  return (
    Boolean(safety_notes && safety_notes_for_practice) ||
    isRiskToRead(content, site.crisisPhrases) ||
    partsWithCrisis(end, site.crisisPhrases).length > 0
  );
}

const headings: Readonly<Record<ActionStatus, string>> = {
  tasks: 'Action for the GP practice – by when',
  'to-read': 'Action not known – a clinician must read this',
  'not-said': 'Action not stated – see below',
  nothing: 'No action needed – for the record',
  code: 'For the record – one code to file',
};

export function actionBox(referral: Referral, options: LetterOptions): ActionBox {
  const tasks = tasksForPractice(referral, options);
  const kind = actionStatus(referral, options);
  const words = wordsOfBox(referral, options, kind);
  return {
    heading: headings[kind],
    tasks,
    ...(words !== undefined && { words }),
    mustBeRead: kind === 'tasks' || kind === 'to-read',
  };
}

function wordsOfBox(referral: Referral, options: LetterOptions, kind: ActionStatus): string | undefined {
  if (referral.status === 'entered-in-error') return undefined;
  // The same whether there is something to do or not: that is not in the code that the patient agreed to.
  if (isCodesOnly('gp_practice', referral))
    return 'The patient agreed to a code and no details. If there is something for you to do, the staff who referred will contact you.';
  if (wasAnswered(referral, options) || referral.status_reason?.code === 'died') return undefined;
  // The reader must not take silence for a no, also beside something else that they have to do.
  const isEnd = options.purpose === 'outcome';
  const notSaid = isEnd
    ? 'When the referral ended, nobody said whether you need to do anything'
    : 'The referral does not say whether you need to do anything';
  if (kind === 'tasks') return `${notSaid} else.`;
  if (kind === 'to-read') return `${notSaid}. A clinician must read this letter and decide.`;
  return `${notSaid}. ${isEnd ? 'The summary below says how it ended.' : 'Below it says why the patient was referred.'}`;
}

export function telephoneOf(facts: LetterOptions['facts']): string | undefined {
  return unbroken(facts?.serviceTelephone);
}
