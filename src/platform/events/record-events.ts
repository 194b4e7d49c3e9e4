import { sql } from 'kysely';
import type { Trx } from '../database/index.ts';
import { newId } from '../ids/index.ts';

/** Something that client systems may want to know. It has no details: those who want them read the resource. */
type NewEvent = {
  /** A noun and what happened to it, such as `referral.accepted`. The webhooks room has the list. */
  type: `${string}.${string}`;
  /** `path` is where the API shows it. */
  resource: { type: string; id: string; path: string };
  /** The referral that it is about. Those who may see the referral may see the event; without one, everybody may. */
  referralId?: string;
  /** The only side of the referral that may see it; `operators` for neither side. Operators see every event. */
  side?: 'referrer' | 'provider' | 'operators';
};

/**
 * Records events in the transaction that makes them true: they exist if and only if it commits. Their order, and who is
 * told of them, is decided afterwards, so that no change waits for it.
 */
export async function recordEvents(trx: Trx, events: readonly NewEvent[], at: Date): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ type, resource, referralId, side }) => ({
    id: newId(at.getTime()),
    type,
    resource_type: resource.type,
    resource_id: resource.id,
    path: resource.path,
    referral_id: referralId,
    side,
  }));
  await sql`
    insert into new_events (id, type, resource_type, resource_id, path, referral_id, side, created_at)
    select e.id, e.type, e.resource_type, e.resource_id, e.path, e.referral_id, e.side, ${at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as e(id uuid, type text, resource_type text,
      resource_id text, path text, referral_id uuid, side text)`.execute(trx);
}
