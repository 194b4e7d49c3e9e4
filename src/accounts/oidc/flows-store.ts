import type { Db, Trx } from '../../platform/database/index.ts';

type FlowRow = {
  stateHash: Buffer;
  browserHash: Buffer;
  accountId: string | null;
  sealed: Buffer;
  expiresAt: Date;
};

/** Stores a flow, and deletes expired ones, so that many unfinished flows do not fill the table. */
export async function insertFlow(trx: Trx, flow: FlowRow, now: Date): Promise<void> {
  await deleteExpiredSignInFlows(trx, now);
  const { stateHash, browserHash, accountId, sealed, expiresAt } = flow;
  await trx
    .insertInto('oidc_flows')
    .values({
      state_hash: stateHash,
      browser_hash: browserHash,
      account_id: accountId,
      sealed,
      expires_at: expiresAt,
    })
    .execute();
}

/** Takes a flow out of the table. If two requests want the same flow, one gets it. */
export async function takeFlowRow(
  db: Db,
  stateHash: Buffer,
  now: Date,
): Promise<Omit<FlowRow, 'stateHash' | 'expiresAt'> | undefined> {
  const flow = db.deleteFrom('oidc_flows').where('state_hash', '=', stateHash).where('expires_at', '>', now);
  const columns = ['browser_hash as browserHash', 'account_id as accountId', 'sealed'] as const;
  return flow.returning(columns).executeTakeFirst();
}

export async function deleteExpiredSignInFlows(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('oidc_flows').where('expires_at', '<=', now).execute();
}
