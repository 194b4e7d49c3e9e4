/** What is tried. */
export type AttemptKind = 'sign-in' | 'step-up' | 'code' | 'reset';

/**
 * What attempts are counted by: `here` is one account from one network, which hits whoever guesses and nobody else;
 * `account` is one account from everywhere; `network` is everything from one network, where a whole office may sit.
 */
export type Gate = 'here' | 'account' | 'network';
export const gates = ['here', 'account', 'network'] as const satisfies readonly Gate[];

/** So many attempts a day are free. Each one more closes the gate, for a second first, then twice as long each time. */
type Limit = { free: number; maxSeconds: number };

const minute = 60;
const password = {
  here: { free: 5, maxSeconds: 15 * minute },
  account: { free: 50, maxSeconds: minute },
  network: { free: 300, maxSeconds: minute },
};

/** Why these: docs/decisions/0012-signing-in.md. */
export const limits: Readonly<Record<AttemptKind, Readonly<Record<Gate, Limit>>>> = {
  'sign-in': password,
  'step-up': password,
  // Six digits are guessed a million times sooner than a password: all of an account's tries together are few.
  code: { ...password, account: { free: 10, maxSeconds: 60 * minute } },
  // Each sends an email to somebody who may not have asked for it.
  reset: {
    here: { free: 3, maxSeconds: 15 * minute },
    account: { free: 10, maxSeconds: 15 * minute },
    network: { free: 50, maxSeconds: minute },
  },
};

export type Throttle = {
  readonly key: Buffer;
  readonly since: Date;
  readonly attempts: number;
  readonly openAt: Date;
  readonly trustedUntil: Date | null;
};

const day = 24 * 60 * 60_000;
export const countedForMs = day;
export const vouchedForMs = 90 * day;

/**
 * How long until an attempt may be made. Where the account's holder was not long ago, only what is tried on this
 * account from there counts: others cannot keep them out by guessing from elsewhere, or at other accounts.
 */
export function waitMs(throttles: Readonly<Partial<Record<Gate, Throttle>>>, now: Date): number {
  const { here, account, network } = throttles;
  const vouched = here?.trustedUntil != null && here.trustedUntil > now;
  const closed = vouched ? [here] : [here, account, network];
  return Math.max(0, ...closed.map((each) => (each ? each.openAt.getTime() - now.getTime() : 0)));
}

/**
 * When a gate that nothing has closed was opened. Not the moment of an attempt: one that began just before it, and was
 * overtaken, would find the gate closed.
 */
export const alwaysOpen = new Date(0);

/** The throttle after one more attempt. */
export function countAttempt(throttle: Throttle, limit: Limit, now: Date): Throttle {
  const isNewDay = now.getTime() - throttle.since.getTime() >= countedForMs;
  const attempts = (isNewDay ? 0 : throttle.attempts) + 1;
  const counted = { ...throttle, since: isNewDay ? now : throttle.since, attempts };
  const tooMany = attempts - limit.free;
  if (tooMany < 0) return counted;
  const pauseMs = 1000 * Math.min(2 ** tooMany, limit.maxSeconds);
  const openAt = new Date(Math.max(throttle.openAt.getTime(), now.getTime() + pauseMs));
  return { ...counted, openAt };
}
