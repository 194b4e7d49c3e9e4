import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import type { Side } from '../../model/status/state-machine.ts';

/** When something began that makes a referral need somebody. */
export type Moments = {
  /** The question that this side has to answer. */
  questionAt?: Date | null | undefined;
  /** The oldest news that the reader, or nobody of their side, has seen. */
  newsAt?: Date | null | undefined;
  /** Its status. */
  statusAt?: Date | null | undefined;
};

/** The moments of these referrals for an account of this side, by the referral’s id. */
export async function findMoments(
  db: Db,
  referralIds: readonly string[],
  { side, accountId }: { side: Side; accountId: string },
): Promise<Map<string, Moments>> {
  if (referralIds.length === 0) return new Map();
  const { rows } = await sql<Moments & { id: string }>`
    select r.id,
      (select q.at from open_questions q where q.referral_id = r.id and q.side = ${side}) as "questionAt",
      least(
        (select min(m.at) from referral_messages m where m.referral_id = r.id and m.author_id <> ${accountId}
          and (reading.last_message_id is null or m.id > reading.last_message_id)),
        (select min(a.at) from referral_attachments a where a.referral_id = r.id and a.author_id <> ${accountId}
          and a.removed_at is null and a.at >= r.requested_at
          and (reading.last_attachment_id is null or a.id > reading.last_attachment_id)),
        (select min(u.at) from watches u where u.referral_id = r.id and u.side = ${side} and u.kind <> 'referral')
      ) as "newsAt",
      (select max(h.at) from referral_history h
        where h.referral_id = r.id and h.from_status is distinct from h.to_status) as "statusAt"
    from referrals r
      left join referral_readings reading on reading.referral_id = r.id and reading.account_id = ${accountId}
    where r.id = any(${[...referralIds]}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...moments }) => [id, moments]));
}
