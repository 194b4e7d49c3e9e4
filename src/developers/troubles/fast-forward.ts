import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { spanLengthsMs, type TimeSpan } from '../../delivery/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { secondMs } from '../../platform/durations.ts';
import { fastForwardTokens, findNextExpiry, type TokenDeps } from '../../tokens/index.ts';
import { fastForwardWebhooks, listNextCalls } from '../../webhooks/index.ts';

type Moment = { at: Date; what: string; webhookId: string | null };

/**
 * Moves time on for the caller's own webhooks and access tokens: brings nearer when calls are repeated or given up, and when
 * tokens expire. What is due then happens at once; nothing that is past changes.
 * The audit calls it by an older name, `clock_moved`; no clock moves.
 * @returns by how much, and what comes next.
 */
export async function fastForwardAccount(
  deps: TokenDeps,
  caller: Caller,
  { by, ipAddress }: { by: TimeSpan; ipAddress: string },
): Promise<{ movedMs: number; next: Moment[] }> {
  const now = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const { accountId } = caller;
    const movedMs = by === 'next' ? await msUntilNext(trx, caller, now) : spanLengthsMs[by];
    await fastForwardWebhooks(trx, deps, accountId, movedMs);
    await fastForwardTokens(trx, accountId, movedMs);
    await recordAudit(trx, {
      at: now,
      actor: actorOf(caller, ipAddress),
      action: 'simulator.clock_moved',
      subject: { type: 'account', id: accountId },
      details: { seconds: Math.round(movedMs / secondMs) },
    });
    return { movedMs, next: await listMoments(trx, accountId, now) };
  });
}

async function msUntilNext(trx: Trx, { accountId }: Caller, now: Date): Promise<number> {
  const moments = await listMoments(trx, accountId, now);
  const next = moments.find(({ at }) => at > now);
  // One more millisecond, because the database keeps microseconds: the moment may be later within this one.
  return next ? next.at.getTime() - now.getTime() + 1 : 0;
}

/** The next moments at which something happens for an account, soonest first. */
async function listMoments(trx: Trx, accountId: string, now: Date): Promise<Moment[]> {
  const calls = await listNextCalls(trx, accountId);
  const expiry = await findNextExpiry(trx, accountId, now);
  return [
    ...calls.map(({ webhookId, at }) => ({ at, what: 'The webhook is called', webhookId })),
    ...(expiry ? [{ at: expiry, what: 'An access token expires', webhookId: null }] : []),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
}
