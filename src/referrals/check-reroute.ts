import type { Caller } from '../accounts/index.ts';
import type { Trx } from '../platform/database/index.ts';
import type { FieldError } from '../platform/problem/index.ts';
import { sidesOf } from './access.ts';
import { reroutable } from './state-machine.ts';
import { findReferralOrDraft, lockReferral } from './store.ts';

/** What speaks against a new referral in the place of this one. It stays locked, so that two cannot take its place. */
export async function rerouteErrors(trx: Trx, caller: Caller, id: string): Promise<FieldError[]> {
  const refuse = (message: string) => [{ pointer: '/reroutes', message }];
  await lockReferral(trx, id);
  // Read when it is locked: what locks it may have waited, and then shows what it saw before.
  const referral = await findReferralOrDraft(trx, id);
  if (!referral || referral.requested_at === null || !sidesOf(caller, referral).includes('referrer'))
    return refuse('is not a referral of your organisation');
  if (referral.erasedAt !== null) return refuse('was erased');
  if (referral.restrictedAt !== null) return refuse('is restricted');
  if (!reroutable.includes(referral.status)) return refuse(`is not ${reroutable.join(' or ')}`);
  if (referral.rerouted_to !== null) return refuse('has been re-routed already');
  return [];
}
