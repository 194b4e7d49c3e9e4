import { sql } from 'kysely';
import { plainAddress } from '../platform/addresses/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { requireSigner, type SignedValues } from './signer.ts';

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
  const signer = requireSigner(trx);
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
    // In the one form in which it can be searched for, however it came in.
    address: actor.address === undefined ? null : (plainAddress(actor.address) ?? actor.address),
    // As it is stored: dates as texts, and nothing where there is nothing.
    details: JSON.parse(JSON.stringify(details)) as unknown,
  };
}

/** What is signed of an entry; the moment as the database tells it, with microseconds. */
function valuesOf(row: ReturnType<typeof rowOf>): SignedValues {
  return [
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

/** Who did what to what, when, from where, and how it ended. Never a secret, never a patient's detail. */
export type AuditEntry = {
  at: Date;
  actor: Actor;
  /** A noun and a verb, such as `account.created` or `referral.read`. */
  action: string;
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
  address?: string | undefined;
};
