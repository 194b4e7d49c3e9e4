import { type RawBuilder, sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../../platform/database/index.ts';
import { setSeen } from '../referrals-store.ts';
import type { Side } from '../status/state-machine.ts';
import { isPressingSql } from './dangers-store.ts';

/** What is watched. A new kind needs a migration that adds its row to `watch_kinds`. */
export const watchKinds = [
  'referral',
  'message',
  'change',
  'correction',
  'file',
  'words',
  'death',
  'ended',
] as const;
type WatchKind = (typeof watchKinds)[number];

/** What one side wrote and the other has not read. With `risk`, it has words of a crisis. */
export const writtenKinds = ['message', 'change', 'file', 'words'] as const satisfies WatchKind[];
/** What one side has added or changed, and the other has not seen. */
export const newsKinds = [...writtenKinds, 'correction'] as const satisfies WatchKind[];

/** A list of kinds, written into a statement. */
export function kindsSql(kinds: readonly WatchKind[]): RawBuilder<unknown> {
  return sql`(${sql.join(kinds.map((kind) => sql.lit(kind)))})`;
}

/**
 * A row of `watches`. Until somebody of one side has done what ends it, emails go to ever more people:
 * - a referral, message, change of the person's life, correction or file: until somebody has seen it;
 * - a file whose name has words of a crisis: until somebody has opened it;
 * - such words in an outcome, a reason, a note of a contact or a place: until somebody has opened the referral;
 * - a reported death: until somebody has confirmed or undone it;
 * - an end without help: until somebody has acted.
 */
export type Watch = {
  /** The id of the referral, message, change or file. What has none of its own (a correction, a death, an end, words) is given one. */
  id: string;
  kind: WatchKind;
  referralId: string;
  /** The side that has not seen it. */
  side: Side;
  nextStep: EscalationStep;
  /** The accounts that were told. */
  toldIds: string[];
  /** Who wrote or changed it. */
  authorId: string;
  /** Whether it is about a risk of serious harm. */
  risk: boolean;
};

/** What a watch of a file needs to know of it. */
export type NamedFile = { id: string; name: string; side: Side; authorId: string };

/** The files that were attached to a referral while it was a draft, and are still there. */
export function listNamedFiles(trx: Trx, referralId: string): Promise<NamedFile[]> {
  return trx
    .selectFrom('referral_attachments')
    .select(['id', 'name', 'side', 'author_id as authorId'])
    .$narrowType<Pick<NamedFile, 'side'>>()
    .where('referral_id', '=', referralId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Who is emailed while nobody has seen it, in this order. `colleagues` are the others of the same side. */
export const escalationSteps = ['owner', 'colleagues', 'operators'] as const;
export type EscalationStep = (typeof escalationSteps)[number];

export type NewWatch = Pick<Watch, 'id' | 'kind' | 'referralId' | 'side'> & {
  authorId: string;
  at: Date;
  dueAt: Date;
  risk?: boolean;
};

/** If something is watched already, its clock starts again. */
export async function startWatches(trx: Trx, watches: readonly NewWatch[]): Promise<void> {
  if (watches.length === 0) return;
  await trx
    .insertInto('watches')
    .values(
      watches.map(({ id, kind, referralId, side, authorId, at, dueAt, risk = false }) => ({
        id,
        kind,
        referral_id: referralId,
        side,
        author_id: authorId,
        at,
        due_at: dueAt,
        risk,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        author_id: row.ref('excluded.author_id'),
        at: row.ref('excluded.at'),
        due_at: row.ref('excluded.due_at'),
        risk: row.ref('excluded.risk'),
        next_step: 'owner',
        told: sql`'{}'`,
      })),
    )
    .execute();
}

export async function endWatches(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom('watches').where('id', '=', anyOfValuesSql(ids)).execute();
}

type Reader = { sides: readonly Side[]; accountId: string };

/** Somebody has confirmed that the person has died, or that they are alive. */
export async function endWatchOfDeath(trx: Trx, referralId: string): Promise<void> {
  await trx.deleteFrom('watches').where('referral_id', '=', referralId).where('kind', '=', 'death').execute();
}

type WhichWatches = { kinds: readonly Watch['kind'][]; ids?: readonly string[]; withoutRisk?: true };

/** Ends watches of what others wrote, for somebody on these sides who has now seen it. */
async function endWatchesSeenBy(
  trx: Trx,
  referralId: string,
  { sides, accountId }: Reader,
  { kinds, ids, withoutRisk }: WhichWatches,
): Promise<void> {
  if (sides.length === 0 || ids?.length === 0) return;
  await trx
    .deleteFrom('watches')
    .where('referral_id', '=', referralId)
    .where('kind', 'in', kinds)
    .where('side', 'in', sides)
    .where('author_id', '<>', accountId)
    .$if(ids !== undefined, (query) => query.where('id', '=', anyOfValuesSql(ids!)))
    .$if(withoutRisk === true, (query) => query.where('risk', '=', false))
    .execute();
}

/** Somebody on these sides has seen these messages, or opened these files. */
export function endWatchesOfNews(
  trx: Trx,
  referralId: string,
  reader: Reader,
  ids: readonly string[],
): Promise<void> {
  return endWatchesSeenBy(trx, referralId, reader, { kinds: ['message', 'file'], ids });
}

/** Somebody on these sides was shown that these files are there. One whose name has words of a crisis has to be opened. */
export function endWatchesOfFilesShown(
  trx: Trx,
  referralId: string,
  reader: Reader,
  ids: readonly string[],
): Promise<void> {
  return endWatchesSeenBy(trx, referralId, reader, { kinds: ['file'], ids, withoutRisk: true });
}

/** Somebody on these sides was shown the referral with its reasons, outcome and contacts. */
export function endWatchesOfCrisisWords(trx: Trx, referralId: string, reader: Reader): Promise<void> {
  return endWatchesSeenBy(trx, referralId, reader, { kinds: ['words'] });
}

/** Ends the watch of what the page of a referral shows: an urgent referral and its corrections. Messages and changes are read one by one. */
export function endWatchesOfReferral(trx: Trx, referralId: string, reader: Reader): Promise<void> {
  return endWatchesSeenBy(trx, referralId, reader, { kinds: ['referral', 'correction'] });
}

/**
 * Somebody of the service confirmed a message about a referral that was sent at this time, and so has seen the referral as it was
 * then.
 */
export async function noteSeenByLink(
  trx: Trx,
  referralId: string,
  { name, at, sentAt }: { name: string; at: Date; sentAt: Date },
): Promise<void> {
  await setSeen(trx, referralId, { name, at, byLink: true });
  await sql`
    delete from watches
    where referral_id = ${referralId} and kind in ('referral', 'correction') and side = 'provider'
      and (at is null or at <= ${sentAt})`.execute(trx);
}

/**
 * Whether the watch `u` says that nobody of the service has seen the referral: its own watch, or the watch of a change in the person’s
 * life, if nobody had opened the referral before that.
 */
export function isUnseenSql(seenAt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(u.side = 'provider' and (u.kind = 'referral' or u.kind = 'change' and ${seenAt} is null))`;
}

/** Whether the watch `u` is late: its first email has gone, or should have. */
export function isWatchLateSql(now: Date): RawBuilder<boolean> {
  return sql`(u.next_step <> 'owner' or u.due_at < ${now})`;
}

/** Of these referrals, those with something about a risk of harm that somebody has not seen. */
export async function listWithUnseenRisk(db: Db, referralIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('watches')
    .select('referral_id')
    .where('referral_id', '=', anyOfValuesSql(referralIds))
    .where('risk', '=', true)
    .execute();
  return new Set(rows.map((row) => row.referral_id));
}

/** Of these referrals, those about whose arrival, or transfer to another service, nobody there has noticed a risk. */
export async function listArrivedWithUnseenRisk(
  db: Db,
  referralIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('watches')
    .select('referral_id')
    .where('referral_id', '=', anyOfValuesSql(referralIds))
    .where('kind', 'in', ['referral', 'correction'])
    .where('side', '=', 'provider')
    .where('risk', '=', true)
    .execute();
  return new Set(rows.map((row) => row.referral_id));
}

/**
 * Of these referrals, the urgent or dangerous ones that nobody of the service has seen; `isLate` once somebody was told of that, or should
 * have been.
 */
export async function findUnseen(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, { isLate: boolean }>> {
  const { rows } = await sql<{ id: string; isLate: boolean }>`
    select r.id, bool_or(${isWatchLateSql(now)}) as "isLate"
    from watches u join referrals r on r.id = u.referral_id
    where u.referral_id = any(${[...ids]}::uuid[]) and ${isUnseenSql(sql`r.seen_at`)}
      and ${isPressingSql(sql`r.urgency`, sql`u.risk`)}
    group by r.id`.execute(db);
  return new Map(rows.map(({ id, isLate }) => [id, { isLate }]));
}

/** Of these referrals, those with a correction that nobody of the service has seen. */
export async function listWithUnseenCorrections(
  db: Db,
  referralIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('watches')
    .select('referral_id')
    .where('referral_id', '=', anyOfValuesSql(referralIds))
    .where('kind', '=', 'correction')
    .execute();
  return new Set(rows.map((row) => row.referral_id));
}

/**
 * A text that changes with the messages, life changes and files that nobody of the service has seen; undefined without any.
 */
export async function fingerprintOfUnread(db: Db, referralId: string): Promise<string | undefined> {
  const unread = await db
    .selectFrom('watches')
    .select('id')
    .where('referral_id', '=', referralId)
    .where('side', '=', 'provider')
    .where('kind', 'in', ['message', 'change', 'file'])
    .orderBy('id')
    .execute();
  return unread.length === 0 ? undefined : unread.map(({ id }) => id).join(' ');
}

/** The referrals with a watch that has a step due, the longest overdue first. */
export async function listWithDueWatches(
  db: Db,
  now: Date,
  { without, limit }: { without: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select referral_id as id from watches
    where due_at <= ${now} and referral_id <> all(${without}::uuid[])
    group by referral_id order by min(due_at) limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export type EscalationMoment = Pick<Watch, 'kind' | 'nextStep' | 'risk'> & { dueAt: Date };

/** Whom the site tells next of what nobody has seen of a referral, soonest first. */
export async function listNextSteps(db: Db, referralId: string): Promise<EscalationMoment[]> {
  const rows = await db
    .selectFrom('watches')
    .select(['kind', 'next_step as nextStep', 'due_at as dueAt', 'risk'])
    .where('referral_id', '=', referralId)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .execute();
  return rows as EscalationMoment[];
}

/** A test site moves the time of a referral on: its watches are due sooner. */
export async function bringWatchesNearer(trx: Trx, referralId: string, ms: number): Promise<void> {
  await sql`
    update watches set due_at = due_at - ${ms}::float8 * interval '1 millisecond'
    where referral_id = ${referralId} and due_at is not null`.execute(trx);
}

/** Locks the due watches of referrals, so that two processes do not email at once. */
export async function lockDueWatches(trx: Trx, referralIds: readonly string[], now: Date): Promise<Watch[]> {
  const { rows } = await sql<Watch>`
    select id, kind, referral_id as "referralId", side, next_step as "nextStep", told as "toldIds",
      author_id as "authorId", risk from watches
    where referral_id = any(${[...referralIds]}::uuid[]) and due_at <= ${now} order by id for update`.execute(
    trx,
  );
  return rows;
}

/** What comes next in a watch, and who has just been told. */
type NextStep = { id: string; nextStep: EscalationStep; newlyToldIds: readonly string[]; dueAt: Date | null };

export async function setNextSteps(trx: Trx, steps: readonly NextStep[]): Promise<void> {
  await sql`
    update watches w
    set next_step = step."nextStep", told = w.told || step."newlyToldIds", due_at = step."dueAt"
    from json_to_recordset(${JSON.stringify(steps)}::json)
      as step(id uuid, "nextStep" text, "newlyToldIds" uuid[], "dueAt" timestamptz)
    where w.id = step.id`.execute(trx);
}
