import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { countAccounts, createAccount, theSite } from '../accounts/index.ts';
import { importPractices, importServices } from '../library/index.ts';
import { holdName, inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { randomOctets } from '../platform/secrets/index.ts';
import { sampleAccounts } from './sample-accounts.ts';

const folder = join(import.meta.dirname, '..', '..', 'sample');

export type SampleAccount = { email: string; password: string; what: string };

/**
 * Fills an empty test site with the sample library, practices and accounts, so that a newcomer can make a referral
 * in the first minute. Of several processes that start together one does it.
 * @returns the accounts it made, with passwords that are kept nowhere else; none where the site is not empty.
 */
export async function loadSample(platform: Platform): Promise<SampleAccount[]> {
  const { sample, mode } = platform.settings;
  if (sample === false || mode === 'live') return [];
  if ((await countAccounts(platform.db)) > 0) return [];
  return inTransaction(platform.db, async (trx) => {
    await holdName(trx, 'sample');
    if ((await countAccounts(trx)) > 0) return [];
    await importServices(platform, theSite, createReadStream(join(folder, 'library.ndjson')));
    await importPractices(platform, theSite, createReadStream(join(folder, 'practices.csv')));
    const made: SampleAccount[] = [];
    for (const { what, ...account } of sampleAccounts) {
      const password = newPassword();
      await createAccount(platform, theSite, { ...account, password });
      made.push({ email: account.email, password, what });
    }
    return made;
  });
}

/** Four groups of five letters and digits that are hard to confuse: 100 random bits. */
function newPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz023456789';
  const text = [...randomOctets(20)].map((octet) => letters[octet % 32]).join('');
  return text.match(/.{5}/g)!.join('-');
}
