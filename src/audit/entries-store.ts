import { sql } from 'kysely';
import type { Trx } from '../platform/database/index.ts';
import { plainIpAddress } from '../platform/ip-addresses/index.ts';
import type { AuditAction } from './actions.ts';
import { auditOf } from './open-audit.ts';
import type { SignedValues } from './signer.ts';

/**
 * Writes an entry in the transaction of the change that it records, so that there is never one without the other. It is sealed a moment
 * later: if the link were made here, every transaction would wait for the one before.
 */
export function recordAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  return recordAudits(trx, [entry]);
}

/** Writes several entries, in their order. */
export async function recordAudits(trx: Trx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { signer } = auditOf(trx);
  const rows = entries.map((entry) => {
    const row = rowOf(entry);
    const { writer, number, code } = signer.sign(trx, valuesOf(row));
    return { ...row, writer, number, code: code.toString('hex') };
  });
  await sql`
    with entry as (
      insert into audit_entries
        (at, actor_id, actor_name, actor_role, organisation, action, subject_type, subject_id, outcome, address, details,
         writer, number, code)
      select at, actor_id, actor_name, actor_role, organisation, action, subject_type, subject_id, outcome, address,
        details, writer, number, decode(code, 'hex')
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (at timestamptz,
        actor_id uuid, actor_name text, actor_role text, organisation text, action text, subject_type text,
        subject_id text, outcome text, address text, details jsonb, writer uuid, number bigint, code text)) with ordinality
      order by ordinality
      returning id)
    insert into audit_unsealed (entry_id) select id from entry`.execute(trx);
}

function rowOf({ at, actor, action, subject, outcome = 'done', details = {} }: AuditEntry) {
  return {
    at: at.toISOString(),
    actor_id: actor.id ?? null,
    actor_name: actor.name,
    actor_role: actor.role ?? null,
    organisation: actor.organisation ?? null,
    action,
    subject_type: subject?.type ?? null,
    subject_id: subject?.id ?? null,
    outcome,
    // In one form, so that a search finds an IP address in any spelling.
    address: actor.ipAddress === undefined ? null : (plainIpAddress(actor.ipAddress) ?? actor.ipAddress),
    // As the database stores it: dates are texts, and undefined values are left out.
    details: JSON.parse(JSON.stringify({ ...details, by_key: actor.key })) as unknown,
  };
}

/** The values of an entry that are signed; its time as the database writes it, with microseconds. */
function valuesOf(row: ReturnType<typeof rowOf>): SignedValues {
  return [
    // As PostgreSQL writes the time for checking. A forged row could have a year before Christ, which ends in BC.
    row.at.replace('Z', '000 AD'),
    row.actor_id,
    row.actor_name,
    row.actor_role,
    row.organisation,
    row.action,
    row.subject_type,
    row.subject_id,
    row.outcome,
    row.address,
    row.details,
  ];
}

/** Who did what to what, when, from where, and how it ended. It never holds a secret or a patient's details. */
export type AuditEntry = {
  at: Date;
  actor: Actor;
  action: AuditAction;
  subject?: { type: string; id: string };
  outcome?: 'done' | 'refused';
  details?: Record<string, unknown>;
};

/** A person, a client system of theirs, the command line or the site itself. */
export type Actor = {
  id?: string | undefined;
  name: string;
  role?: string | undefined;
  organisation?: string | undefined;
  ipAddress?: string | undefined;
  /** The name of the key that a client system used, if its account has several. */
  key?: string | undefined;
};

/** The actor of what the site does by itself. */
export const siteActor: Actor = { name: 'the site' };

/** The actor of somebody who has not signed in. */
export function anonymousActor(ipAddress: string): Actor {
  return { name: 'somebody', ipAddress };
}
