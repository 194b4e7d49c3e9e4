import type { Message } from '../../src/delivery/channels/channel.ts';
import { findDelivery, listDeliveriesOf } from '../../src/delivery/model/store.ts';
import { composeMessage } from '../../src/delivery/send/compose-message.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids/index.ts';
import { newSigningSecret } from '../../src/platform/outbound/index.ts';
import type { Platform } from '../../src/platform/platform.ts';
import type { exampleReferral } from './example-referral.ts';
import { letterDrawer, storeReferral, tellOfChange } from './test-site.ts';

/** For tests: the message of a new referral to its service or its practice. */
export async function aMessage(
  { pool }: Pick<Database, 'pool'>,
  deps: Platform,
  leg: Message['receiverKind'],
  given: Parameters<typeof exampleReferral>[0] = {},
): Promise<Message> {
  const referral = await storeReferral(pool, given);
  await tellOfChange(deps, referral, null);
  const { id } = (await listDeliveriesOf(deps.db, referral.id)).find((each) => each.leg === leg)!;
  return composeMessage({ ...deps, letterDrawer }, (await findDelivery(deps.db, id))!, referral);
}

/** For tests: where a service is reached by a channel. */
export async function setServiceAddress(
  { pool }: Pick<Database, 'pool'>,
  { serviceId, channel, address, secret = null }: Address,
): Promise<void> {
  await pool.query(
    `insert into services (id, name, status, search, last_modified, imported_at, updated_at)
     values ($1, 'Choir', 'active', '', now(), now(), now()) on conflict do nothing`,
    [serviceId],
  );
  await pool.query(
    `insert into delivery_addresses (service_id, channel, address, secret, updated_at) values ($1, $2, $3, $4, now())
     on conflict (service_id, practice_ods_code, channel) do update set address = $3, secret = $4`,
    [serviceId, channel, address, secret],
  );
}

type Address = { serviceId: string; channel: string; address: string; secret?: Buffer | null };

/** For tests: a service that is reached only by calls to this address. @returns its id. */
export async function aServiceCalledAt(
  pool: Database['pool'],
  { secrets }: Pick<Platform, 'secrets'>,
  address: string,
): Promise<string> {
  const serviceId = newId();
  const secret = secrets.seal('delivery webhook', serviceId, newSigningSecret());
  await setServiceAddress({ pool }, { serviceId, channel: 'webhook', address, secret });
  await pool.query(`insert into service_referral_settings (service_id, channels) values ($1, '{webhook}')`, [
    serviceId,
  ]);
  return serviceId;
}
