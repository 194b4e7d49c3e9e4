import type { Task } from '../letter.ts';

/** What waits for the day on which the letter is filed. */
export const whenFiling = 'when you file this';

type More = Pick<Task, 'details' | 'warning'>;

/** “Clerk, today: …” */
export function clerkTask(when: string | undefined, what: string, more: More = {}): Task {
  return taskOf('clerk', when, what, more);
}

/** “GP or nurse, today: …”: beside “Clerk”, the word “Clinician” was taken for it in a hurry. */
export function clinicianTask(when: string | undefined, what: string, more: More = {}): Task {
  return taskOf('clinician', when, what, more);
}

/** Who opens the post is seldom who can judge it. `what`: also with words that follow. */
export function handOverTask(when: string, what = 'this letter to a clinician', more: More = {}): Task {
  return { ...clerkTask(when, `give ${what}.`, more), handsOver: true };
}

function taskOf(role: NonNullable<Task['role']>, when: string | undefined, what: string, more: More): Task {
  const who = role === 'clerk' ? 'Clerk' : 'GP or nurse';
  return { role, text: `${who}${when === undefined ? '' : `, ${when}`}: ${what}`, ...more };
}
