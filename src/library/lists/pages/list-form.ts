import { Type } from 'typebox';
import { type FormProblem, fieldProblem, formProblem, justDone } from '../../../platform/html/index.ts';
import { Problem } from '../../../platform/problem/index.ts';
import { listFull } from '../problems.ts';

export const idParams = Type.Object({ id: Type.String() });
export const anyForm = Type.Object({}, { additionalProperties: true });

export const done = justDone({
  created: 'The list was begun.',
  renamed: 'The list has its new name.',
  deleted: 'The list was deleted. Its services are still in the library.',
  saved: 'The service was saved on this list.',
  off: 'The service was taken off the list.',
});
export const doneQuery = Type.Object({ done: done.query });

export function listPath(id: string): string {
  return `/lists/${id}`;
}

/** What is wrong with the form, for the form to be shown again. @throws whatever cannot be mended in it. */
export function problemOf(error: unknown): FormProblem {
  const isMendable = error instanceof Problem && [409, 422].includes(error.kind.status);
  if (!isMendable) throw error;
  if (error.errors) return formProblem({ name: 'Name' }, error);
  return fieldProblem(error.kind === listFull ? 'list' : 'name', error.kind.title);
}
