import { readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import { describeErrors, validatorOf } from '../../../platform/http/index.ts';
import { withoutUndefined } from '../../../platform/objects.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { type Correction, correctionSchema } from '../../corrections/correction.ts';
import { type Goal, goalResultItems, needGroups } from '../../model/person/needs.ts';
import { errorText, type FormErrors, formErrors } from '../form-errors.ts';

// The fields of the form of the goals, for people with an account and for those who answer by link.

export type GoalRow = { text: string; need: string; result: string };

export const maxGoals = 20;
const spareRows = 3;
const emptyGoal = 'Enter the goal. To take it away, choose “Not said” and “Not said yet” for it';

type ReadGoals = { rows: GoalRow[]; goals: NonNullable<Correction['goals']>; errors?: FormErrors };

/** Reads the rows of the form. A row where all is emptied takes its goal away. */
export function readGoals(body: unknown): ReadGoals {
  const rows = readRows(body);
  const filled = rows.filter(hasAnything);
  const goals = filled.map(goalFrom) as ReadGoals['goals'];
  const schemaErrors = describeErrors(validatorOf(correctionSchema).Errors({ goals }), '');
  if (schemaErrors.length === 0) return { rows, goals };
  return { rows, goals, errors: explain(schemaErrors, (index) => rows.indexOf(filled[index]!)) };
}

/** What the form shows: the rows that were sent, or those of the goals, and some that are empty. */
export function goalsForm(goals: readonly Goal[], submittedRows?: readonly GoalRow[]) {
  const shown = Math.min(goals.length + spareRows, maxGoals);
  const rows = submittedRows ?? goals.map(({ text, need = '', result = '' }) => ({ text, need, result }));
  const used = rows.findLastIndex(hasAnything) + 1;
  return {
    rows: Array.from(
      { length: Math.max(shown, used) },
      (_, index) => rows[index] ?? { text: '', need: '', result: '' },
    ),
    /** The rows with something in them, and the next one. */
    unfolded: used + 1,
    needItems: needGroups.flatMap(({ items }) => items),
    resultItems: goalResultItems,
  };
}

/** What a goal is about, or whether it was met, is not dropped because its words are missing. */
function hasAnything({ text, need, result }: GoalRow): boolean {
  return [text, need, result].some((each) => trimToUndefined(each) !== undefined);
}

function readRows(body: unknown): GoalRow[] {
  return Array.from({ length: maxGoals }, (_, index) => {
    const names = (['text', 'need', 'result'] as const).map((part) => `goal_${index + 1}_${part}`);
    const values = readUntrimmedFields(body, names);
    return { text: values[names[0]!]!, need: values[names[1]!]!, result: values[names[2]!]! };
  });
}

function goalFrom({ text, need, result }: GoalRow): object {
  return {
    text: trimToUndefined(text) ?? '',
    ...withoutUndefined({ need: trimToUndefined(need), result: trimToUndefined(result) }),
  };
}

/** @param rowOf the row of the form that a goal was read from */
function explain(errors: readonly FieldError[], rowOf: (index: number) => number): FormErrors {
  const names = Array.from({ length: maxGoals }, (_, index) => `goal_${index + 1}_text`);
  const field = { label: 'The goal', empty: emptyGoal };
  return formErrors(
    names,
    errors.map((error) => {
      const index = Number(/^\/goals\/(\d+)/.exec(error.pointer)?.[1] ?? 0);
      const isText = error.pointer.endsWith('/text');
      return {
        field: names[rowOf(index)],
        text: errorText(field, isText && error.code === 'minLength' ? '' : 'typed', error),
      };
    }),
  );
}
