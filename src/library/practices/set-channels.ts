import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type App, badBody, noToken, problemAnswers, withToken } from '../../platform/http/index.ts';
import type { Platform, WebPlatform } from '../../platform/platform.ts';
import { type DeliveryAddresses, deliveryAddressesSchema, requireAddresses } from '../channels/addresses.ts';
import { lockPractice } from '../channels/addresses-store.ts';
import { setAddresses } from '../channels/change-addresses.ts';
import { type ChannelName, practiceChannelsSchema } from '../model/channels.ts';
import { type KnownPractice, saveChannels } from './practices-store.ts';
import { requirePractice } from './require-practice.ts';
import { practiceParams, presentPractice } from './schemas.ts';

type NewChannels = {
  odsCode: string;
  channels: readonly ChannelName[];
  /** The new addresses. If they are left out, the old ones stay. */
  addresses?: DeliveryAddresses | undefined;
  ipAddress: string;
};

/**
 * Sets the channels by which referrals reach a practice, in the order in which they are tried.
 * @throws Problem `not-found`, `unprocessable`.
 */
export async function setPracticeChannels(
  deps: Platform,
  caller: Caller,
  { odsCode, channels, addresses, ipAddress }: NewChannels,
): Promise<KnownPractice> {
  const at = deps.clock.now();
  if (addresses) requireAddresses(addresses, deps.settings.mode);
  return inTransaction(deps.db, async (trx) => {
    await lockPractice(trx, odsCode);
    const before = await requirePractice(trx, odsCode);
    await saveChannels(trx, odsCode, channels, at);
    await setAddresses(trx, deps, caller, {
      receiver: { odsCode },
      name: before.name,
      organizationId: null,
      addresses,
      channels: { before: before.channels, after: channels },
    });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'practice.channels_changed',
      subject: { type: 'practice', id: odsCode },
      details: {
        before: before.channels,
        after: channels,
        ...(addresses && { addresses: Object.keys(addresses) }),
      },
    });
    return { ...before, channels: [...channels] };
  });
}

/** No webhook: a practice has no account with which its system could fetch the letter. */
const practiceAddresses = Type.Pick(deliveryAddressesSchema, ['email', 'mesh'], {
  additionalProperties: false,
  description: 'The addresses of the channels that need one. If you leave this out, they stay as they are.',
});

const schema = {
  operationId: 'setPracticeChannels',
  tags: ['Practices'],
  summary: 'Say how a GP practice is told',
  description:
    'Sets the channels by which a practice is told of its patients’ referrals, in the order in which they are tried. A new address is used once it is confirmed by an emailed link; the people at the old address and the operators are told. Messages that are still to be sent use the new channels too. Imports of practices do not change them. For operators.',
  params: practiceParams,
  body: Type.Object(
    { channels: practiceChannelsSchema, addresses: Type.Optional(practiceAddresses) },
    {
      additionalProperties: false,
      examples: [{ channels: ['email', 'document'], addresses: { email: 'letters@practice.example.org' } }],
    },
  ),
  response: {
    200: Type.Ref('Practice', { description: 'The practice as it is now.' }),
    ...problemAnswers({
      ...badBody,
      401: noToken,
      403: 'The account is not an operator’s.',
      404: 'The site knows no practice with this code.',
      409: 'The site has no mail server (`no-mail-server`), so nobody would get the link that confirms a new address.',
      422: 'An address cannot be used; `errors` says which.',
    }),
  },
};

/** Sets how referrals reach a practice. */
export function practiceChannelRoutes(app: App, deps: WebPlatform): void {
  app.put(
    '/api/practices/:ods_code/channels',
    { config: { access: withToken('operator'), scope: 'channels' }, schema },
    async (request) => {
      const change = {
        odsCode: request.params.ods_code.toUpperCase(),
        channels: request.body.channels,
        addresses: request.body.addresses,
        ipAddress: request.ip,
      };
      return presentPractice(await setPracticeChannels(deps, requireCaller(request), change));
    },
  );
}
