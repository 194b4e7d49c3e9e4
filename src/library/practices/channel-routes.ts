import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { type App, problemAnswers, withToken } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { practiceChannelsSchema } from '../channels.ts';
import { deliveryAddressesSchema } from '../delivery-addresses.ts';
import { presentPractice } from './schemas.ts';
import { setChannels } from './set-channels.ts';

/** Their own systems are not called: a practice has no account with which the system could read the letter. */
const practiceAddresses = Type.Pick(deliveryAddressesSchema, ['email', 'mesh'], {
  additionalProperties: false,
  description: 'Where the ways that need an address lead. Left out, they stay as they are.',
});

const schema = {
  operationId: 'setPracticeChannels',
  tags: ['Practices'],
  summary: 'Say how a GP practice is told',
  description:
    'By which ways a practice is told of its patients’ referrals, in the order in which they are tried. It holds for messages that are still to be sent, too, and an import of practices leaves it as it is. For operators.',
  params: Type.Object({
    ods_code: Type.String({
      maxLength: 100,
      description: 'The code, in capital or small letters.',
      examples: ['Z99001'],
    }),
  }),
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
      400: 'The body does not have the right form.',
      401: 'No token was sent, or it is not valid.',
      403: 'The account is not an operator’s.',
      404: 'The site knows no practice with this code.',
      413: 'The body is larger than a megabyte.',
      415: 'The body is not sent as application/json.',
      422: 'An address cannot be used; `errors` says which.',
    }),
  },
};

/** How practices are told of referrals. */
export function practiceChannelRoutes(app: App, deps: WebPlatform): void {
  app.put(
    '/api/practices/:ods_code/channels',
    { config: { access: withToken('operator') }, schema },
    async (request) => {
      const change = {
        odsCode: request.params.ods_code.toUpperCase(),
        channels: request.body.channels,
        addresses: request.body.addresses,
        address: request.ip,
      };
      return presentPractice(await setChannels(deps, requireCaller(request), change)) as never;
    },
  );
}
