import type { TProperties } from 'typebox';

export { pointerTo, prefixPointers } from './pointer.ts';

/**
 * An expected refusal, which the caller can understand and put right (RFC 9457). Any other error is a bug, and becomes a 500
 * that gives no details.
 */
export class Problem extends Error {
  override name = 'Problem';
  readonly kind: ProblemKind;
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Further members of the answer, named in the problem's page. Never a value the caller sent. */
  readonly extra: Readonly<Record<string, unknown>> | undefined;

  constructor(kind: ProblemKind, detail?: string, more: ProblemDetails = {}) {
    super(kind.title);
    this.kind = kind;
    this.detail = detail ?? kind.detail;
    this.errors = more.errors;
    this.headers = more.headers;
    this.extra = more.extra;
  }
}

export type ProblemDetails = {
  errors?: readonly FieldError[];
  headers?: Record<string, string>;
  extra?: Record<string, unknown>;
};

/** One thing wrong with the input: a JSON pointer into the body (or `/query/name`) and what to do about it. */
export type FieldError = {
  readonly pointer: string;
  readonly message: string;
  /** The kind of mistake, for pages that say it in words of their own. Answers of the API do not contain it. */
  readonly code?: string;
};

/** A kind of refusal: its slug is the page under /problems/ that explains it. */
export type ProblemKind = {
  readonly type: string;
  readonly status: number;
  readonly title: string;
  /** The detail of a problem that has none of its own. */
  readonly detail?: string;
  /** What `detail` may say, for the API document, where the words depend on the call. */
  readonly exampleDetail?: string;
  /** What `errors` may say, for the API document. */
  readonly exampleErrors?: readonly FieldError[];
  /** The schemas of the further members that its answers have. */
  readonly members?: TProperties;
};

// Filled while modules load and then constant: each room declares its problems beside its code.
const catalogue = new Map<string, ProblemKind>();

/** Declares a kind of problem, once. A test in `test/rules` requires a page for each in docs/problems. */
export function defineProblem(kind: ProblemKind): ProblemKind {
  if (catalogue.has(kind.type)) throw new Error(`problem ${kind.type} is defined twice`);
  catalogue.set(kind.type, Object.freeze(kind));
  return kind;
}

/** Every kind that has been declared. */
export function allProblems(): ProblemKind[] {
  return [...catalogue.values()];
}

const seeErrors = 'See `errors` for what to change, and where.';

export const badRequest = defineProblem({
  type: 'bad-request',
  status: 400,
  title: 'The request is not as the API expects it',
  detail: 'It could not be read.',
  exampleDetail: seeErrors,
});
export const unprocessable = defineProblem({
  type: 'unprocessable',
  status: 422,
  title: 'Some of the values cannot be used',
});
export const notFound = defineProblem({
  type: 'not-found',
  status: 404,
  title: 'Not found',
  detail: 'It is not there, or it is not yours to see.',
});
export const methodNotAllowed = defineProblem({
  type: 'method-not-allowed',
  status: 405,
  title: 'Method not allowed here',
});
export const forbidden = defineProblem({ type: 'forbidden', status: 403, title: 'You do not have access' });
export const notSameOrigin = defineProblem({
  type: 'cross-site-request',
  status: 403,
  title: 'The form was not sent from this site',
});
export const versionMissing = defineProblem({
  type: 'version-missing',
  status: 428,
  title: 'The If-Match header is missing',
});
export const versionStale = defineProblem({
  type: 'version-stale',
  status: 412,
  title: 'This has changed since you read it',
});
export const tooLarge = defineProblem({ type: 'too-large', status: 413, title: 'The request is too large' });
export const wrongMediaType = defineProblem({
  type: 'unsupported-media-type',
  status: 415,
  title: 'The content type is not one this address takes',
});
export const tooManyRequests = defineProblem({
  type: 'too-many-requests',
  status: 429,
  title: 'Too many requests',
});
export const unavailable = defineProblem({
  type: 'unavailable',
  status: 503,
  title: 'The site cannot answer just now',
});
export const internalError = defineProblem({
  type: 'internal-error',
  status: 500,
  title: 'Something went wrong on our side',
  detail: 'It is noted in the site’s log, under the id of this request.',
});

/** A refusal of input that is wrong in these places. */
export function wrongInput(kind: ProblemKind, errors: readonly FieldError[]): Problem {
  return new Problem(kind, seeErrors, { errors });
}

/**
 * For a form that shows a refusal beside what was typed: throws the error again unless it is one of these refusals. Without
 * `kinds` that is each one below 500.
 */
export function requireRefusal(error: unknown, kinds?: readonly ProblemKind[]): asserts error is Problem {
  if (!(error instanceof Problem)) throw error;
  const isShown = kinds ? kinds.includes(error.kind) : error.kind.status < 500;
  if (!isShown) throw error;
}
