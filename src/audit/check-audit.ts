import { inTransaction } from '../platform/database/index.ts';
import { describeError } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { describeBreak } from './describe-break.ts';
import type { Actor } from './entry.ts';
import { moveHead } from './move-head.ts';
import { sealAudit } from './seal-audit.ts';
import { recordAudit } from './store.ts';
import { type Verification, verifyAudit } from './verify-audit.ts';

/** The action of the entry that says when the chain was checked, and what came of it. */
export const auditChecked = 'audit.checked';

/** Seals what waits, verifies the chain from its first link to its last, and writes down that somebody did. */
export async function checkAudit(deps: Platform, actor: Actor): Promise<Verification> {
  await sealAudit(deps);
  const verification = await verifyAudit(deps);
  const { links, broken } = verification;
  await inTransaction(deps.db, (trx) =>
    recordAudit(trx, {
      at: deps.clock.now(),
      actor,
      action: auditChecked,
      details: broken ? { links, broken: broken.kind, what: describeBreak(broken) } : { links },
    }),
  );
  // What was found is told whether or not it can be noted in the data directory.
  if (!broken) {
    await moveHead(deps).catch((error) =>
      deps.log.warn({ error: describeError(error) }, 'the head of the audit chain could not be noted'),
    );
  }
  return verification;
}
