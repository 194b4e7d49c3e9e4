import { upperFirst } from '../../../../platform/first-letter.ts';
import type { Task } from '../../letter.ts';

/** The time of a step that can wait until a clerk files the letter. */
export const whenFiling = 'when you file this';

type More = Pick<Task, 'details' | 'warning' | 'inHeading'>;

/** By when a clinician sees a letter that is not for today. Filing may take a week. */
export const soon = 'within 2 working days';

/** In a removal notice: a clinician has to see the letter before it is gone. */
export const onceSeen = 'the same day, after a clinician has seen it';

/** The time of a step that waits for another step begins with this word. */
const onceDone = 'once ';

/** The time of a step that comes before anything else. */
export const atOnce = 'at once';

/** A step for the clerk who opens and files the post, “Today: …”. The box has these steps under “Reception”. */
export function clerkTask(when: string | undefined, what: string, more: More = {}): Task {
  return taskOf('clerk', when, what, more);
}

/** A step for a clinician. The box has these steps under “GP or nurse”. */
export function clinicianTask(when: string | undefined, what: string, more: More = {}): Task {
  return taskOf('clinician', when, what, more);
}

/** Somebody who opens a letter late must not think that it is too late to act. */
export const wheneverOpened = 'Do this even if you open it days later';

/** A clerk gives the letter to a clinician. `what` ends without a full stop. */
export function handOverTask(when: string, what = 'this letter to a clinician', more: More = {}): Task {
  const late = when === 'today' ? { details: wheneverOpened } : {};
  return { ...clerkTask(when, `give ${what}.`, { ...late, ...more }), handsOver: true };
}

/** The same, if a clinician only has to see it. */
export function showTask(when: string): Task {
  return clerkTask(
    when,
    'show this letter to a clinician.',
    when === 'today' ? { details: wheneverOpened } : {},
  );
}

function taskOf(role: NonNullable<Task['role']>, when: string | undefined, what: string, more: More): Task {
  const text = when === undefined ? upperFirst(what) : `${upperFirst(when)}: ${what}`;
  return { role, ...(when !== undefined && { when }), text, ...more };
}

/** The order of the steps by their time. A step that waits for another one, “once this is done”, is last. */
const soonest: readonly string[] = ['now', 'first', atOnce, onceSeen, 'today', soon, whenFiling];

/** First the steps of a clerk, the most urgent first; then those of a clinician, in their order; last what waits for those. */
export function inOrder(tasks: readonly Task[]): Task[] {
  const rank = ({ when = whenFiling }: Task) =>
    soonest.includes(when) ? soonest.indexOf(when) : soonest.length;
  const waits = ({ when, role }: Task) => role === 'clerk' && when?.startsWith(onceDone) === true;
  const ofClerk = tasks.filter((each) => each.role === 'clerk' && !waits(each));
  // To hide a letter takes a minute, and a clinician may take hours.
  const isLater = ({ when, handsOver }: Task) => Number(when === atOnce && handsOver === true);
  return [
    ...ofClerk.toSorted((one, other) => rank(one) - rank(other) || isLater(one) - isLater(other)),
    ...tasks.filter(({ role }) => role !== 'clerk'),
    ...tasks.filter(waits),
  ];
}
