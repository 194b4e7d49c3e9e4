import type { Db } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids/index.ts';
import { newSigningSecret } from '../../src/platform/outbound/index.ts';
import type { Platform } from '../../src/platform/platform.ts';
import type { Referral } from '../../src/referrals/index.ts';
import { setChannels } from '../library/stored.ts';

// Services and practices that tests send to, stored past the checks of pages and API.

type Practice = { odsCode: string; name: string; channels: string[] };

/** Stores a practice that is reached by these channels. @returns it as the practice of a referral. */
export async function storePractice(
  db: Db,
  { odsCode, name, channels }: Practice,
): Promise<{ gp_practice: NonNullable<Referral['gp_practice']> }> {
  const at = new Date();
  await db.insertInto('practices').values({ ods_code: odsCode, name, channels, updated_at: at }).execute();
  return { gp_practice: { ods_code: odsCode, name } };
}

type Address = { serviceId: string; channel: string; address: string; secret?: Buffer | null };

/** Sets where a service is reached by a channel, and stores the service where there is none. */
export async function setServiceAddress(
  db: Db,
  { serviceId, channel, address, secret = null }: Address,
): Promise<void> {
  const at = new Date();
  await db
    .insertInto('services')
    .values({
      id: serviceId,
      name: 'Choir',
      status: 'active',
      search: '',
      last_modified: at,
      updated_at: at,
    })
    .onConflict((service) => service.doNothing())
    .execute();
  await db
    .insertInto('delivery_addresses')
    .values({ service_id: serviceId, channel, address, secret, updated_at: at })
    .onConflict((known) =>
      known.columns(['service_id', 'practice_ods_code', 'channel']).doUpdateSet({ address, secret }),
    )
    .execute();
}

/** As if no service had an address for this channel. */
export async function deleteAddresses(db: Db, channel: string): Promise<void> {
  await db.deleteFrom('delivery_addresses').where('channel', '=', channel).execute();
}

/** Stores a service that is reached only by calls to this address. @returns its id. */
export async function createServiceCalledAt(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  address: string,
): Promise<string> {
  const serviceId = newId();
  const secret = secrets.seal('delivery webhook', serviceId, newSigningSecret());
  await setServiceAddress(db, { serviceId, channel: 'webhook', address, secret });
  await setChannels(db, serviceId, { channels: ['webhook'] });
  return serviceId;
}
