import { listColleagues } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';

/**
 * Whether an address is the organisation’s: that of one of its people who see referrals now, or one that an operator has entered for
 * it. Everything that the organisation has open goes there each night, so nobody alone decides that an address is theirs.
 */
export async function isOwnAddress(
  db: Db,
  { id, mailbox }: { id: string; mailbox: string | null },
  address: string,
): Promise<boolean> {
  const email = canonicalEmail(address);
  if (mailbox !== null && (mailbox.startsWith('@') ? email.endsWith(mailbox) : email === mailbox))
    return true;
  return (await listColleagues(db, id)).some((each) => canonicalEmail(each.email) === email);
}
