import { sql } from 'kysely';
import type { Trx } from '../../../platform/database/index.ts';

/** How far an account has read; null for what it was not shown this time. */
export type ReadingPosition = {
  lastMessageId: string | null;
  lastAttachmentId: string | null;
  version: number | null;
};

/** Notes how far an account has read. It never goes back. */
export async function markRead(
  trx: Trx,
  referralId: string,
  accountId: string,
  { lastMessageId, lastAttachmentId, version }: ReadingPosition,
): Promise<void> {
  await sql`
    insert into referral_readings (referral_id, account_id, last_message_id, last_attachment_id, last_version)
    values (${referralId}, ${accountId}, ${lastMessageId}, ${lastAttachmentId}, ${version})
    on conflict (referral_id, account_id) do update
      set last_message_id = greatest(referral_readings.last_message_id, excluded.last_message_id),
        last_attachment_id = greatest(referral_readings.last_attachment_id, excluded.last_attachment_id),
        last_version = greatest(referral_readings.last_version, excluded.last_version)`.execute(trx);
}
