import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { checkTimeMs, finaliseDeclines, lockReferrals, tellPerson } from '../../referrals/index.ts';
import { listEndingsToTell, setPersonTold } from '../channels/answer-links-store.ts';
import { releaseFinalDecline } from './hold-endings.ts';

/** Emails the people whose referral was ended by link, once the referrer has had time to say that it was a mistake. */
export async function tellPeopleOfEndings(deps: Platform): Promise<void> {
  const at = deps.clock.now();
  const endedBefore = new Date(at.getTime() - checkTimeMs);
  await inTransaction(deps.db, async (trx) => {
    const referrals = await lockReferrals(trx, await listEndingsToTell(trx, endedBefore));
    for (const referral of referrals.values())
      if (await setPersonTold(trx, referral.id, { endedBefore, at })) await tellPerson(trx, deps, referral);
  });
}

/** Tells the practices and the people of declines that the services can no longer take back. */
export async function tellOfDeclines(deps: Platform): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    for (const referral of await finaliseDeclines(trx, at)) {
      await releaseFinalDecline(trx, referral.id, at);
      await tellPerson(trx, deps, referral);
    }
  });
}
