import { sql } from 'kysely';
import { anyOf, type Db, type Trx } from '../../../platform/database/index.ts';
import type { Side } from '../state-machine.ts';

/** A referral, message or change that nobody of one side has seen yet. */
export type UnseenNews = {
  /** That of the referral, message or change. */
  id: string;
  kind: 'referral' | 'message' | 'change';
  referralId: string;
  /** The side that has not seen it. */
  side: Side;
  nextStep: TellingStep;
  /** The accounts that were told. */
  told: string[];
};

/** Who is told of unseen news, one after the other. */
export const tellingSteps = ['owner', 'deputy', 'operators'] as const;
export type TellingStep = (typeof tellingSteps)[number];

export type NewUnseenNews = Pick<UnseenNews, 'id' | 'kind' | 'referralId' | 'side'> & {
  authorId: string;
  dueAt: Date;
};

/** What is listed already stays as it is. */
export async function insertUnseen(trx: Trx, news: readonly NewUnseenNews[]): Promise<void> {
  if (news.length === 0) return;
  await trx
    .insertInto('unseen_news')
    .values(
      news.map(({ id, kind, referralId, side, authorId, dueAt }) => ({
        id,
        kind,
        referral_id: referralId,
        side,
        author_id: authorId,
        due_at: dueAt,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function deleteUnseen(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom('unseen_news').where('id', '=', anyOf(ids)).execute();
}

/** Deletes the messages that somebody on these sides has now seen. @param ids only these; all if it is left out */
export async function deleteUnseenMessages(
  trx: Trx,
  referralId: string,
  { sides, accountId }: { sides: readonly Side[]; accountId: string },
  ids?: readonly string[],
): Promise<void> {
  if (sides.length === 0) return;
  await trx
    .deleteFrom('unseen_news')
    .where('referral_id', '=', referralId)
    .where('kind', '=', 'message')
    .where('side', 'in', sides)
    .where('author_id', '<>', accountId)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${[...(ids ?? [])]}::uuid[])`))
    .execute();
}

/** Records who of the service was the first to see a referral. @returns false if somebody had before */
export async function setSeen(
  trx: Trx,
  referralId: string,
  { name, at }: { name: string; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('referrals')
    .set({ seen_at: at, seen_by_name: name })
    .where('id', '=', referralId)
    .where('seen_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await deleteUnseen(trx, [referralId]);
  return true;
}

/** The referrals with unseen news for which a step is due, the longest overdue first. */
export async function listWithDueNews(
  db: Db,
  now: Date,
  { without, limit }: { without: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select referral_id as id from unseen_news
    where due_at <= ${now} and referral_id <> all(${without}::uuid[])
    group by referral_id order by min(due_at) limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks the due news of referrals, so that two processes do not tell of it at once. */
export async function lockDueNews(
  trx: Trx,
  referralIds: readonly string[],
  now: Date,
): Promise<UnseenNews[]> {
  const { rows } = await sql<UnseenNews>`
    select id, kind, referral_id as "referralId", side, next_step as "nextStep", told from unseen_news
    where referral_id = any(${[...referralIds]}::uuid[]) and due_at <= ${now} order by id for update`.execute(
    trx,
  );
  return rows;
}

/** What comes next for some news, and who has just been told. */
type NextStep = { id: string; nextStep: TellingStep; told: readonly string[]; dueAt: Date | null };

export async function setNextSteps(trx: Trx, steps: readonly NextStep[]): Promise<void> {
  await sql`
    update unseen_news news
    set next_step = step."nextStep", told = news.told || step.told, due_at = step."dueAt"
    from json_to_recordset(${JSON.stringify(steps)}::json)
      as step(id uuid, "nextStep" text, told uuid[], "dueAt" timestamptz)
    where news.id = step.id`.execute(trx);
}
