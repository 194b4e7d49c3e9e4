import type { Db, Trx } from '../../platform/database/index.ts';

export type RegisteredAddress = { address: string; addedAt: Date; addedBy: string };

export async function listReturnAddresses(db: Db): Promise<RegisteredAddress[]> {
  return db
    .selectFrom('return_addresses')
    .select(['address', 'added_at as addedAt', 'added_by as addedBy'])
    .orderBy('address')
    .execute();
}

export async function isRegisteredReturnAddress(db: Db, address: string): Promise<boolean> {
  const registered = db.selectFrom('return_addresses').select('address').where('address', '=', address);
  return (await registered.executeTakeFirst()) !== undefined;
}

/** @returns false if it is registered already. */
export async function insertReturnAddress(trx: Trx, given: RegisteredAddress): Promise<boolean> {
  const inserted = await trx
    .insertInto('return_addresses')
    .values({ address: given.address, added_at: given.addedAt, added_by: given.addedBy })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** @returns false if it is not registered. */
export async function deleteReturnAddress(trx: Trx, address: string): Promise<boolean> {
  const deleted = await trx.deleteFrom('return_addresses').where('address', '=', address).executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

/** Since when, and by whom, any address of the users’ own computers is allowed; undefined if it is not. */
export async function findLocalhostRule(db: Db): Promise<{ allowedAt: Date; allowedBy: string } | undefined> {
  return db
    .selectFrom('localhost_return')
    .select(['allowed_at as allowedAt', 'allowed_by as allowedBy'])
    .executeTakeFirst();
}

/** @returns whether this changed the rule. */
export async function setLocalhostRule(trx: Trx, rule: { at: Date; by: string } | null): Promise<boolean> {
  if (rule === null) {
    const { numDeletedRows } = await trx.deleteFrom('localhost_return').executeTakeFirst();
    return numDeletedRows > 0n;
  }
  const inserted = await trx
    .insertInto('localhost_return')
    .values({ allowed_at: rule.at, allowed_by: rule.by })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}
