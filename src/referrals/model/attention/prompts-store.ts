import { type RawBuilder, sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../../platform/database/index.ts';
import type { Side } from '../status/state-machine.ts';
import { type Prompt, type PromptKind, type PromptSide, promptKindsShownToReferrer } from './prompts.ts';

/** The prompts that nobody has dismissed, the oldest first, by the referral's id. */
export async function listPrompts(db: Db, referralIds: readonly string[]): Promise<Map<string, Prompt[]>> {
  if (referralIds.length === 0) return new Map();
  const { rows } = await sql<Prompt>`
    select p.id, p.referral_id as "referralId", p.kind, p.side, p.owner_id as "ownerId",
      a.name as "ownerName", p.made_at as "madeAt", p.due_on::text as "dueOn"
    from referral_prompts p left join accounts a on a.id = p.owner_id
    where p.referral_id = any(${referralIds}::uuid[]) and p.dismissed_at is null
    order by p.id`.execute(db);
  return Map.groupBy(rows, ({ referralId }) => referralId);
}

/** The condition that a prompt `p` is for this side, or that the operators look after it. */
export function isPromptForSql(forWhom: Side | 'operators'): RawBuilder<unknown> {
  return {
    operators: sql`p.owner_id is null`,
    provider: sql`p.side = 'provider'`,
    referrer: sql`(p.side = 'referrer' or p.kind = any(${promptKindsShownToReferrer}::text[]))`,
  }[forWhom];
}

export async function setDismissed(
  trx: Trx,
  id: string,
  { name, at }: { name: string; at: Date },
): Promise<void> {
  await trx
    .updateTable('referral_prompts')
    .set({ dismissed_at: at, dismissed_by_name: name })
    .where('id', '=', id)
    .execute();
}

/**
 * Deletes the prompts of these kinds, also those that somebody has dismissed: if the reason of one is still there, it is asked again.
 */
export async function deletePrompts(
  trx: Trx,
  referralId: string,
  kinds: readonly PromptKind[],
): Promise<void> {
  await trx
    .deleteFrom('referral_prompts')
    .where('referral_id', '=', referralId)
    .where('kind', '=', anyOfValuesSql(kinds))
    .execute();
}

export type OwnedPrompt = {
  id: string;
  referralId: string;
  kind: PromptKind;
  side: PromptSide;
  ownerId: string | null;
  dueOn: string | null;
};

/** Stores the prompts that somebody is told of now, for the first time, again or in place of somebody else. */
export async function savePrompts(trx: Trx, prompts: readonly OwnedPrompt[], at: Date): Promise<void> {
  await sql`
    insert into referral_prompts (id, referral_id, kind, side, owner_id, made_at, told_at, due_on)
    select id, "referralId", kind, side, "ownerId", ${at}, ${at}, "dueOn"
    from json_to_recordset(${JSON.stringify(prompts)}::json)
      as given(id uuid, "referralId" uuid, kind text, side text, "ownerId" uuid, "dueOn" date)
    on conflict (referral_id, kind) do update set owner_id = excluded.owner_id, told_at = excluded.told_at,
      due_on = excluded.due_on`.execute(trx);
}
