import { hourMs } from '../../platform/durations.ts';

/** The troubles that a test site can play on a client system, in words for the API document. */
export const troubleWords = {
  'expire-token': 'The access token of the call expires, and the call is answered 401.',
  'end-tokens':
    'All access tokens of the account end, as when somebody makes new keys, and the call is answered 401. The refresh token stays.',
  'too-many-requests': 'The call is answered 429, with Retry-After.',
  unavailable: 'The call is answered 503, with Retry-After.',
  'lose-answer': 'The call is carried out, and the connection is closed without an answer.',
  slow: 'The call is carried out, and its answer is delayed.',
  'event-gap': 'Reading events `after` one is answered 410, as after 30 days.',
  'webhook-failing': 'A call to a webhook of the account fails, as if your system had answered 500.',
} as const;

export type TroubleKind = keyof typeof troubleWords;

export const troubleKinds = Object.keys(troubleWords) as TroubleKind[];

/** Troubles that can be played on any call of the API. The other two are for reading events and for webhooks. */
export const troublesOfCalls: readonly TroubleKind[] = troubleKinds.filter(
  (kind) => kind !== 'event-gap' && kind !== 'webhook-failing',
);

/** Troubles of exchanging a refresh token. The call has no access token that could end. */
export const troublesOfRefresh: readonly TroubleKind[] = troublesOfCalls.filter(
  (kind) => kind !== 'expire-token' && kind !== 'end-tokens',
);

export const refreshOperation = 'refreshToken';
export const eventsOperation = 'listEvents';

/** The kinds that take `retry_after`: with Retry-After, or with a pause. */
export const timedTroubles: readonly TroubleKind[] = ['too-many-requests', 'unavailable', 'slow'];

export const defaultSeconds = 5;
export const maxSeconds = 60;
export const maxCalls = 1000;
export const maxTroubles = 20;

/** How long a trouble lasts: not long, so that a forgotten one does not puzzle colleagues the next day. */
export const troubleLifetimeMs = hourMs;

/** A trouble that is played on the next calls of an account. */
export type Trouble = {
  id: string;
  kind: TroubleKind;
  /** The operation whose calls fail; null for any. */
  operationId: string | null;
  /** On how many calls the trouble is to be played, and on how many it has been. */
  calls: number;
  played: number;
  seconds: number | null;
  createdAt: Date;
  endsAt: Date;
};
