import { localTime } from '../library/index.ts';
import type { FieldError } from '../platform/problem/index.ts';
import { measureErrors } from './measures.ts';
import type { ActionBody } from './take-action.ts';

/** What the schema of an action cannot see. */
export function answerProblems({ outcome, expected_date }: ActionBody, now: Date): FieldError[] {
  const errors = measureErrors(outcome?.measures ?? []);
  if (expected_date !== undefined && expected_date < localTime(now).day.date)
    errors.push({ pointer: '/expected_date', message: 'must not be in the past' });
  return errors;
}
