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
  const query = db.selectFrom('return_addresses').select('address').where('address', '=', address);
  return (await query.executeTakeFirst()) !== undefined;
}

/** @returns false if it is registered already. */
export async function insertReturnAddress(
  trx: Trx,
  { address, addedAt, addedBy }: RegisteredAddress,
): Promise<boolean> {
  const result = await trx
    .insertInto('return_addresses')
    .values({ address, added_at: addedAt, added_by: addedBy })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** @returns false if it is not registered. */
export async function deleteReturnAddress(trx: Trx, address: string): Promise<boolean> {
  const result = await trx.deleteFrom('return_addresses').where('address', '=', address).executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Since when, and by whom, any address of the users’ own computers is allowed; undefined if it is not. */
export async function findLocalhostRule(db: Db): Promise<{ allowedAt: Date; allowedBy: string } | undefined> {
  return db
    .selectFrom('localhost_return')
    .select(['allowed_at as allowedAt', 'allowed_by as allowedBy'])
    .executeTakeFirst();
}

/** Stores the rule, or with null deletes it. @returns whether this changed anything. */
export async function setLocalhostRule(trx: Trx, rule: { at: Date; by: string } | null): Promise<boolean> {
  if (rule === null) {
    const { numDeletedRows } = await trx.deleteFrom('localhost_return').executeTakeFirst();
    return numDeletedRows > 0n;
  }
  const result = await trx
    .insertInto('localhost_return')
    .values({ allowed_at: rule.at, allowed_by: rule.by })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
