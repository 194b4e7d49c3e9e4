import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

export type RegisteredAddress = { address: string; addedAt: Date; addedBy: string };

export async function listReturnAddresses(db: Db): Promise<RegisteredAddress[]> {
  const { rows } = await sql<RegisteredAddress>`
    select address, added_at as "addedAt", added_by as "addedBy" from return_addresses order by address`.execute(
    db,
  );
  return rows;
}

export async function isRegistered(db: Db, address: string): Promise<boolean> {
  const { rows } = await sql`select 1 from return_addresses where address = ${address}`.execute(db);
  return rows.length === 1;
}

/** @returns false where it is registered already. */
export async function insertReturnAddress(trx: Trx, given: RegisteredAddress): Promise<boolean> {
  const { rows } = await sql`
    insert into return_addresses (address, added_at, added_by)
    values (${given.address}, ${given.addedAt}, ${given.addedBy})
    on conflict (address) do nothing returning 1`.execute(trx);
  return rows.length === 1;
}

/** @returns false where it is not registered. */
export async function deleteReturnAddress(trx: Trx, address: string): Promise<boolean> {
  const { rows } = await sql`delete from return_addresses where address = ${address} returning 1`.execute(
    trx,
  );
  return rows.length === 1;
}
