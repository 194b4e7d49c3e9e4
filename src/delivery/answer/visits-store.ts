import { sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';

/** Who opened a referral with a code in a browser, in their own words. */
export type Visitor = { name: string; role: string };

type VisitOfLink = { linkId: string; tokenHash: Buffer };

/**
 * Opens a link for a browser that entered a code. The browser gets a new cookie, and what its earlier one opened moves to it. So a cookie
 * that somebody planted never opens anything.
 */
export async function insertVisit(
  trx: Trx,
  { linkId, tokenHash, codeAddress }: VisitOfLink & { codeAddress: string },
  { earlierHash, visitor, endsAt }: { earlierHash: Buffer | undefined; visitor: Visitor; endsAt: Date },
): Promise<void> {
  if (earlierHash) {
    await trx
      .deleteFrom('answer_link_visits')
      .where('token_hash', '=', earlierHash)
      .where('link_id', '=', linkId)
      .execute();
    await trx
      .updateTable('answer_link_visits')
      .set({ token_hash: tokenHash })
      .where('token_hash', '=', earlierHash)
      .execute();
  }
  await trx
    .insertInto('answer_link_visits')
    .values({
      token_hash: tokenHash,
      link_id: linkId,
      code_address: codeAddress,
      by_name: visitor.name,
      by_role: visitor.role,
      ends_at: endsAt,
    })
    .execute();
}

/** Who opened the link in this browser with a code to one of these mailboxes or mobiles; undefined if nobody did, or their time is over. */
export async function findVisitor(
  db: Db,
  { linkId, tokenHash, codeAddresses }: VisitOfLink & { codeAddresses: readonly string[] },
  now: Date,
): Promise<Visitor | undefined> {
  return db
    .selectFrom('answer_link_visits')
    .select(['by_name as name', 'by_role as role'])
    .where('token_hash', '=', tokenHash)
    .where('link_id', '=', linkId)
    .where('code_address', '=', anyOfValuesSql(codeAddresses))
    .where('ends_at', '>', now)
    .executeTakeFirst();
}

/** Closes everything that this browser has opened. */
export async function deleteVisits(trx: Trx, tokenHash: Buffer): Promise<void> {
  await trx.deleteFrom('answer_link_visits').where('token_hash', '=', tokenHash).execute();
}

export async function deleteEndedAnswerVisits(db: Db, now: Date): Promise<void> {
  await sql`delete from answer_link_visits where ends_at <= ${now}`.execute(db);
}

/** Closes in every browser what codes have opened. */
export async function deleteAllVisits(trx: Trx): Promise<void> {
  await trx.deleteFrom('answer_link_visits').execute();
}
