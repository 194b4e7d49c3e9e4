import { dayMs, hourMs, minuteMs, secondMs } from '../../platform/durations.ts';

/** The kinds of attempt that are counted. */
export type AttemptKind =
  | 'sign-in'
  | 'step-up'
  | 'code'
  | 'reset'
  | 'record-request'
  | 'self-referral'
  | 'offline-copy'
  | 'answer-code';

const signInKinds: readonly AttemptKind[] = ['sign-in', 'step-up', 'code', 'reset'];

/** Whether an attempt is a part of signing in. The others are public forms and codes of links. */
export function isSignIn(kind: AttemptKind): boolean {
  return signInKinds.includes(kind);
}

/**
 * Attempts are counted several ways: `accountAndNetwork` is one account from one network, which slows down nobody but the person who
 * guesses; `account` is one account from everywhere; `network` is everything from one network, perhaps a whole office. `site` is
 * everything from everywhere, and only for what anybody may send.
 */
export type Gate = 'accountAndNetwork' | 'account' | 'network' | 'site';
export type PerGate<Value> = Readonly<Record<Exclude<Gate, 'site'>, Value> & { site?: Value }>;

/** After `free` attempts in a day the gate closes for a second, and for twice as long after each further one. */
type Limit = { free: number; maxPauseMs: number };

const password = {
  accountAndNetwork: { free: 5, maxPauseMs: 15 * minuteMs },
  account: { free: 50, maxPauseMs: minuteMs },
  network: { free: 300, maxPauseMs: minuteMs },
};

const unsolicitedEmail = {
  accountAndNetwork: { free: 3, maxPauseMs: 15 * minuteMs },
  account: { free: 10, maxPauseMs: 15 * minuteMs },
  network: { free: 50, maxPauseMs: minuteMs },
};

/** Decision 12 gives the reasons. */
export const limits: Readonly<Record<AttemptKind, PerGate<Limit>>> = {
  'sign-in': password,
  'step-up': password,
  // Six digits are guessed much sooner than a password, so an account has few attempts from everywhere together.
  code: { ...password, account: { free: 10, maxPauseMs: hourMs } },
  // Each attempt sends an email to somebody who may not have asked for it.
  reset: unsolicitedEmail,
  // Each request is emailed to everybody in the organisation, and makes a copy.
  'offline-copy': {
    accountAndNetwork: { free: 20, maxPauseMs: 15 * minuteMs },
    account: { free: 20, maxPauseMs: 15 * minuteMs },
    network: { free: 50, maxPauseMs: minuteMs },
  },
  // Six digits again: a service may have many links, and each has attempts of its own. A code that is sent counts, too.
  'answer-code': {
    accountAndNetwork: { free: 20, maxPauseMs: 15 * minuteMs },
    account: { free: 30, maxPauseMs: hourMs },
    network: { free: 300, maxPauseMs: minuteMs },
  },
  // A script that changes its network and its text is limited too: after 100 in a day each waits twice as long as the last, up to five minutes.
  'record-request': { ...unsolicitedEmail, site: { free: 100, maxPauseMs: 5 * minuteMs } },
  // Each request takes the time of a person who rings. A library or a hostel may have one network for many people.
  'self-referral': {
    ...unsolicitedEmail,
    network: { free: 10, maxPauseMs: 15 * minuteMs },
    site: { free: 100, maxPauseMs: 5 * minuteMs },
  },
};

export type Throttle = {
  readonly key: Buffer;
  readonly since: Date;
  readonly attempts: number;
  readonly blockedUntil: Date;
  readonly trustedUntil: Date | null;
};

export const countedForMs = dayMs;
export const trustedForMs = 90 * dayMs;

/**
 * How long until an attempt may be made. From a network where the holder signed in lately only `accountAndNetwork` counts, so that
 * others cannot keep the holder out by guessing elsewhere or at other accounts.
 */
export function msToWait(throttles: Readonly<Partial<Record<Gate, Throttle>>>, now: Date): number {
  const { accountAndNetwork, account, network, site } = throttles;
  const isTrusted = accountAndNetwork?.trustedUntil != null && accountAndNetwork.trustedUntil > now;
  const applicable = isTrusted ? [accountAndNetwork] : [accountAndNetwork, account, network, site];
  return Math.max(0, ...applicable.map((each) => (each ? each.blockedUntil.getTime() - now.getTime() : 0)));
}

/**
 * `blockedUntil` of a gate that was never closed. It is long ago, so that clocks that differ slightly never find a new gate closed.
 */
export const alwaysOpen = new Date(0);

/** The throttle after one more attempt. */
export function countAttempt(throttle: Throttle, limit: Limit, now: Date): Throttle {
  const isNewDay = now.getTime() - throttle.since.getTime() >= countedForMs;
  const attempts = (isNewDay ? 0 : throttle.attempts) + 1;
  const counted = { ...throttle, since: isNewDay ? now : throttle.since, attempts };
  const overBy = attempts - limit.free;
  if (overBy < 0) return counted;
  const pauseMs = Math.min(2 ** overBy * secondMs, limit.maxPauseMs);
  const blockedUntil = new Date(Math.max(throttle.blockedUntil.getTime(), now.getTime() + pauseMs));
  return { ...counted, blockedUntil };
}
