import { sql } from 'kysely';
import { plainAddress } from '../platform/addresses/index.ts';
import type { Trx } from '../platform/database/index.ts';
import type { AuditEntry } from './entry.ts';

/**
 * Writes an entry in the transaction of the change it tells of, so that there is never one without the other. It is
 * sealed a moment later: a link made here would have to wait for the one before, and so for every other transaction.
 */
export function recordAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  return recordAudits(trx, [entry]);
}

/** The same for several, in their order. */
export async function recordAudits(trx: Trx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await sql`
    /* prepared as insert-audit-entries */
    with entry as (
      insert into audit_entries
        (at, actor_id, actor_name, actor_role, organisation, action, subject_type, subject_id, outcome, address, details)
      select at, actor_id, actor_name, actor_role, organisation, action, subject_type, subject_id, outcome, address,
        details
      from rows from (jsonb_to_recordset(${JSON.stringify(entries.map(rowOf))}::jsonb) as (at timestamptz,
        actor_id uuid, actor_name text, actor_role text, organisation text, action text, subject_type text,
        subject_id text, outcome text, address text, details jsonb)) with ordinality
      order by ordinality
      returning id)
    insert into audit_unsealed (entry_id) select id from entry`.execute(trx);
}

function rowOf({ at, actor, action, subject, outcome = 'done', details = {} }: AuditEntry) {
  return {
    at,
    actor_id: actor.id,
    actor_name: actor.name,
    actor_role: actor.role,
    organisation: actor.organisation,
    action,
    subject_type: subject?.type,
    subject_id: subject?.id,
    outcome,
    // In the one form in which it can be searched for, however it came in.
    address: actor.address === undefined ? undefined : (plainAddress(actor.address) ?? actor.address),
    details,
  };
}
