import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { countAccounts, createAccount, theSite } from '../accounts/index.ts';
import { importPostcodes, importPractices, importServices } from '../exchange/index.ts';
import { hasServices } from '../library/index.ts';
import { type Db, holdLock, inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { randomBytes } from '../platform/secrets/index.ts';
import { sampleAccounts } from './sample-accounts.ts';

const folder = join(import.meta.dirname, '..', '..', 'sample');

export type SampleAccount = { email: string; password: string; what: string };

/**
 * Fills an empty test site with the sample library, practices, postcodes and accounts, so that a newcomer can make a referral
 * in the first minute. It is one transaction: all of it is there, or none. Of several processes that start together
 * one does it.
 * @returns the accounts it made, with passwords that are kept nowhere else; none where the site is not empty.
 */
export async function loadSample(platform: Platform): Promise<SampleAccount[]> {
  const { sample, mode } = platform.settings;
  if (sample === false || mode === 'live' || !(await isEmpty(platform.db))) return [];
  return inTransaction(platform.db, async (trx) => {
    await holdLock(trx, 'sample');
    if (!(await isEmpty(trx))) return [];
    const within = { ...platform, db: trx };
    await importServices(within, theSite, createReadStream(join(folder, 'library.ndjson')));
    await importPractices(within, theSite, createReadStream(join(folder, 'practices.csv')));
    await importPostcodes(within, theSite, createReadStream(join(folder, 'postcodes.csv')));
    const made: SampleAccount[] = [];
    for (const { what, ...account } of sampleAccounts) {
      const password = newPassword();
      await createAccount(within, theSite, { ...account, password });
      made.push({ email: account.email, password, what });
    }
    return made;
  });
}

async function isEmpty(db: Db): Promise<boolean> {
  return (await countAccounts(db)) === 0 && !(await hasServices(db));
}

/** Four groups of five letters and digits that are hard to confuse: 100 random bits. */
function newPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz023456789';
  const text = [...randomBytes(20)].map((octet) => letters[octet % 32]).join('');
  return text.match(/.{5}/g)!.join('-');
}
