import { isDeepStrictEqual } from 'node:util';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { Problem, versionStale } from '../../platform/problem/index.ts';
import {
  type Action,
  type ActionBody,
  actionsPossibleByLink,
  addMeasuresByLink,
  answerByLink,
  askToRing,
  attachByLink,
  type ContactByLink,
  changeContactsByLink,
  fingerprintOfUnread,
  type GoalResults,
  type LinkHolder,
  type NewGoals,
  type NewMeasures,
  noteResultsByLink,
  openStatuses,
  type Referral,
  type ReferralDeps,
  setGoalsByLink,
  type UploadedFile,
  writeByLink,
} from '../../referrals/index.ts';
import { setLinkEnded } from '../channels/answer-links-store.ts';
import { beforeEnd } from './answer-referral.ts';
import { findVisitorOf } from './enter-code.ts';
import { noteSeenByHolder } from './note-seen.ts';
import { type FormResult, lockUsableLink } from './usable-link.ts';
import type { Visitor } from './visits-store.ts';

/** What somebody with a code does after the answer: an action, or an entry such as a message, a file or goals. */
export type StepWithCode =
  | { kind: 'action'; action: Action; body: ActionBody; results: GoalResults; version: number }
  | ContactByLink
  | { kind: 'measures'; measures: NewMeasures }
  | { kind: 'goals'; goals: NewGoals; version: number }
  | { kind: 'file'; file: UploadedFile; scanned: boolean }
  | { kind: 'message'; text: string };

/** The actions that end a referral. */
export const endingActions: readonly Action[] = ['complete', 'fail'];

type Taker = Visitor & { token: string | undefined; ipAddress: string };

/**
 * Takes a step by a link that a code has opened in this browser, in one transaction with its history, audit, deliveries and news. Doing it
 * again changes nothing.
 * @throws Problem `version-stale` when the referral has changed since the page was opened; `unprocessable`.
 */
export function takeStep(
  deps: ReferralDeps,
  secret: string,
  step: StepWithCode,
  { token, ...answerer }: Taker,
): Promise<FormResult> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const usable = await lockUsableLink(trx, deps, secret);
    if (!usable || !(await findVisitorOf(trx, deps, usable, token))) return 'closed';
    const { link, referral } = usable;
    const at = deps.clock.now();
    const holder = { ...answerer, address: link.address };
    if (step.kind !== 'action') {
      await addEntry(trx, deps, referral, { step, at }, holder);
    } else {
      const { action, body, results, version } = step;
      // Somebody has done it meanwhile. The page shows it.
      if (!actionsPossibleByLink(referral).some((each) => each.action === action)) return 'done-before';
      if (referral.version !== version) throw new Problem(versionStale);
      const ends = endingActions.includes(action);
      // Unread news may be a crisis, so nobody ends a referral before reading it.
      if (ends && (await fingerprintOfUnread(trx, referral.id)) !== undefined)
        throw new Problem(versionStale);
      // First, because the letter to the practice waits if the referral was ended by link.
      if (ends) await setLinkEnded(trx, link.id, { before: beforeEnd(referral), at });
      const noted =
        results.length > 0 ? await noteResultsByLink(trx, deps, referral, { results, at }, holder) : referral;
      await answerByLink(trx, deps, noted, { action, body, at }, holder);
    }
    await noteSeenByHolder(trx, referral, holder, { at, shownAt: at });
    return 'done';
  });
}

/** Adds an entry, which does not change the status of the referral. @throws Problem `version-stale`, `unprocessable`, `too-large`, `wrong-state` */
function addEntry(
  trx: Trx,
  deps: ReferralDeps,
  referral: Referral,
  { step, at }: { step: Exclude<StepWithCode, { kind: 'action' }>; at: Date },
  holder: LinkHolder,
): Promise<void> {
  switch (step.kind) {
    case 'message':
      return writeByLink(trx, deps, referral, { text: step.text, at }, holder);
    case 'measures':
      return addMeasuresByLink(trx, deps, referral, { measures: step.measures, at }, holder);
    case 'file':
      return attachByLink(trx, deps, referral, { ...step, at }, holder);
    case 'goals':
      // After a second click, the same goals are there already.
      if (referral.version !== step.version && !isDeepStrictEqual(referral.content.goals ?? [], step.goals))
        throw new Problem(versionStale);
      return setGoalsByLink(trx, deps, referral, { goals: step.goals, at }, holder);
    default:
      return changeContactsByLink(trx, deps, referral, { step, at }, holder);
  }
}

/**
 * Asks the referrer to ring the service. It needs no code, because it shows nothing, and a service without a second mailbox has no other way.
 */
export function askToBeRung(
  deps: ReferralDeps,
  secret: string,
  request: { telephone: string; when: string },
  answerer: Omit<Taker, 'token'>,
): Promise<FormResult> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const usable = await lockUsableLink(trx, deps, secret);
    if (!usable || !openStatuses.includes(usable.referral.status)) return 'closed';
    const { link, referral } = usable;
    const holder = { ...answerer, address: link.address };
    await askToRing(trx, deps, referral, { ...request, at: deps.clock.now() }, holder);
    return 'done';
  });
}
