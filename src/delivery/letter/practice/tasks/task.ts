import { upperFirst } from '../../../../platform/first-letter.ts';
import type { Task } from '../../letter.ts';

/** What waits for the day on which the letter is filed. */
export const whenFiling = 'when you file this';

type More = Pick<Task, 'details' | 'warning' | 'inHeading'>;

/** By when a clinician sees what is not for today: filing may take a week. */
export const soon = 'within 2 working days';

/** In a notice of a mistake: a letter that is gone shows no clinician what it asked. */
export const onceSeen = 'the same day, after a clinician has seen it';

/** How the time of a step begins that waits for another one, perhaps of somebody else. */
const onceDone = 'once ';

/** When nothing may happen before it. */
export const atOnce = 'at once';

/** For the person who opens and files the post, “Today: …”: the box has these steps under “Reception”. */
export function clerkTask(when: string | undefined, what: string, more: More = {}): Task {
  return taskOf('clerk', when, what, more);
}

/** The same under “GP or nurse”. */
export function clinicianTask(when: string | undefined, what: string, more: More = {}): Task {
  return taskOf('clinician', when, what, more);
}

/** A reader who opens a letter after its day must not think that it is too late. */
export const wheneverOpened = 'Do this even if you open it days later';

/** The clerk who opens the post is seldom the person who can judge it. `what`: also with words that follow. */
export function handOverTask(when: string, what = 'this letter to a clinician', more: More = {}): Task {
  const late = when === 'today' ? { details: wheneverOpened } : {};
  return { ...clerkTask(when, `give ${what}.`, { ...late, ...more }), handsOver: true };
}

/** The same where a clinician only has to see it. */
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

/** In which order somebody does what has such a time. What depends on another step, “once this is done”, is last. */
const soonest: readonly string[] = ['now', 'first', atOnce, onceSeen, 'today', soon, whenFiling];

/** The steps of a clerk in the order of their urgency, after them those of a clinician as they are, and last what waits for those. */
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
