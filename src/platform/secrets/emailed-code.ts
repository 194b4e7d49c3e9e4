import { randomBytes, timingSafeEqual } from 'node:crypto';
import { dayMs, hourMs, minuteMs } from '../durations.ts';

const codeLifetimeMs = 10 * minuteMs;
/** After this many wrong codes nobody may try for a while. */
const maxAttempts = 5;
/** Each pause that follows without a right code is twice as long, up to a day. */
const firstPauseMs = 15 * minuteMs;
/** After this many pauses, the next ones are no longer than the last. */
const maxCountedPauses = 10;
/** Nobody needs a second code so soon: somebody has clicked twice. */
const codeAgainAfterMs = minuteMs;
const maxCodesPerHour = 5;

/** What is stored of the code that opens a page whose link is in an email. */
export type CodeState = {
  /** A keyed hash, until the code is used or was guessed at too often. */
  codeHash: Buffer | null;
  codeUntil: Date | null;
  codeAttempts: number;
  /** How many codes were sent since `codesSince`. */
  codesSent: number;
  codesSince: Date | null;
  pausedUntil: Date | null;
  pauses: number;
};

/** The columns of every table that keeps such a code, as the query builder selects them. */
export const codeColumns = [
  'code_hash as codeHash',
  'code_until as codeUntil',
  'code_attempts as codeAttempts',
  'codes_sent as codesSent',
  'codes_since as codesSince',
  'paused_until as pausedUntil',
  'pauses',
] as const;

/** What these columns hold. */
export function codeValues(state: CodeState) {
  return {
    code_hash: state.codeHash,
    code_until: state.codeUntil,
    code_attempts: state.codeAttempts,
    codes_sent: state.codesSent,
    codes_since: state.codesSince,
    paused_until: state.pausedUntil,
    pauses: state.pauses,
  };
}

type HashOfCode = (code: string) => Buffer;

export function hasLiveCode(
  { codeHash, codeUntil }: Pick<CodeState, 'codeHash' | 'codeUntil'>,
  now: Date,
): boolean {
  return codeHash !== null && codeUntil !== null && codeUntil > now;
}

/** Until when nobody may try or get a code; null if they may. */
export function pauseOf({ pausedUntil }: Pick<CodeState, 'pausedUntil'>, now: Date): Date | null {
  return pausedUntil && pausedUntil > now ? pausedUntil : null;
}

type CodeToSend =
  | { result: 'send'; code: string; state: CodeState }
  | { result: 'sent-before' }
  | { result: 'paused'; state: CodeState };

/** A new code for somebody who asks for one; `state` is to be stored. Earlier codes no longer work. */
export function makeCode(state: CodeState, hashOf: HashOfCode, at: Date): CodeToSend {
  if (pauseOf(state, at)) return { result: 'paused', state };
  const sentAt = state.codeUntil && state.codeUntil.getTime() - codeLifetimeMs;
  if (hasLiveCode(state, at) && at.getTime() - sentAt! < codeAgainAfterMs) return { result: 'sent-before' };
  const isNewHour = state.codesSince === null || at.getTime() - state.codesSince.getTime() >= hourMs;
  const codesSince = isNewHour ? at : state.codesSince!;
  const codesSent = (isNewHour ? 0 : state.codesSent) + 1;
  if (codesSent > maxCodesPerHour) {
    const pausedUntil = new Date(codesSince.getTime() + hourMs);
    return { result: 'paused', state: { ...state, codeHash: null, codeUntil: null, pausedUntil } };
  }
  const code = newCode();
  const codeUntil = new Date(at.getTime() + codeLifetimeMs);
  // The count of wrong codes goes on: otherwise each new code would allow five more attempts.
  const next = { ...state, codeHash: hashOf(code), codeUntil, codesSent, codesSince, pausedUntil: null };
  return { result: 'send', code, state: next };
}

/** Six digits. 2^48 is no multiple of a million, but no code is likelier than another by more than one in 10^8. */
function newCode(): string {
  return String(randomBytes(6).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/** `last-wrong`: now nobody may try for a while. `paused` and `expired` change nothing. */
type CodeCheck = { result: 'right' | 'wrong' | 'last-wrong' | 'paused' | 'expired'; state: CodeState };

/** What is wrong with how a code was typed, so that a slip of the finger is no wrong try; undefined if it may be right. */
export function whyNoCode(typed: string): string | undefined {
  const code = typed.replaceAll(/[\s-]/g, '');
  if (code === '') return 'Enter the code';
  return /^\d{6}$/.test(code) ? undefined : 'The code is 6 digits';
}

/** How many wrong codes may still follow before the pause. */
export function attemptsLeft({ codeAttempts }: Pick<CodeState, 'codeAttempts'>): number {
  return maxAttempts - codeAttempts;
}

/**
 * Checks a code; `state` is to be stored. A code works once. After five wrong ones nobody can try for a while, and for longer each time, so
 * that patience does not help to guess it.
 */
export function checkCode(state: CodeState, typed: string, hashOf: HashOfCode, at: Date): CodeCheck {
  if (pauseOf(state, at)) return { result: 'paused', state };
  if (!hasLiveCode(state, at)) return { result: 'expired', state };
  const noCode = { codeHash: null, codeUntil: null, codeAttempts: 0 };
  const code = typed.replaceAll(/[\s-]/g, '');
  if (/^\d{6}$/.test(code) && timingSafeEqual(state.codeHash!, hashOf(code)))
    return { result: 'right', state: { ...state, ...noCode, pauses: 0, pausedUntil: null } };
  const codeAttempts = state.codeAttempts + 1;
  if (codeAttempts < maxAttempts) return { result: 'wrong', state: { ...state, codeAttempts } };
  const pausedUntil = new Date(at.getTime() + Math.min(firstPauseMs * 2 ** state.pauses, dayMs));
  const pauses = Math.min(state.pauses + 1, maxCountedPauses);
  return { result: 'last-wrong', state: { ...state, ...noCode, pausedUntil, pauses } };
}
