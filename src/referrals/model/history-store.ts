import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { JsonValue } from '../../platform/database/tables.ts';
import type { HistoryActor } from './actors/authors.ts';
import type { ReferralStatus, StatusReason } from './referral.ts';

// The history of a referral has a line for each version. The statement that makes a version also adds its line, by `insertHistoryLineSql`.

type NewHistoryLine = {
  from: ReferralStatus;
  reason?: StatusReason | null;
  details?: HistoryDetails;
  actor: HistoryActor;
  at: Date;
};

/** Adds a line to the history of a referral that has this version and status then. It can be a part of another statement. */
export function insertHistoryLineSql(
  { id, version, status }: { id: string; version: number; status: ReferralStatus },
  { from, reason = null, details, actor, at }: NewHistoryLine,
): RawBuilder<unknown> {
  return sql`
    insert into referral_history (referral_id, version, at, actor_id, actor_name, actor_organisation, actor_organisation_id,
      from_status, to_status, reason, details)
    values (${id}, ${version}, ${at}, ${actor.id}, ${actor.name}, ${actor.organisation}, ${actor.organisationId},
      ${from}, ${status}, ${reason && JSON.stringify(reason)}::jsonb, ${details ? JSON.stringify(details) : null}::jsonb)`;
}

/** By when somebody checks a person on the waiting list, as it was set then, and whether the referral was urgent. */
export type WaitDetails = { kind: 'status'; changes: FieldChange[]; check_by: string; urgent: boolean };

/** What a line of the history changed beside the status. */
export type HistoryDetails =
  | WaitDetails
  | { kind: 'correction'; changes: FieldChange[] }
  | { kind: 'agreement'; changes: FieldChange[] }
  | { kind: 'things-have-changed'; changes: FieldChange[] }
  | { kind: 'news-read'; changes: FieldChange[] }
  /** Somebody looked into a worrying answer, or acted on a risk. What they did is the reason of the line. */
  | { kind: 'alarming-answer-settled' | 'risk-acted-on'; changes: FieldChange[] }
  | { kind: 'file-removed' | 'file-with-virus'; changes: FieldChange[] }
  | {
      kind: 'transfer';
      changes: FieldChange[];
      /** The ids of the services, which keep them when their names change; missing in older lines. */
      services?: { from: string; to: string };
    }
  | { kind: 'death-reported' | 'death-confirmed' | 'death-undone'; changes: FieldChange[] };

/** A field as the API names it, such as `patient.telephone`, with its value before and after; null where there is none. */
export type FieldChange = { field: string; from: JsonValue; to: JsonValue };

export type HistoryLine = {
  version: number;
  at: Date;
  actorId: string | null;
  actorName: string;
  actorOrganisation: string | null;
  actorOrganisationId: string | null;
  from: string | null;
  to: string;
  reason: StatusReason | null;
  details: HistoryDetails | null;
};

export function listHistory(db: Db, referralId: string): Promise<HistoryLine[]> {
  return db
    .selectFrom('referral_history')
    .select([
      'version',
      'at',
      'actor_id as actorId',
      'actor_name as actorName',
      'actor_organisation as actorOrganisation',
      'actor_organisation_id as actorOrganisationId',
      'from_status as from',
      'to_status as to',
      'reason',
      'details',
    ])
    .$narrowType<Pick<HistoryLine, 'reason' | 'details'>>()
    .where('referral_id', '=', referralId)
    .orderBy('version')
    .execute();
}
