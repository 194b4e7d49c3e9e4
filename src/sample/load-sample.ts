import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countAccounts, createAccount } from '../accounts/index.ts';
import { siteActor } from '../audit/index.ts';
import { importPostcodes, importPractices, importServices } from '../exchange/index.ts';
import { findReferralSettings, hasServices, saveReferralSettings } from '../library/index.ts';
import { type Db, holdTaskLock, inTransaction, type Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { newRandomBytes } from '../platform/secrets/index.ts';
import { sampleAccounts } from './sample-accounts.ts';

const folder = join(import.meta.dirname, '..', '..', 'sample');

export type SampleAccount = { email: string; password: string; description: string };

/**
 * Fills an empty test site with the sample library, practices, postcodes and accounts, so that a newcomer can make a referral
 * in the first minute. One transaction loads either everything or nothing. If several
 * processes start together, only one of them does it.
 * @returns the new accounts, with passwords that are stored nowhere else; none if the site is not empty.
 */
export async function loadSample(platform: Platform): Promise<SampleAccount[]> {
  const { sample, mode } = platform.settings;
  if (sample === false || mode === 'live' || !(await isEmpty(platform.db))) return [];
  return inTransaction(platform.db, async (trx) => {
    await holdTaskLock(trx, 'sample');
    if (!(await isEmpty(trx))) return [];
    const inThisTransaction = { ...platform, db: trx };
    await importServices(inThisTransaction, siteActor, createReadStream(join(folder, 'library.ndjson')));
    await importPractices(inThisTransaction, siteActor, createReadStream(join(folder, 'practices.csv')));
    await importPostcodes(inThisTransaction, siteActor, createReadStream(join(folder, 'postcodes.csv')));
    await markSensitive(trx, platform.clock.now());
    const created: SampleAccount[] = [];
    for (const { description, ...account } of sampleAccounts) {
      const password = newPassword();
      await createAccount(inThisTransaction, siteActor, { ...account, password });
      created.push({ email: account.email, password, description });
    }
    return created;
  });
}

/** Marks refuges, drug services and the like as sensitive, as an operator would. */
async function markSensitive(trx: Trx, at: Date): Promise<void> {
  const [, ...lines] = (await readFile(join(folder, 'sensitive-services.csv'), 'utf8')).trim().split('\n');
  for (const line of lines) {
    const [id] = line.split(',') as [string];
    const { updated_at: _, ...settings } = await findReferralSettings(trx, id);
    await saveReferralSettings(trx, id, { ...settings, sensitive: true }, at);
  }
}

async function isEmpty(db: Db): Promise<boolean> {
  return (await countAccounts(db)) === 0 && !(await hasServices(db));
}

/** Four groups of five letters and digits that are hard to confuse: 100 random bits. */
function newPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz023456789';
  const text = [...newRandomBytes(20)].map((byte) => letters[byte % 32]).join('');
  return text.match(/.{5}/g)!.join('-');
}
