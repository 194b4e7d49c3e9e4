import { mailOperators } from '../../accounts/index.ts';
import { recordAudit, siteActor } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/html/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReferralListener } from '../../referrals/index.ts';
import { deleteCopiesOf, emptyCopy, lockCopiesWithFile, noteRemovedFileOfCopy } from './copies-store.ts';

/**
 * Deletes copies in the transaction that erases a referral in them. Empties copies in the transaction that removes a file of them,
 * because the file may be about somebody else.
 */
export function recordCopyListener(deps: Platform): ReferralListener {
  return {
    async onRecordChange(trx, change) {
      if (change.kind === 'erased') await deleteCopiesOf(trx, change.referral.id);
    },
    async onFileDeleted(trx, file) {
      await emptyCopiesWithFile(trx, deps, file);
    },
  };
}

/** Empties the copies that have a file. One that somebody already has stays on the operators’ list until an operator has asked for it back. */
async function emptyCopiesWithFile(
  trx: Trx,
  deps: Platform,
  { referralId, attachmentId, at }: { referralId: string; attachmentId: string; at: Date },
): Promise<void> {
  const copies = await lockCopiesWithFile(trx, referralId, attachmentId);
  for (const { id, handedOutAt, isPacked } of copies) {
    if (isPacked) await emptyCopy(trx, id, at);
    if (handedOutAt !== null) await noteRemovedFileOfCopy(trx, id, at);
    const subject = { type: 'record_copy', id };
    await recordAudit(trx, { at, actor: siteActor, action: 'record_copy.file_removed', subject });
  }
  const lines = copies.flatMap(({ reference, handedOutAt, isPacked }) => {
    if (handedOutAt !== null)
      return [`${reference}: handed out on ${dayInWords(handedOutAt)}. Ask for it back, and pack it again.`];
    return isPacked ? [`${reference}: emptied before it was handed out. Pack the record again.`] : [];
  });
  if (lines.length === 0) return;
  await mailOperators(trx, deps, 'record', {
    subject: 'A file was removed that is in a copy of a record',
    paragraphs: [
      'A file was removed from a referral after a copy of the record was packed. It may be about somebody else.',
      lines.join('\n'),
      `Copies of records:\n\n${deps.settings.baseUrl}/operator/patients/copies`,
    ],
  });
}
