import { databaseIsAway } from '../platform/database/index.ts';
import { describeError } from '../platform/log/index.ts';
import { type FieldError, notFound, Problem } from '../platform/problem/index.ts';
import { StartupError } from '../platform/startup-error.ts';
import { Interrupted } from './progress.ts';

const away =
  'The database broke off the connection, or is out of reach. What was stored until then stays. Look whether it runs, then try again.';

/** What whoever ran a command is told of its failure. */
export function whyRefused(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  if (error instanceof Problem) {
    const fields = error.errors?.map(inWords) ?? [];
    const title = error.kind === notFound || error instanceof Interrupted ? '' : `${error.kind.title}. `;
    return [`${title}${error.detail ?? ''}`.trim(), ...fields].join('\n');
  }
  if (databaseIsAway(error)) return away;
  return `A fault of Onward’s own: ${JSON.stringify(describeError(error), null, 2)}`;
}

/** A message that begins like a sentence stands by itself, as on pages. */
function inWords({ pointer, message }: FieldError): string {
  return /^[A-Z]/.test(message) ? `  ${message}` : `  ${pointer.slice(1)} ${message}`;
}
