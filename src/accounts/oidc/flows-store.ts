import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

type FlowRow = {
  stateHash: Buffer;
  browserHash: Buffer;
  accountId: string | null;
  sealed: Buffer;
  expiresAt: Date;
};

/** Keeps a flow, and forgets those that have run out: beginning many and finishing none fills no table for long. */
export async function insertFlow(trx: Trx, flow: FlowRow, now: Date): Promise<void> {
  await deleteExpiredFlows(trx, now);
  await sql`
    insert into oidc_flows (state_hash, browser_hash, account_id, sealed, expires_at)
    values (${flow.stateHash}, ${flow.browserHash}, ${flow.accountId}, ${flow.sealed}, ${flow.expiresAt})`.execute(
    trx,
  );
}

/** Takes a flow out, for good. Of two that ask for one flow, one gets it. */
export async function takeFlowRow(
  db: Db,
  stateHash: Buffer,
  now: Date,
): Promise<Omit<FlowRow, 'stateHash' | 'expiresAt'> | undefined> {
  const { rows } = await sql<Omit<FlowRow, 'stateHash' | 'expiresAt'>>`
    delete from oidc_flows where state_hash = ${stateHash} and expires_at > ${now}
    returning browser_hash as "browserHash", account_id as "accountId", sealed`.execute(db);
  return rows[0];
}

export async function deleteExpiredFlows(db: Db, now: Date): Promise<void> {
  await sql`delete from oidc_flows where expires_at <= ${now}`.execute(db);
}
