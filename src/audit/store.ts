import { sql } from 'kysely';
import { plainAddress } from '../platform/addresses/index.ts';
import type { Trx } from '../platform/database/index.ts';
import type { AuditEntry } from './entry.ts';

/**
 * Writes an entry in the transaction of the change it tells of, so that there is never one without the other. It is
 * sealed a moment later: a link made here would have to wait for the one before, and so for every other transaction.
 */
export async function recordAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  const { actor, subject } = entry;
  // In the one form in which it can be searched for, however it came in.
  const address = actor.address === undefined ? null : (plainAddress(actor.address) ?? actor.address);
  await sql`
    with entry as (
      insert into audit_entries
        (at, actor_id, actor_name, actor_role, organisation, action, subject_type, subject_id, outcome, address, details)
      values (${entry.at}, ${actor.id ?? null}, ${actor.name}, ${actor.role ?? null}, ${actor.organisation ?? null},
        ${entry.action}, ${subject?.type ?? null}, ${subject?.id ?? null}, ${entry.outcome ?? 'done'},
        ${address}, ${JSON.stringify(entry.details ?? {})}::jsonb)
      returning id)
    insert into audit_unsealed (entry_id) select id from entry`.execute(trx);
}
