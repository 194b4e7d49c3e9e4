import type pg from 'pg';
import type { DeliveryDeps } from '../../src/delivery/channels/deps.ts';
import { createChannels } from '../../src/delivery/create-channels.ts';
import { createLetterDrawer } from '../../src/delivery/letter/draw/letter-drawer.ts';
import { deliveryListener } from '../../src/delivery/plan/deliveries-of-changes.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { createMetrics } from '../../src/platform/metrics/index.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { createSecrets } from '../../src/platform/secrets/index.ts';
import { readSettings } from '../../src/platform/settings/index.ts';
import type { Referral, ReferralStatus } from '../../src/referrals/index.ts';
import { listReferrals } from '../../src/referrals/listing/list-store.ts';
import { listJobs } from '../app/jobs.ts';
import { liveEnv } from '../process/live-env.ts';
import { exampleReferral } from './example-referral.ts';

/** What the delivery room needs of a site of this mode. */
export function testPlatform(
  mode: 'test' | 'live',
  given: Pick<Platform, 'db' | 'clock'> & { dataDir: string },
): DeliveryDeps {
  const { db, clock, dataDir } = given;
  const settings = readSettings({ ONWARD_DATA_DIR: dataDir, ...(mode === 'live' && liveEnv) });
  const secrets = createSecrets(Buffer.alloc(32));
  return withDelivery({ db, clock, settings, log: createLog('silent'), secrets, metrics: createMetrics() });
}

/** One for all sites of a test file: each would start a thread of its own. */
export const letterDrawer = createLetterDrawer();

/** What the composition root adds to the platform for the delivery room. */
export function withDelivery(platform: Platform): DeliveryDeps {
  return { ...platform, channels: createChannels(platform), letterDrawer };
}

/** A pool of connections, as `testDatabase` gives. */
type Pool = { query(text: string, values: unknown[]): Promise<unknown> };

/** Stores a referral (with its referrer), but tells nobody of it. */
export async function storeReferral(
  pool: Pool,
  given: Parameters<typeof exampleReferral>[0] = {},
): Promise<Referral> {
  const id = newId();
  const referral = exampleReferral({ id, reference: id.slice(-11), referrerAccountId: newId(), ...given });
  const { service, gp_practice: practice } = referral;
  await pool.query(
    `insert into accounts (id, email, name, roles, created_at)
     values ($1, $2, 'Asha Patel', '{referrer}', $3) on conflict do nothing`,
    [referral.referrerAccountId, `${referral.referrerAccountId}@example.org`, referral.created_at],
  );
  await pool.query(
    `insert into services (id, name, status, search, last_modified, updated_at)
     values ($1, $2, 'active', '', $3, $3) on conflict do nothing`,
    [referral.service_id, service.name, referral.created_at],
  );
  await pool.query(
    `insert into referrals (id, reference, status, version, urgency, simulated, service_id, service_name,
       service_organization_id, service_organization_name, referrer_account_id, practice_ods_code, practice_name,
       patient_name_key, content, created_at, updated_at, version_at, requested_at, seen_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $16, $16, $17)`,
    [
      referral.id,
      referral.reference,
      referral.status,
      referral.version,
      referral.urgency,
      referral.simulated,
      referral.service_id,
      service.name,
      service.organization_id,
      service.organization_name,
      referral.referrerAccountId,
      practice?.ods_code,
      practice?.name,
      Buffer.alloc(8),
      referral.content,
      referral.created_at,
      referral.seenAt,
    ],
  );
  return referral;
}

/** Tells the delivery room of a change, as the referrals room does. */
export function tellOfChange(
  deps: Platform,
  referral: Referral,
  from: ReferralStatus | null,
  by: 'referrer' | 'provider' = from === null ? 'referrer' : 'provider',
): Promise<void> {
  const at = deps.clock.now();
  return inTransaction(deps.db, (trx) =>
    deliveryListener.onStatusChange(trx, [{ referral, from, by, actorId: null, at }]),
  );
}

/** The list of referrals that the staff of an organisation see, which is what an inbox puts before them. */
export function inboxOf(db: Platform['db'], organizationId: string): ReturnType<typeof listReferrals> {
  const nothing = {
    allSentReferrals: false,
    madeByOrganisation: null,
    madeByAccount: null,
    receivedBy: null,
  };
  return listReferrals(db, { visibility: { ...nothing, receivedBy: organizationId }, limit: 50 });
}

/** The jobs of a delivery, its own and those that it shares. */
export const jobsFor = (pool: pg.Pool, deliveryId: string) => listJobs(pool, { about: deliveryId });
