import { networkOf } from '../platform/addresses/index.ts';
import { type Db, inTransaction } from '../platform/database/index.ts';
import { callWindows } from '../platform/http/index.ts';
import { oneForEach } from '../platform/one-for-each.ts';
import type { Platform } from '../platform/platform.ts';
import type { AuditEntry } from './entry.ts';
import { recordAudit } from './store.ts';

/** Beyond so many a minute of one action, from everywhere, nothing more is learnt and much is stored. */
const mostAMinute = 60;

const windowsOf = oneForEach((_: Db) => callWindows());

/**
 * Writes down a refusal that strangers can bring about as often as they like: the first in a minute of each action and
 * account, or network where there is no account; and no more of one action than sixty a minute altogether, since whoever
 * has IPv6 has networks without end. Refusals of people who are signed in to do something are no such thing: each of those is
 * an entry of `recordAudit`.
 */
export async function recordRefusal(
  deps: Platform,
  entry: Omit<AuditEntry, 'at' | 'outcome'>,
): Promise<void> {
  const { action, actor } = entry;
  const at = deps.clock.now();
  const windows = windowsOf(deps.db);
  const who = actor.id ?? networkOf(actor.address ?? '');
  if (windows.count(JSON.stringify([action, who]), at.getTime()).calls > 1) return;
  if (windows.count(action, at.getTime()).calls > mostAMinute) return;
  await inTransaction(deps.db, (trx) => recordAudit(trx, { ...entry, at, outcome: 'refused' }));
}
