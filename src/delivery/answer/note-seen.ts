import type { Trx } from '../../platform/database/index.ts';
import { type LinkHolder, noteSeenByLink, type Referral } from '../../referrals/index.ts';

/** A person of the service has seen the referral as it was at `shownAt`; undefined where no message was sent. */
export async function noteSeenByHolder(
  trx: Trx,
  { id, service }: Referral,
  { name, role }: LinkHolder,
  { at, shownAt }: { at: Date; shownAt: Date | undefined },
): Promise<void> {
  if (shownAt)
    await noteSeenByLink(trx, id, { name: `${name}, ${role}, ${service.name}`, at, sentAt: shownAt });
}
