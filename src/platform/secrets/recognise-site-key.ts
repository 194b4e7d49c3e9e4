import { type Db, readSiteFacts, recordSiteFact, siteFactNames } from '../database/index.ts';
import type { SiteSecrets } from './create-secrets.ts';

/** A keyed hash that recognises a site key and reveals nothing of it. */
export function siteKeyFingerprint(secrets: SiteSecrets): Buffer {
  return secrets.hash('site key', 'mark');
}

/**
 * Records the fingerprint of the site key with a new database; for any other database compares the two.
 * @returns false if the database was made under another key. A copy may run under another key on purpose, but a lost or mixed-up
 * key file looks the same, so somebody must be told.
 */
export async function recordOrMatchKey(db: Db, secrets: SiteSecrets): Promise<boolean> {
  const fingerprint = siteKeyFingerprint(secrets);
  await recordSiteFact(db, siteFactNames.keyFingerprint, fingerprint);
  const { keyFingerprint } = await readSiteFacts(db);
  return keyFingerprint!.equals(fingerprint);
}
