import { lowerFirst } from '../../../../platform/first-letter.ts';
import { changedNeeds, correctedContactDetails, hasNewContact } from '../../changes.ts';
import type { BoxKind, Task } from '../../letter.ts';
import { lettersInShort } from '../../letter-order.ts';
import { ringReferrer } from '../../whom-to-ask.ts';
import { dateWithWeekday, paragraphsOf } from '../../words.ts';
import { hasLimits } from '../contact-limits.ts';
import { nobodyReachedPatient } from '../dangers.ts';
import { isDeathTakenBack } from '../death.ts';
import { mustHide } from '../hide-online.ts';
import { hasNameToFind } from '../identity-lines.ts';
import { hasUrgentLifeChange, lifeChangeDueBy } from '../life-changes.ts';
import type { GpAction, PreparedLetter } from '../prepare-letter.ts';
import { isSentTwice } from '../removal-notice.ts';
import { hasTaskAboutSymptom } from '../tasks/clinician-tasks.ts';
import { restrictionTasks, wasAskedToRemove } from '../tasks/correction-tasks.ts';
import { hasMovedAway, hasSafetyNoteForRecord, noteOnRecord } from '../tasks/reception-tasks.ts';
import { verbForLimits } from '../tasks/record-limits.ts';
import {
  isAboutAbuse,
  limitBeforeTask,
  mustNotSend,
  requestedTasks,
  withLead,
} from '../tasks/requested-tasks.ts';
import { atOnce, soon, whenFiling } from '../tasks/task.ts';
import { whenClinicianSees, worseMeasuresInWords } from '../who-sees.ts';
import { startOfTasks } from './box-kind.ts';

const nothingAsked = 'No action asked for – for the record';

const headings: Readonly<Record<BoxKind, string>> = {
  tasks: 'Action for the GP practice',
  'clinician-reads-today': 'A clinician must read this today',
  'clinician-sees-today': 'For a clinician to see today: read this and decide whether to act',
  'clinician-sees-when-filed': 'For a clinician to see within 2 working days',
  'not-said': nothingAsked,
  'later-letter-without-task': nothingAsked,
  'said-nothing-to-do': nothingAsked,
  'code-to-file': nothingAsked,
  'no-new-code': nothingAsked,
};

export function boxHeading(
  letter: PreparedLetter,
  kind: BoxKind,
  { hasReceptionTasks }: { hasReceptionTasks: boolean },
): string {
  if (kind === 'tasks') return headingOfTasks(letter);
  if (kind === 'clinician-reads-today' && letter.crisis) return 'CRISIS – a clinician must read this now';
  if (kind === 'clinician-reads-today') return headingOfDanger(letter);
  if (letter.hasNewsToAsk) return headingOfNews(letter, undefined);
  if (kind === 'clinician-sees-today' && nobodyReachedPatient(letter))
    return 'Nobody reached the patient – a clinician decides today whether to contact them';
  if (kind === 'clinician-sees-today' && letter.referral.urgency !== 'urgent' && hasReceptionTasks)
    return headingOfReception(letter);
  if (kind === 'clinician-sees-when-filed' && hasSafetyNoteForRecord(letter))
    return `Reception, at once: ${noteOnRecord(letter).inHeading}. Then a clinician sees it ${soon}`;
  if (kind === 'clinician-sees-today' || kind === 'clinician-sees-when-filed')
    return [headings[kind], ...worseMeasuresInWords(letter)].join(' – ').replace(/\.$/, '');
  // A letter with work for a clerk must not say that there is nothing to do.
  return hasReceptionTasks ? headingOfReception(letter) : headings[kind];
}

/** The action itself, so that nobody has to look for it among the steps. It names a day only if a task has one. */
function headingOfTasks(letter: PreparedLetter): string {
  const start = startOfTasks(letter);
  if (letter.isRemovalNotice) return headingOfRemoval(letter);
  if (isDeathTakenBack(letter))
    return 'THE PATIENT IS ALIVE – GP or nurse, at once: take the death out of the record';
  if (letter.hasDied && !letter.isCodesOnly)
    return 'Reported death – GP or nurse, at once: check whether the patient is alive';
  const { actions } = letter;
  if (start === 'at once') {
    if (restrictionTasks(letter).length > 0)
      return `Reception, at once: hide our letters online; GP or nurse, today: if our earlier letter asks for anything, ${ringReferrer(letter)}`;
    const todo = ['hide our letters online', ...limitsInHeading(letter)];
    if (letter.hasNewsToAsk)
      return `Reception, ${start}: ${todo.join(', and ')}. ${headingOfNews(letter, undefined)}`;
    const thenClinician = whenClinicianSees(letter) === 'today' ? '. Then a clinician sees it today' : '';
    const then =
      actions.length > 0 ? `. Then ${lowerFirst(headingOfActions(letter, undefined))}` : thenClinician;
    return `Reception, at once: ${todo.join(', and ')}${then}`;
  }
  if (letter.hasNewsToAsk) return headingOfNews(letter, start);
  if (nobodyReachedPatient(letter))
    return 'Nobody reached the patient – a clinician decides today whether to contact them';
  if (actions.length === 0) return headingOfReception(letter);
  return headingOfActions(letter, start);
}

/** Whom to ask, so that nobody leaves it to a clerk. The step has the number. */
function headingOfNews(letter: PreparedLetter, start: 'today' | undefined): string {
  const ring = `ring ${letter.facts?.reported?.at(-1)?.by ?? 'us'} and ask`;
  if (hasUrgentLifeChange(letter)) return `Something has changed – GP or nurse, today: ${ring}`;
  const then = letter.actions.length > 0 ? `. Then ${lowerFirst(headingOfActions(letter, start))}` : '';
  return `Something has changed – GP or nurse, by ${lifeChangeDueBy(letter)}: ${ring}${then}`;
}

/** In the order of the steps: a clinician has to see the letter before a clerk removes it. */
function headingOfRemoval(letter: PreparedLetter): string {
  const isForClinician = requestedTasks(letter).some(({ handsOver }) => handsOver);
  const letters = letter.earlierLetters.map(({ at }) => at);
  const remove = `remove ${lettersInShort(letter, letters)}`;
  const todo = isForClinician ? `show a clinician, then ${remove}` : remove;
  if (letter.purpose === 'removal')
    return `Reception, at once: check if this is your patient. If not, ${todo}`;
  // With a code alone, nobody may learn whether an earlier letter asked for anything.
  const stop =
    isForClinician && !letter.isCodesOnly
      ? `; GP or nurse, at once: stop what was asked${isSentTwice(letter) ? ', unless the other letter asks it too' : ''}`
      : '';
  return `Reception, at once: ${todo} from this patient’s record${stop}`;
}

/** In characters. Longer actions are only in the steps. */
const maxActionsLengthInHeading = 140;

/** “Action for GP or nurse – by Monday 1 March 2027: Check her blood pressure” */
function headingOfActions(letter: PreparedLetter, start: 'today' | undefined): string {
  const { actions } = letter;
  const [due] = actions.flatMap(({ by_date: by }) => by ?? []).toSorted();
  // “No date given” saves a reader from looking for one.
  const when = [
    ...(due === undefined
      ? [hasTaskAboutSymptom(letter) ? 'start today' : 'no date given']
      : [
          `${actions.length > 1 ? 'the first ' : ''}${start === undefined ? 'by' : 'due'} ${dateWithWeekday(due)}`,
        ]),
    ...(start !== undefined && due !== undefined ? ['(urgent)'] : []),
  ].join(' ');
  if (actions.some(isAboutAbuse))
    return `Clinician only – ${when}: decide what is asked below; hide any code for it online too`;
  const who = actions.length === 1 ? 'Action for GP or nurse' : `${actions.length} actions for GP or nurse`;
  const names = actions.map((each) => nameOfAction(letter, each, { isAlone: actions.length === 1 }));
  const what = names.map((name, index) => (index === 0 ? name : withLead('; ', name))).join('');
  return `${who} – ${when}${what.length <= maxActionsLengthInHeading ? `: ${what}` : ''}`;
}

/** The action in a few words. If the patient does not know of it, the heading says so too. */
function nameOfAction(letter: PreparedLetter, action: GpAction, { isAlone }: { isAlone: boolean }): string {
  const text = paragraphsOf(action.text).join(' ').replace(/\.$/, '');
  const words = isAlone ? text : withoutReason(text);
  const mayTell = !letter.isContactUnsafe;
  const first = action.patient_told === false && mayTell ? 'first tell the patient, then: ' : '';
  const name = withLead(`${first}${limitBeforeTask(letter, action)}`, words);
  const isRung = letter.referral.content.contact?.channel === 'telephone';
  return mustNotSend(letter, action) && mayTell && isRung ? `${name} (see limits)` : name;
}

/** “Review her painkillers: they make her drowsy” becomes “Review her painkillers”. The step has the whole. */
function withoutReason(text: string): string {
  const [what] = text.split(': ');
  return what!.split(' ').length < 3 ? text : what!;
}

/** The actions follow, because they stand whatever the clinician decides. */
function headingOfDanger(letter: PreparedLetter): string {
  const read = headings['clinician-reads-today'];
  return letter.actions.length === 0
    ? read
    : `${read}. Then ${lowerFirst(headingOfActions(letter, undefined))}`;
}

/** What a clerk has to do, and when. “Mark our earlier letter as superseded” stands only if there is nothing else. */
function headingOfReception(letter: PreparedLetter): string {
  if (hasMovedAway(letter))
    return `Reception only, ${whenFiling}: check the address – the patient has moved away`;
  const isInCodes = letter.isCodesOnly;
  const corrected = letter.replacesLetterOf ? correctedContactDetails(letter) : [];
  const needs = isInCodes ? undefined : changedNeeds(letter);
  const now = [
    ...(mustHide(letter) ? ['hide this letter from the online record'] : []),
    ...(isInCodes ? ['put a note on the record'] : []),
    ...limitsInHeading(letter),
  ];
  const filing = [
    ...(wasAskedToRemove(letter) ? ['keep this letter'] : []),
    ...(corrected.length > 0 ? [`check the ${corrected.join(' and ')}`] : []),
    ...(needs === undefined ? [] : [`put the ${needs} on the record`]),
    ...(letter.facts?.withdrawnBefore ? ['check that a withdrawn letter is gone'] : []),
    ...(letter.facts?.otherLettersOfDay?.length ? ['put it beside another letter'] : []),
    ...(hasNameToFind(letter.referral.content.patient) ? [] : ['find the patient by NHS number']),
  ];
  if (now.length === 0 && filing.length === 0 && letter.replacesLetterOf)
    filing.push('mark our earlier letter as superseded');
  const steps = [
    ...(now.length > 0 ? [`${atOnce}: ${listOf(now)}`] : []),
    ...(filing.length > 0 ? [`${whenFiling}: ${listOf(filing)}`] : []),
  ].join('; ');
  if (whenClinicianSees(letter) === 'today')
    return now.length > 0
      ? `Reception, ${steps}. Then a clinician sees this today`
      : `${headings['clinician-sees-today']}. Reception, ${steps}`;
  return `Reception only, ${steps === '' ? `${whenFiling}: see the steps` : steps}`;
}

function listOf(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}

/** What a clerk does about how to contact the patient. */
function limitsInHeading(letter: PreparedLetter): string[] {
  if (hasLimits(letter)) return [`${verbForLimits(letter)} the contact limits on the record`];
  return hasNewContact(letter) && !letter.isCodesOnly ? ['change how to contact the patient'] : [];
}

/** Adds what a clerk has to do at once, unless the heading says so: a clerk who sorts letters by their headings would miss it. */
export function withReceptionSteps(heading: string, tasks: readonly Task[]): string {
  if (heading.includes('Reception')) return heading;
  const todo = tasks.flatMap(({ when, inHeading }) => (when === atOnce && inHeading ? [inHeading] : []));
  return todo.length === 0 ? heading : `${heading}. Reception, at once: ${[...new Set(todo)].join(', ')}`;
}
