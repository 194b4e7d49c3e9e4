import type { Caller } from '../accounts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { forbidden, Problem } from '../platform/problem/index.ts';
import { requireCameToNothing } from './came-to-nothing.ts';
import type { ReferralDeps } from './deps.ts';
import { draftInputOf } from './draft-input.ts';
import { lookAt } from './look-at.ts';
import type { NewReferral } from './new-referral-schema.ts';
import type { PresentedReferral } from './present.ts';
import { requireUsable } from './records/usable.ts';
import type { Submission } from './submission.ts';
import { submitReferral } from './submit-referral.ts';

/** What is new about it. The person agreed to one service; whether they agree to another is asked anew. */
export type Reroute = Pick<NewReferral, 'service_id' | 'consent' | 'allow_duplicate'>;

/**
 * Makes a new referral of the same person, for the same reasons, to another service, in the place of one that came to
 * nothing.
 * @throws Problem `not-found`, `forbidden`, `referral-restricted`, `wrong-state`, and whatever `submitReferral` throws.
 */
export async function rerouteReferral(
  deps: ReferralDeps,
  caller: Caller,
  { id, reroute, ...submission }: { id: string; reroute: Reroute } & Omit<Submission, 'input'>,
): Promise<PresentedReferral> {
  const { referral, sides } = await inTransaction(deps.db, (trx) =>
    lookAt(trx, caller, id, deps.clock.now()),
  );
  if (!sides.includes('referrer'))
    throw new Problem(forbidden, 'Only the referrer’s organisation can do that.');
  requireUsable(referral);
  requireCameToNothing(referral);
  const input = { ...draftInputOf(referral), ...reroute, reroutes: referral.id } as NewReferral;
  return submitReferral(deps, caller, { ...submission, input });
}
