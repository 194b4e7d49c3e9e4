import type { Checked, Schemas } from './operations.ts';

// No error holds a token, an address with values in it, or what was sent: errors end up in logs.

/** Anything that a call may throw, except the reason of an aborted signal and the TypeError of wrong use. */
export class OnwardError extends Error {
  override name = 'OnwardError';
}

/** What is known of the call that failed. */
type FailedCall = {
  operationId: string;
  /** The call changes something and may have been carried out, although no answer says so. */
  mayBeDone: boolean;
  /** Call again with this one to have it done once. */
  idempotencyKey: string | undefined;
};

/** A call failed. */
export abstract class CallError extends OnwardError {
  readonly operationId: string;
  readonly mayBeDone: boolean;
  readonly idempotencyKey: string | undefined;

  constructor({ operationId, mayBeDone, idempotencyKey }: FailedCall, what: string) {
    super(`${operationId}: ${what}`);
    this.operationId = operationId;
    this.mayBeDone = mayBeDone;
    this.idempotencyKey = idempotencyKey;
  }
}

/** No answer came: the network failed, or it took too long. */
export class NoAnswerError extends CallError {
  override name = 'NoAnswerError';

  constructor(call: FailedCall, reason: string) {
    super(call, `no answer (${reason})${call.mayBeDone ? ', so it may have been done or not' : ''}`);
  }
}

export type Problem = Schemas['Problem'];
/** The codes that the site has today. There will be more. */
export type ProblemCode = Schemas['ProblemCode'];
/** Something that is wrong with what was sent. It names the place and the rule, and repeats no value. */
export type FieldError = { readonly pointer: string; readonly message: string };

/** The site refused a call. `code` says why; the site has a page about each code, at `problem.type`. */
export class ProblemError extends CallError {
  override name = 'ProblemError';
  readonly code: ProblemCode;
  readonly status: number;
  /** The whole answer, with the members that some codes add. */
  readonly problem: Problem & Record<string, unknown>;
  /** What is wrong with what was sent, and where, such as `/patient/birth_date`. Empty if the refusal is about something else. */
  readonly errors: readonly FieldError[];
  /** What to quote when you ask for help. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(call: FailedCall, problem: Problem & Record<string, unknown>, retryAfterSeconds?: number) {
    const code = codeOf(problem);
    const errors = problem.errors ?? [];
    const why = [problem.title, problem.detail].filter(Boolean).join('. ');
    super(call, `${problem.status} ${code}: ${why}${inWords(errors)}`);
    this.code = code;
    this.errors = errors;
    this.status = problem.status;
    this.problem = problem;
    this.requestId = problem.request_id;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

function inWords(errors: readonly FieldError[]): string {
  if (errors.length === 0) return '';
  return ` (${errors.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ')})`;
}

/** Older sites have no `code` in their answers. It is also the last part of `type`. */
function codeOf({ code, type }: Partial<Problem>): ProblemCode {
  return code ?? type?.split('/').at(-1) ?? 'unexpected-answer';
}

/**
 * Whether the site refused a call with one of these codes: `isProblem(error, 'possible-duplicate')`. A mistyped code does not
 * compile; one that is newer than this client is any `string`.
 */
export function isProblem<Code extends string>(
  error: unknown,
  ...codes: Checked<Code, ProblemCode>[]
): error is ProblemError {
  return error instanceof ProblemError && (codes.length === 0 || codes.some((code) => code === error.code));
}

/**
 * Events after the one that was named are too old to be kept, or the site was restored from a backup and does not know it. Read
 * your referrals once more, then follow with `after: error.oldestId`.
 */
export class EventsGone extends OnwardError {
  override name = 'EventsGone';
  /** The oldest event that is left; null if there is none, or after a restore: then you follow from the first event. */
  readonly oldestId: string | null;

  constructor(oldestId: string | null) {
    super('Events after the one you named are not there. Read your referrals once more.');
    this.oldestId = oldestId;
  }
}

/** A call to your webhook was not signed by the site, or is too old. */
export class BadSignature extends OnwardError {
  override name = 'BadSignature';
}
