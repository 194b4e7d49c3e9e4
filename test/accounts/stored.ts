import { type Selectable, sql } from 'kysely';
import { insertPasskey } from '../../src/accounts/factors/passkeys-store.ts';
import { updateDisabledAt } from '../../src/accounts/model/accounts-store.ts';
import { type Db, inTransaction, type Trx } from '../../src/platform/database/index.ts';
import type { Throttles } from '../../src/platform/database/tables.ts';
import { newId } from '../../src/platform/ids/index.ts';

// What the database holds of accounts, and what tests change there.

/** As if somebody had never chosen a password. @returns the hash of the password that they had */
export async function removePassword(db: Db, accountId: string): Promise<string> {
  const hashes = db.selectFrom('accounts').select('password_hash').where('id', '=', accountId);
  const { password_hash: hash } = await hashes.executeTakeFirstOrThrow();
  await db.updateTable('accounts').set({ password_hash: null }).where('id', '=', accountId).execute();
  return hash!;
}

/** Stores a passkey of somebody, which no device has. */
export async function storePasskey(db: Db, accountId: string): Promise<void> {
  const key = {
    credentialId: newId(),
    publicKey: Buffer.alloc(1),
    signCount: 0,
    transports: [],
    name: 'Key',
  };
  const passkey = { id: newId(), accountId, createdAt: new Date(), ...key };
  await inTransaction(db, (trx) => insertPasskey(trx, passkey));
}

/** Disables an account without signing it out, so that only who can open a worklist changes. */
export function disableAccount(db: Db, id: string): Promise<void> {
  return inTransaction(db, (trx) => updateDisabledAt(trx, id, new Date()));
}

/** Stores an account that no sign-in can use, as a version of long ago may have left it. @returns its id. */
export async function storeAccount(
  db: Db,
  { email, name = 'x' }: { email: string; name?: string },
): Promise<string> {
  const account = { id: newId(), email, name, roles: ['referrer'], created_at: new Date() };
  await db.insertInto('accounts').values(account).execute();
  return account.id;
}

/** Gives somebody the password of this hash. */
export async function setPasswordHash(db: Db, accountId: string, hash: string): Promise<void> {
  await db.updateTable('accounts').set({ password_hash: hash }).where('id', '=', accountId).execute();
}

/** Gives somebody another email address, and tells nobody. */
export async function setEmail(db: Db, accountId: string, email: string): Promise<void> {
  await db.updateTable('accounts').set({ email }).where('id', '=', accountId).execute();
}

/** Locks an account until the transaction ends. */
export async function lockAccount(trx: Trx, accountId: string): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}

/** Gives somebody an authenticator app, which no device has. */
export async function storeAuthenticator(db: Db, accountId: string, at: Date): Promise<void> {
  await db
    .insertInto('authenticators')
    .values({ account_id: accountId, sealed: Buffer.alloc(0), created_at: at, confirmed_at: at })
    .execute();
}

/** Changes an octet of a sealed authenticator, as if it had been sealed under another site key. */
export async function damageAuthenticator(db: Db, accountId: string): Promise<void> {
  await sql`
    update authenticators set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)
    where account_id = ${accountId}`.execute(db);
}

/** The hashes of all passwords, as they are stored. */
export async function storedPasswordHashes(db: Db): Promise<(string | null)[]> {
  const accounts = await db.selectFrom('accounts').select('password_hash').orderBy('id').execute();
  return accounts.map(({ password_hash }) => password_hash);
}

/** Ends somebody's keys, and tells no process of it. */
export async function endKeysSilently(db: Db, email: string): Promise<void> {
  await db
    .updateTable('accounts')
    .set(({ eb }) => ({ key_epoch: eb('key_epoch', '+', 1) }))
    .where('email', '=', email)
    .execute();
}

/** What is remembered of sign-ins that failed, and of networks that are trusted. */
export function storedThrottles(db: Db): Promise<Selectable<Throttles>[]> {
  return db.selectFrom('throttles').selectAll().execute();
}

/** Sets where an organisation’s copies may be sent. */
export async function setMailbox(db: Db, name: string, mailbox: string): Promise<void> {
  const changed = await db
    .updateTable('organisations')
    .set({ mailbox })
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  if (changed.numUpdatedRows === 0n) throw new Error(`there is no organisation ${name}`);
}

/** The names of the organisations that begin with a text. */
export async function storedOrganisationNames(db: Db, beginning: string): Promise<string[]> {
  const rows = await db
    .selectFrom('organisations')
    .select('name')
    .where('name', 'like', `${beginning}%`)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Sets the roles of an account, past the checks of the site. */
export async function overwriteRoles(db: Db, accountId: string, roles: string[]): Promise<void> {
  await db.updateTable('accounts').set({ roles }).where('id', '=', accountId).execute();
}

/** As if an operator had changed the organisation’s name. */
export async function renameOrganisation(db: Db, from: string, to: string): Promise<void> {
  await db.updateTable('organisations').set({ name: to }).where('name', '=', from).execute();
}

/** The email addresses of the people whose names contain a word. */
export async function emailsOfPeopleNamed(db: Db, word: string): Promise<string[]> {
  const people = await db.selectFrom('accounts').select('email').where('name', 'like', `%${word}%`).execute();
  return people.map(({ email }) => email);
}
