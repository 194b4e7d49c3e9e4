import {
  type Db,
  inTransaction,
  type Mode,
  readSiteFacts,
  readSiteFactsAfterChanges,
  recordMissingSiteFacts,
  type SiteFacts,
} from '../platform/database/index.ts';
import { StartupError } from '../platform/process/startup-error.ts';
import { type SiteSecrets, siteKeyFingerprint } from '../platform/secrets/index.ts';
import type { Settings } from '../platform/settings/index.ts';

/**
 * The mode of the site, which its database has recorded. A database of an earlier version may have no mode: then the site is live if it has
 * a referral of a real patient, and otherwise ONWARD_MODE decides. ONWARD_MODE may be unset only for a new database.
 * @throws StartupError if ONWARD_MODE must be set.
 */
export async function decideMode(db: Db, facts: SiteFacts, { mode, statedMode }: Settings): Promise<Mode> {
  if (facts.mode !== undefined) return facts.mode;
  if (await holdsRealReferrals(db)) return 'live';
  if (facts.keyFingerprint === undefined) return mode;
  if (statedMode === undefined) throw modeUnknown();
  if (statedMode === 'live') await refuseSampleAccounts(db, 'test');
  return statedMode;
}

/** @throws StartupError if the database belongs to a site of another mode. */
export function requireMode(mode: Mode, settings: Pick<Settings, 'mode' | 'statedMode'>): void {
  if (mode === settings.mode) return;
  throw mode === 'live' ? belongsToLiveSite(settings.statedMode) : belongsToTestSite();
}

/** @throws StartupError if the database was made under another site key. */
export function requireKey(
  { keyFingerprint }: SiteFacts,
  secrets: SiteSecrets,
  { siteKeyFile }: Settings,
): void {
  if (keyFingerprint === undefined || keyFingerprint.equals(siteKeyFingerprint(secrets))) return;
  throw new StartupError(
    `ONWARD_SITE_KEY_FILE: the site key ${siteKeyFile} is not the one that this database was made under: no token and no ` +
      'encrypted value would work. Put the right file back, or name it, for example ' +
      'ONWARD_SITE_KEY_FILE=/etc/onward/site.key. If it is lost for good: npm run -s onward -- site key replace --help',
  );
}

export function missingKey({ siteKeyFile, siteKeyIsNamed }: Settings): StartupError {
  return new StartupError(
    siteKeyIsNamed
      ? `The site key ${siteKeyFile} is missing, which ONWARD_SITE_KEY_FILE names. Put it back, or name the right file: ` +
          'without it nothing that the site has encrypted can be read. Onward does not create a key file that you name. For a new ' +
          `site, make it: npm run -s onward -- site key make ${siteKeyFile}`
      : `The site key ${siteKeyFile} is missing. Put it back, or name the right file in ONWARD_SITE_KEY_FILE: without it ` +
          'nothing that the site has encrypted can be read. If it is lost for good, make a new one (npm run -s onward -- site key ' +
          `make ${siteKeyFile}) and read: npm run -s onward -- site key replace --help; for a backup: restore --help`,
  );
}

/** Records the mode and the key of the site, and checks that another process did not record others at the same time. @throws StartupError */
export async function recordIdentity(
  db: Db,
  mode: Mode,
  secrets: SiteSecrets,
  settings: Settings,
  skipCheck?: 'mode' | 'key',
): Promise<void> {
  await recordMissingSiteFacts(db, { mode, keyFingerprint: siteKeyFingerprint(secrets) });
  const facts = await readSiteFacts(db);
  if (skipCheck !== 'mode') requireMode(facts.mode!, settings);
  if (skipCheck !== 'key') requireKey(facts, secrets, settings);
}

/**
 * Checks again once this process serves requests, because the mode may have changed while it started. It cannot change from
 * now on. @throws StartupError
 */
export async function requireSameIdentity(db: Db, secrets: SiteSecrets, settings: Settings): Promise<void> {
  const facts = await inTransaction(db, readSiteFactsAfterChanges);
  requireMode(facts.mode!, settings);
  requireKey(facts, secrets, settings);
}

/**
 * The passwords of sample accounts were printed in a terminal or a log, so anybody who saw them could sign in.
 * @param mode the ONWARD_MODE for the commands in the message, which disable the accounts.
 * @throws StartupError if a sample account can sign in.
 */
export async function refuseSampleAccounts(db: Db, mode: Mode): Promise<void> {
  const { listEnabledSampleAccounts } = await import('../sample/index.ts');
  const emails = await listEnabledSampleAccounts(db);
  if (emails.length === 0) return;
  const commands = emails.map((email) => {
    // On a new site it is often the only operator.
    const lastOperator = email.startsWith('operator@') ? ' --leaves-no-operator' : '';
    return `  ONWARD_MODE=${mode} npm run -s onward -- account disable --email ${email}${lastOperator}`;
  });
  const then = mode === 'test' ? ['Then: ONWARD_MODE=live npm run -s onward -- site mode live'] : [];
  throw new StartupError(
    [
      'A live site does not start while sample accounts can sign in: their passwords were printed on a screen. Disable them:',
      ...commands,
      ...then,
    ].join('\n'),
  );
}

/** Whether the database has referrals of real patients. Loads that room only when needed, so that commands start faster. */
export async function holdsRealReferrals(db: Db): Promise<boolean> {
  const referrals = await import('../referrals/index.ts');
  return referrals.holdsRealReferrals(db);
}

function modeUnknown(): StartupError {
  return new StartupError(
    'ONWARD_MODE: an earlier version of Onward made this database, and nothing in it says whether it is a test site or a ' +
      'live one. Say it once, and the database remembers it.\n' +
      'If it is a test site:  ONWARD_MODE=test npm start\n' +
      'If it is a live site, set ONWARD_MODE=live with its other settings, as docs/operating.md has them.',
  );
}

function belongsToLiveSite(stated: Mode | undefined): StartupError {
  const setting = stated === undefined ? 'ONWARD_MODE is not set, which means test' : 'ONWARD_MODE is test';
  return new StartupError(
    `ONWARD_MODE: this database belongs to a live site, and ${setting}. A test site would not send its referrals. ` +
      'Start with the live site’s settings, ONWARD_MODE=live among them. For example: set -a; . /etc/onward/live.env; set +a\n' +
      'For a test site, use a separate data directory. For example: ONWARD_DATA_DIR=./test-data npm start',
  );
}

function belongsToTestSite(): StartupError {
  return new StartupError(
    'ONWARD_MODE: this database belongs to a test site, and ONWARD_MODE is live. Name the live site’s database in ' +
      'ONWARD_DATA_DIR or ONWARD_DATABASE_URL. If this test site is to become a live one: ' +
      'npm run -s onward -- site mode --help',
  );
}
