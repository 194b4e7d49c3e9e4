import { readUntrimmedFields } from '../../../platform/html/index.ts';
import type { GoalResults } from '../../corrections/complete-with-goals.ts';
import { type Goal, goalResults } from '../../model/person/needs.ts';
import { maxGoals } from './goals-form.ts';

// What came of each goal, as the form to complete a referral asks it.

const fieldOf = (index: number) => `goal_${index + 1}_result`;
const names = Array.from({ length: maxGoals }, (_, index) => fieldOf(index));

/** What was chosen, by the names of the fields. */
export function readGoalResults(body: unknown): Record<string, string> {
  return readUntrimmedFields(body, names);
}

export function goalResultsFrom(typed: Record<string, string>): GoalResults {
  return names.map((name) => goalResults.find((each) => each === typed[name]));
}

/** The goals with what was chosen, or else with what somebody said before. */
export function goalRowsOf(goals: readonly object[] = [], typed: Record<string, string>) {
  return (goals as readonly Goal[]).map(({ text, result }, index) => {
    const name = fieldOf(index);
    return { name, text, result: typed[name] || result };
  });
}
