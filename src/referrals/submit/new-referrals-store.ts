import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import type { Referrals } from '../../platform/database/tables.ts';
import type { HistoryActor } from '../model/actors/authors.ts';
import type { PatientKeys } from '../model/person/identity/patient.ts';
import { keysInHex } from '../model/person/identity/same-person-store.ts';
import type { Draft, Referral } from '../model/referral.ts';
import { storedColumns } from '../model/referrals-store.ts';

export type NewRow = { referral: Referral | Draft; keys: PatientKeys; actor: HistoryActor };

/**
 * Stores new referrals and drafts, each with the first line of its history.
 * @returns the ids of the referrals whose reference was free.
 */
export async function insertReferrals(trx: Trx, newRows: readonly NewRow[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(newRows.map(asJson))}::jsonb) as given(${columnTypesSql},
        actor_id uuid, actor_name text, actor_organisation text, actor_organisation_id uuid)),
    made as (
      insert into referrals (${columnNamesSql}) select ${columnValuesSql} from given
      on conflict (reference) do nothing
      returning id, version, created_at, status)
    insert into referral_history (referral_id, version, at, actor_id, actor_name, actor_organisation, actor_organisation_id,
      to_status)
    select id, made.version, made.created_at, actor_id, actor_name, actor_organisation, actor_organisation_id, made.status
    from made join given using (id) returning referral_id as id`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

type ColumnType = 'uuid' | 'text' | 'boolean' | 'integer' | 'timestamptz' | 'jsonb' | 'hex';
const newColumns = {
  id: 'uuid',
  reference: 'text',
  simulated: 'boolean',
  referrer_account_id: 'uuid',
  referrer_organisation_id: 'uuid',
  created_at: 'timestamptz',
  status: 'text',
  version: 'integer',
  urgency: 'text',
  service_id: 'text',
  service_name: 'text',
  service_organization_id: 'text',
  service_organization_name: 'text',
  practice_ods_code: 'text',
  practice_name: 'text',
  patient_name_key: 'hex',
  patient_number_key: 'hex',
  patient_family_key: 'hex',
  content: 'jsonb',
  reroutes: 'uuid',
  updated_at: 'timestamptz',
  version_at: 'timestamptz',
  requested_at: 'timestamptz',
  due_at: 'timestamptz',
} as const satisfies Partial<Record<keyof Referrals, ColumnType>>;
const columnNamesSql = sql.raw(Object.keys(newColumns).join(', '));
const columnTypesSql = sql.raw(
  Object.entries(newColumns)
    .map(([name, type]) => `${name} ${type === 'hex' ? 'text' : type}`)
    .join(', '),
);
const columnValuesSql = sql.raw(
  Object.entries(newColumns)
    .map(([name, type]) => (type === 'hex' ? `decode(${name}, 'hex')` : name))
    .join(', '),
);

type ActorColumn = 'actor_id' | 'actor_name' | 'actor_organisation' | 'actor_organisation_id';

function asJson({ referral, keys, actor }: NewRow): Record<keyof typeof newColumns | ActorColumn, unknown> {
  const { name, number, family } = keysInHex(keys);
  return {
    id: referral.id,
    reference: referral.reference,
    simulated: referral.simulated,
    created_at: referral.created_at,
    ...storedColumns(referral),
    content: referral.content,
    patient_name_key: name,
    patient_number_key: number,
    patient_family_key: family,
    actor_id: actor.id,
    actor_name: actor.name,
    actor_organisation: actor.organisation,
    actor_organisation_id: actor.organisationId,
  };
}
