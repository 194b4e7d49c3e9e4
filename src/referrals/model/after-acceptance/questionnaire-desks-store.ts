import { sql } from 'kysely';
import { canSignInSql, type DaysOfLeave, isOnLeave, leaveOfSql } from '../../../accounts/index.ts';
import { anyOfValuesSql, type Db, type Trx } from '../../../platform/database/index.ts';
import { londonDate } from '../due/dates.ts';
import type { QuestionnaireCode } from './questionnaires.ts';

/** `canAnswer`: the account can sign in, and makes referrals for the organisation. */
type DeskPerson = {
  id: string;
  name: string;
  email: string;
  canAnswer: boolean;
  leave: DaysOfLeave | null;
};

/** Who of an organisation looks into worrying answers, and what its people are asked. */
export type QuestionnaireDesk = {
  organisationId: string;
  isOn: boolean;
  owner: DeskPerson;
  deputy: DeskPerson;
  asks: QuestionnaireCode[];
  /** When the operators were told that nobody looks into its answers; null once somebody does again. */
  toldClosedAt: Date | null;
};

/** `understaffed`: an operator switched it on, and the owner or the deputy has left since. `away`: both are on leave. */
export type DeskState = 'on' | 'off' | 'understaffed' | 'away';

export function deskState(desk: QuestionnaireDesk | undefined, now: Date): DeskState {
  if (!desk?.isOn) return 'off';
  if (!desk.owner.canAnswer || !desk.deputy.canAnswer) return 'understaffed';
  const today = londonDate(now);
  return isOnLeave(desk.owner, today) && isOnLeave(desk.deputy, today) ? 'away' : 'on';
}

const personSql = (alias: 'o' | 'd') => {
  const person = sql.ref(alias);
  return sql`
  json_build_object('id', ${person}.id, 'name', ${person}.name, 'email', ${person}.email,
    'canAnswer', ${canSignInSql(alias)} and 'referrer' = any(${person}.roles)
      and ${person}.organisation_id = k.organisation_id,
    'leave', ${leaveOfSql(sql`${person}.id`)})`;
};

const deskColumnsSql = sql`k.organisation_id as "organisationId", k.is_on as "isOn", k.asks, k.told_closed_at as "toldClosedAt",
  ${personSql('o')} as owner, ${personSql('d')} as deputy`;

/** Undefined while no operator has named who looks into the answers. @param organisationId null for a referrer without one */
export async function findQuestionnaireDesk(
  db: Db,
  organisationId: string | null,
): Promise<QuestionnaireDesk | undefined> {
  if (organisationId === null) return undefined;
  return (await listQuestionnaireDesks(db, [organisationId])).get(organisationId);
}

export async function listQuestionnaireDesks(
  db: Db,
  organisationIds: readonly string[],
): Promise<Map<string, QuestionnaireDesk>> {
  if (organisationIds.length === 0) return new Map();
  const { rows } = await sql<QuestionnaireDesk>`
    select ${deskColumnsSql}
    from questionnaire_desks k join accounts o on o.id = k.owner_id join accounts d on d.id = k.deputy_id
    where k.organisation_id = any(${[...organisationIds]}::uuid[])`.execute(db);
  return new Map(rows.map((desk) => [desk.organisationId, desk]));
}

/** Those that an operator switched on, with the name of the organisation. */
export async function listDesksSwitchedOn(trx: Trx): Promise<(QuestionnaireDesk & { name: string })[]> {
  const { rows } = await sql<QuestionnaireDesk & { name: string }>`
    select ${deskColumnsSql}, g.name
    from questionnaire_desks k join accounts o on o.id = k.owner_id join accounts d on d.id = k.deputy_id
      join organisations g on g.id = k.organisation_id
    where k.is_on order by g.name, g.id`.execute(trx);
  return rows;
}

type NewDesk = {
  organisationId: string;
  isOn: boolean;
  ownerId: string;
  deputyId: string;
  asks: readonly QuestionnaireCode[];
};

/** Saves an organisation’s desk. The next time that nobody looks into the answers is then news again. */
export async function saveQuestionnaireDesk(trx: Trx, desk: NewDesk): Promise<void> {
  const { organisationId, isOn, ownerId, deputyId, asks } = desk;
  await sql`
    insert into questionnaire_desks (organisation_id, is_on, owner_id, deputy_id, asks)
    values (${organisationId}, ${isOn}, ${ownerId}, ${deputyId}, ${[...asks]}::text[])
    on conflict (organisation_id) do update set is_on = excluded.is_on, owner_id = excluded.owner_id,
      deputy_id = excluded.deputy_id, asks = excluded.asks, told_closed_at = null`.execute(trx);
}

export async function setDesksToldClosedAt(
  trx: Trx,
  organisationIds: readonly string[],
  at: Date | null,
): Promise<void> {
  if (organisationIds.length === 0) return;
  await trx
    .updateTable('questionnaire_desks')
    .set({ told_closed_at: at })
    .where('organisation_id', '=', anyOfValuesSql(organisationIds))
    .execute();
}

/** The people of an organisation who can be named: they make its referrals, and can sign in. */
export async function listPossibleOwners(
  db: Db,
  organisationId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select a.id, a.name from accounts a
    where a.organisation_id = ${organisationId} and 'referrer' = any(a.roles) and ${canSignInSql('a')}
    order by a.name, a.id limit 1000`.execute(db);
  return rows;
}
