import { type Db, readSiteFacts, recordSiteFactOnce, siteFactNames } from '../database/index.ts';
import type { SiteSecrets } from './create-secrets.ts';

/** A keyed hash that recognises a site key and reveals nothing of it. */
export function siteKeyFingerprint(secrets: SiteSecrets): Buffer {
  return secrets.hash('site key', 'mark');
}

/**
 * Whether the database was made under this site key. A new database records its fingerprint first.
 * @returns false if the database was made under another key. A copy may run under another key on purpose, but a lost or mixed-up
 * key file looks the same, so somebody must be told.
 */
export async function keyMatchesDatabase(db: Db, secrets: SiteSecrets): Promise<boolean> {
  const fingerprint = siteKeyFingerprint(secrets);
  await recordSiteFactOnce(db, siteFactNames.keyFingerprint, fingerprint);
  const { keyFingerprint } = await readSiteFacts(db);
  return keyFingerprint!.equals(fingerprint);
}
