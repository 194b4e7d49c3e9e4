import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { AttemptOutcome, DeliveryLeg, DeliveryPurpose, DeliveryStatus } from '../../referrals/index.ts';
import { isPressingReferralSql, type UndeliveredKind } from '../model/undelivered-store.ts';

/** A row of the worklist, open or closed. */
type Row = {
  kind: UndeliveredKind;
  reason: string;
  escalated: boolean;
  opened_at: Date;
  owner: { id: string; name: string } | null;
  closed_at: Date | null;
  closed_as: 'resolved' | 'retried' | 'another-way' | 'by-hand' | null;
  closed_by: { id: string; name: string } | null;
  closing_words: string | null;
};

/** A delivery as an operator sees it, without anything clinical. */
export type UndeliveredDelivery = {
  id: string;
  referral: { id: string; reference: string };
  leg: DeliveryLeg;
  purpose: DeliveryPurpose;
  recipient: string | null;
  channel: string | null;
  status: DeliveryStatus;
  simulated: boolean;
  /** The referral is urgent or tells of a danger. Pages show it; the API does not. */
  isPressing: boolean;
  created_at: Date;
  updated_at: Date;
  /** Null for a delivery that never was on the worklist. */
  worklist: Row | null;
  /** The caller may not know which service the referral is to. */
  isServiceHidden?: true;
};

export type ListedAttempt = { at: Date; channel: string; outcome: AttemptOutcome; detail: string };

export type UndeliveredFilter = {
  open: boolean;
  owner: string | undefined;
  kind: UndeliveredKind | undefined;
  /** Only what is urgent, or tells of a danger. */
  pressingOnly?: boolean;
};

const columnsSql = sql`
  d.id, json_build_object('id', r.id, 'reference', r.reference) as referral, d.leg, d.purpose,
  d.receiver_name as recipient, d.channel, d.status, d.simulated, d.created_at, d.updated_at,
  ${isPressingReferralSql} as "isPressing", w.delivery_id is not null as listed, w.kind, w.reason, w.escalated, w.opened_at, w.owner_id, o.name as owner_name,
  w.closed_at, w.closed_as, w.closed_by, c.name as closed_by_name, w.closing_words`;
const peopleAndReferralSql = sql`
  join referrals r on r.id = d.referral_id
  left join accounts o on o.id = w.owner_id left join accounts c on c.id = w.closed_by`;

/** Pressing rows first, then by the time at which they were opened. A page begins after the last row of the one before. */
export async function listUndelivered(
  db: Db,
  { open, owner, kind, pressingOnly }: UndeliveredFilter,
  page: { after: { pressing: boolean; openedAt: Date; deliveryId: string } | undefined; limit: number },
): Promise<UndeliveredDelivery[]> {
  const conditions = [
    open ? sql`w.closed_at is null` : sql`w.closed_at is not null`,
    ...(owner === undefined ? [] : [sql`w.owner_id = ${owner}`]),
    ...(kind === undefined ? [] : [sql`w.kind = ${kind}`]),
    ...(pressingOnly ? [isPressingReferralSql] : []),
    ...(page.after
      ? [
          sql`(not ${isPressingReferralSql}, w.opened_at, w.delivery_id)
          > (${!page.after.pressing}, ${page.after.openedAt}, ${page.after.deliveryId})`,
        ]
      : []),
  ];
  const { rows } = await sql<FlatRow>`
    select ${columnsSql} from worklist w join deliveries d on d.id = w.delivery_id ${peopleAndReferralSql}
    where ${sql.join(conditions, sql` and `)} order by not ${isPressingReferralSql}, w.opened_at, w.delivery_id limit ${page.limit}`.execute(
    db,
  );
  return rows.map(fromFlat);
}

export async function findUndelivered(db: Db, id: string): Promise<UndeliveredDelivery | undefined> {
  const { rows } = await sql<FlatRow>`
    select ${columnsSql} from deliveries d left join worklist w on w.delivery_id = d.id ${peopleAndReferralSql}
    where d.id = ${id}`.execute(db);
  return rows[0] && fromFlat(rows[0]);
}

export function listAttempts(db: Db, deliveryId: string): Promise<ListedAttempt[]> {
  return db
    .selectFrom('delivery_attempts')
    .select(['at', 'channel', 'outcome', 'detail'])
    .$narrowType<Pick<ListedAttempt, 'outcome'>>()
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute();
}

/** Counts open rows that are escalated or were opened before `openSince`. */
export async function countLongOpen(db: Db, openSince: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from worklist
    where closed_at is null and (escalated or opened_at <= ${openSince})`.execute(db);
  return rows[0]!.count;
}

type FlatRow = Omit<UndeliveredDelivery, 'worklist'> &
  Omit<Row, 'owner' | 'closed_by'> & {
    listed: boolean;
    owner_id: string | null;
    owner_name: string | null;
    closed_by: string | null;
    closed_by_name: string | null;
  };

function fromFlat(flat: FlatRow): UndeliveredDelivery {
  const { listed, kind, reason, escalated, opened_at, closed_at, closed_as, closing_words, ...rest } = flat;
  const { owner_id, owner_name, closed_by, closed_by_name, ...delivery } = rest;
  const person = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });
  const row = { kind, reason, escalated, opened_at, closed_at, closed_as, closing_words };
  const people = { owner: person(owner_id, owner_name), closed_by: person(closed_by, closed_by_name) };
  return { ...delivery, worklist: listed ? { ...row, ...people } : null };
}
