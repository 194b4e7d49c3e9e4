import { sql } from 'kysely';
import { type Columns, copyRows, type Trx } from '../database/index.ts';
import { newId } from '../ids/index.ts';

/** Something that client systems may want to know of. Never a detail of it: whoever wants that reads the resource. */
type NewEvent = {
  /** A noun and what became of it, such as `referral.accepted`; the webhooks room has the list of all. */
  type: `${string}.${string}`;
  /** `path` is where the API shows it. */
  resource: { type: string; id: string; path: string };
  /** The referral that it is about: whoever may see that may see the event. Left out, everybody may. */
  referralId?: string;
};

/**
 * Writes events down in the transaction that makes them true: there is an event if and only if that commits. This is all
 * that a change waits for. Which place they take among the others, and who is told, is seen to afterwards.
 */
export async function recordEvents(trx: Trx, events: readonly NewEvent[], at: Date): Promise<void> {
  if (events.length === 0) return;
  if (events.length >= many) return copyEvents(trx, events, at);
  const rows = events.map(({ type, resource, referralId }) => ({
    id: newId(at.getTime()),
    type,
    resource_type: resource.type,
    resource_id: resource.id,
    path: resource.path,
    referral_id: referralId,
  }));
  await sql`
    /* prepared as insert-new-events */
    insert into new_events (id, type, resource_type, resource_id, path, referral_id, created_at)
    select e.id, e.type, e.resource_type, e.resource_id, e.path, e.referral_id, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id uuid, type text, resource_type text,
      resource_id text, path text, referral_id uuid)`.execute(trx);
}

/** From here on COPY takes less time, as an import's batches show. */
const many = 50;

async function copyEvents(trx: Trx, events: readonly NewEvent[], at: Date): Promise<void> {
  const columns = {
    id: (_, into) => into.uuid(newId(at.getTime())),
    type: ({ type }, into) => into.text(type),
    resource_type: ({ resource }, into) => into.text(resource.type),
    resource_id: ({ resource }, into) => into.text(resource.id),
    path: ({ resource }, into) => into.text(resource.path),
    referral_id: ({ referralId = null }, into) => into.uuid(referralId),
    created_at: (_, into) => into.moment(at),
  } satisfies Columns<NewEvent>;
  await copyRows(trx, 'new_events', columns, events);
}
