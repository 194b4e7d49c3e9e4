import { type Static, Type } from 'typebox';
import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type Db, inTransaction } from '../../platform/database/index.ts';
import { channelsSchema } from '../channels.ts';
import { deliveryAddressesSchema, requireAddresses } from '../delivery-addresses.ts';
import { listDeliveryAddresses, saveDeliveryAddresses } from '../delivery-addresses-store.ts';
import type { EditDeps } from './deps.ts';
import { openForEdit, readForEdit } from './edit-service.ts';
import { findReferralSettings, saveReferralSettings } from './settings-store.ts';

const line = (maxLength: number, description: string, format = {}) =>
  Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength, ...format }), Type.Null()], { description }),
  );

export const referralSettingsSchema = Type.Object(
  {
    accepts: Type.Boolean({ description: 'Whether referrals can be made to the service on this site.' }),
    channels: channelsSchema,
    addresses: Type.Optional(deliveryAddressesSchema),
    answered_by: Type.Optional(
      Type.Object(
        {
          name: line(
            200,
            'Who answers: a person, a desk or a team. Null is the organisation that runs the service.',
          ),
          email: line(254, 'Where they read about new referrals.', { format: 'email' }),
          telephone: line(50, 'Where somebody can ask after a referral.'),
        },
        { additionalProperties: false, description: 'Who answers the service’s referrals.' },
      ),
    ),
  },
  { additionalProperties: false },
);

type GivenSettings = Static<typeof referralSettingsSchema>;

/** How referrals reach a service, for those who may change it. @throws Problem `not-found`, `forbidden`. */
export async function readReferralSettings({ db }: EditDeps, caller: Caller, id: string) {
  await readForEdit(db, caller, id);
  return presentSettings(db, id);
}

/** Says how referrals reach a service, and who answers them. @throws Problem `not-found`, `forbidden`. */
export function setReferralSettings(
  deps: EditDeps,
  caller: Caller,
  { id, address, settings }: { id: string; address: string; settings: GivenSettings },
) {
  const at = deps.clock.now();
  const {
    accepts,
    channels,
    addresses,
    answered_by: { name = null, email = null, telephone = null } = {},
  } = settings;
  if (addresses) requireAddresses(addresses, deps.settings.mode);
  return inTransaction(deps.db, async (trx) => {
    await openForEdit(trx, caller, id);
    const saved = { accepts, channels, answered_by: name, answer_email: email, answer_telephone: telephone };
    await saveReferralSettings(trx, id, saved, at);
    if (addresses) await saveDeliveryAddresses(trx, { serviceId: id }, addresses, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'service.referral_settings_changed',
      subject: { type: 'service', id },
      details: { accepts, channels, ...(addresses && { addresses: Object.keys(addresses) }) },
    });
    return presentSettings(trx, id);
  });
}

async function presentSettings(db: Db, id: string) {
  const settings = await findReferralSettings(db, id);
  const { answered_by, answer_email, answer_telephone, updated_at, ...rest } = settings;
  return {
    ...rest,
    addresses: await listDeliveryAddresses(db, { serviceId: id }),
    answered_by: { name: answered_by, email: answer_email, telephone: answer_telephone },
    updated_at: updated_at?.toISOString() ?? null,
  };
}
