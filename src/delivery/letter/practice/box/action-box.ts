import { isUrgentNow } from '../../changes.ts';
import type { ActionBox, BoxKind, Task } from '../../letter.ts';
import { questionsTo, ringReferrer } from '../../whom-to-ask.ts';
import { cutAtSentence, momentAsDay, paragraphsOf } from '../../words.ts';
import { contactLimits } from '../contact-limits.ts';
import {
  dangers,
  howToReach,
  maxReasonLengthInBox,
  noteWarnings,
  reasonInBox,
  wasNotReached,
} from '../dangers.ts';
import { deathWarnings, isDeathTakenBack } from '../death.ts';
import { hasUrgentNewsForPractice, newsTasks } from '../news.ts';
import type { PracticeLetter } from '../prepare-letter.ts';
import { asksAboutSymptom, clinicianTasks, dueWithinWeek } from '../tasks/clinician-tasks.ts';
import { correctionTasks, restrictionTasks } from '../tasks/correction-tasks.ts';
import { receptionTasks } from '../tasks/reception-tasks.ts';
import { requestedTasks } from '../tasks/requested-tasks.ts';
import { clinicianTask, handOverTask, inOrder, showTask, soon } from '../tasks/task.ts';
import {
  atUnsuccessfulEnd,
  endedWithoutHelp,
  sentenceIfNobodySaid,
  sentenceIfNothingAsked,
  wasAnswered,
} from '../what-was-said.ts';
import { isNewSafeguarding, whenClinicianSees, worseMeasuresInWords } from '../who-sees.ts';
import { boxCode } from './box-code.ts';
import { boxHeading, withReceptionSteps } from './box-heading.ts';
import { boxKind, isForAction } from './box-kind.ts';

export function actionBox(letter: PracticeLetter): ActionBox {
  const asked = requestedTasks(letter);
  const filing = correctionTasks(letter);
  const kind = boxKind(letter);
  const news = newsTasks(letter);
  const forClerk = receptionTasks(letter);
  const limits = contactLimits(letter);
  const tasks = withHandOver(whenClinicianSees(letter), [
    ...clinicianTasks(letter, kind),
    ...news,
    ...asked,
    ...filing,
    ...forClerk,
  ]);
  const said =
    kind === 'clinician-reads-today' ? undefined : boxWords(letter, kind, { hasSteps: tasks.length > 0 });
  const action = boxHeading(letter, {
    kind,
    hasNews: news.length > 0,
    isFiled: forClerk.length > 0,
  });
  const heading = [
    ...(isNoHelpInHeading(letter, kind) ? saidNoHelp(letter) : []),
    withReceptionSteps(action, tasks),
  ].join(' ');
  return {
    heading,
    code: boxCode(letter, inOrder(tasks)),
    ...(limits !== undefined && { limits }),
    tasks: inOrder(tasks),
    warnings: [...deathWarnings(letter), ...urgencyRaised(letter), ...boxWarnings(letter, kind)],
    words: [
      ...(isNoHelpInHeading(letter, kind) ? [] : saidNoHelp(letter)),
      ...(putsNoteBelowTasks(letter, kind) ? noteWarnings(letter) : []),
      ...(kind === 'clinician-sees-when-filed' ? [] : worseMeasuresInWords(letter)),
      ...(dangers(letter).length > 0 ? [] : riskNotAsked(letter)),
      ...(said === undefined ? [] : [said]),
    ],
    mustBeRead: isForAction(kind),
    weight: boxWeight(letter, kind),
    questions: questionsTo(letter),
  };
}

/** The clerk who opens the post gives a clinician what is asked of one, or what one has to see. */
function withHandOver(seen: ReturnType<typeof whenClinicianSees>, tasks: readonly Task[]): Task[] {
  if (tasks.some(({ handsOver }) => handsOver)) return [...tasks];
  const when = seen === 'today' ? 'today' : soon;
  if (tasks.some(({ role }) => role === 'clinician')) return [handOverTask(when), ...tasks];
  if (seen === undefined) return [...tasks];
  return [showTask(when), ...tasks, clinicianTask(when, 'read this letter, and decide whether to act.')];
}

/** Danger is the strongest. Something asked for the files alone, such as a corrected number, is plain. */
function boxWeight(letter: PracticeLetter, kind: BoxKind): NonNullable<ActionBox['weight']> {
  const isAsked = requestedTasks(letter).length > 0;
  const isDanger = kind === 'clinician-reads-today' && dangers(letter).length > 0;
  if (isDanger || isDeathTakenBack(letter)) return 'danger';
  if (hasUrgentNewsForPractice(letter) || dueWithinWeek(letter)) return 'danger';
  if (kind === 'tasks' && asksAboutSymptom(letter)) return 'danger';
  const hasWarning =
    urgencyRaised(letter).length > 0 ||
    boxWarnings(letter, kind).length > 0 ||
    (letter.mayWarn && letter.hasNews);
  const mustRestrict = restrictionTasks(letter).length > 0;
  const isSeen = kind === 'clinician-reads-today' || whenClinicianSees(letter) !== undefined;
  return isSeen || isAsked || mustRestrict || hasWarning ? 'action' : 'plain';
}

/** Such news is read first, unless somebody has something to do, or may be in danger. */
function isNoHelpInHeading(letter: PracticeLetter, kind: BoxKind): boolean {
  return kind !== 'clinician-reads-today' && letter.actions.length === 0 && !wasNotReached(letter);
}

/** What the patient said of the help, where nobody of the practice would look for it. */
function saidNoHelp(letter: PracticeLetter): string[] {
  const { purpose, facts } = letter;
  if (purpose !== 'outcome' || !letter.mayWarn || facts?.personSays?.gotHelp !== false) return [];
  return ['The patient said that they did not get help.'];
}

/** First in the box: a practice that knew the referral as routine need not find it among the changes. */
function urgencyRaised(letter: PracticeLetter): string[] {
  if (letter.purpose !== 'referral' || !letter.mayWarn) return [];
  if (isUrgentNow(letter))
    return [
      // A crisis says more, and the changes below say this.
      ...(letter.crisis ? [] : ['The referral is now urgent. It was routine.']),
      // The news is why, and not what was written before it.
      ...(dangers(letter).length === 0 && !letter.hasNews
        ? [
            `Why it became urgent was not written: ${ringReferrer(letter)}.`,
            whyUrgent(letter, `On ${momentAsDay(letter.referral.requested_at)}, `),
          ]
        : []),
    ];
  const isUrgent = letter.referral.urgency === 'urgent' && dangers(letter).length === 0;
  return isUrgent && !letter.hasNews ? [whyUrgent(letter, 'The referral is urgent. ')] : [];
}

/** In the words of who referred. The whole of a long reason stands below. */
function whyUrgent({ referral }: PracticeLetter, lead: string): string {
  const { reasons, referrer } = referral.content;
  const why = paragraphsOf(reasons[0]?.text).join(' ');
  if (why === '') return 'The referral is urgent: see “Reason for referral”.';
  const { words, goesOn } = cutAtSentence(why, maxReasonLengthInBox);
  const more = goesOn ? ' It goes on under “Reason for referral”.' : '';
  return `${lead}${referrer.name} wrote: “${words}”${more}`;
}

function boxWarnings(letter: PracticeLetter, kind: BoxKind): string[] {
  if (!letter.mayWarn) return [];
  return [
    ...dangers(letter),
    ...whySafeguarding(letter),
    ...(putsNoteBelowTasks(letter, kind) ? [] : noteWarnings(letter)),
    ...(wasNotReached(letter) ? ['How the patient is now is not known here.'] : []),
    ...(wasNotReached(letter) && dangers(letter).length === 0
      ? [howToReach(letter)].filter((each) => each !== undefined)
      : []),
  ];
}

/** What somebody asked for by a day comes before a note for those who visit. */
function putsNoteBelowTasks(letter: PracticeLetter, kind: BoxKind): boolean {
  return kind === 'tasks' && letter.mayWarn && letter.actions.some(({ by_date }) => by_date !== undefined);
}

/** Nobody else says in the box why a clinician sees the letter. */
function whySafeguarding(letter: PracticeLetter): string[] {
  if (!isNewSafeguarding(letter) || dangers(letter).length > 0) return [];
  const reason = reasonInBox(letter);
  return [
    'This referral was made to keep the patient or somebody else safe.',
    ...(reason === undefined ? [] : [reason]),
  ];
}

/** “No action asked for” must not sound as if somebody had asked, and there was no risk. */
function riskNotAsked(letter: PracticeLetter): string[] {
  const { purpose } = letter;
  const isNotAsked = purpose === 'referral' && letter.referral.content.risk === 'could_not_ask';
  return isNotAsked && letter.mayWarn ? ['Nobody could ask about risk of serious harm.'] : [];
}

function boxWords(
  letter: PracticeLetter,
  kind: BoxKind,
  { hasSteps }: { hasSteps: boolean },
): string | undefined {
  if (letter.isRemovalNotice) return undefined;
  // The same whether there is something to do or not: that is not in the code that the patient agreed to.
  if (letter.isCodesOnly)
    return restrictionTasks(letter).length > 0
      ? 'The patient now wants you to have only the code, not the details.'
      : 'The patient agreed to a code and no details. If there is something for you to do, the staff who referred will contact you.';
  if (letter.hasDied) return undefined;
  if (wasAnswered(letter) && !letter.hasNews) return sentenceIfNothingAsked(letter, kind);
  if (endedWithoutHelp(letter)) return atUnsuccessfulEnd(letter, { hasSteps });
  // The step about the news says that nobody said more.
  if (letter.hasNews) return undefined;
  return `${sentenceIfNobodySaid({ isBesideTasks: hasSteps })}.`;
}
