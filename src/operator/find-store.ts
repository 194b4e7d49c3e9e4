import { sql } from 'kysely';
import type { Db } from '../platform/database/index.ts';

type ServiceResult = { id: string; name: string; status: string; organization: string | null };

/** Services with this text in their name, or with this id; those whose name begins with it first. */
export async function findServicesByName(db: Db, text: string, limit: number): Promise<ServiceResult[]> {
  const { rows } = await sql<ServiceResult>`
    select s.id, s.name, s.status, o.name as organization
    from services s left join organizations o on o.id = s.organization_id
    where s.id = ${text} or strpos(lower(s.name), lower(${text})) > 0
    order by s.id <> ${text}, s.status <> 'active', strpos(lower(s.name), lower(${text})), lower(s.name), s.id
    limit ${limit}`.execute(db);
  return rows;
}

/** The referral with exactly this reference. Drafts are left out, because only their author may see them. */
export async function findSentReferral(
  db: Db,
  reference: string,
): Promise<{ id: string; reference: string } | undefined> {
  const { rows } = await sql<{ id: string; reference: string }>`
    select id, reference from referrals
    where reference = ${reference} and requested_at is not null and status <> 'draft'`.execute(db);
  return rows[0];
}
