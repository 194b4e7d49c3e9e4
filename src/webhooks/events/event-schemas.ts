import { Type } from 'typebox';
import { exampleOrigin } from '../../platform/http/index.ts';
import { type EventType, eventTypes, testEvent } from '../model/event.ts';

const resourcePaths: Readonly<Record<EventType['resource'], string>> = {
  referral: '/api/referrals/01a1fc72-4adf-7a4a-aa65-fc267c41c863',
  delivery: '/api/referrals/01a1fc72-4adf-7a4a-aa65-fc267c41c863/deliveries',
  message:
    '/api/referrals/01a1fc72-4adf-7a4a-aa65-fc267c41c863/messages/01a1fc72-51aa-7b10-9c2e-3d4f5a6b7c8d',
  attachment:
    '/api/referrals/01a1fc72-4adf-7a4a-aa65-fc267c41c863/attachments/01a1fc72-51ac-7d20-8a4f-6b7c8d9e0f1a',
  service: '/api/library/services/19096312-e822-4b61-87ce-491718e6e107',
  webhook: '/api/webhooks/01a1fc72-51b3-7c58-8d1e-5e4f2a6b7c8d',
};

const deliveryId = '01a1fc72-4ae2-7c11-8f30-2b4c6d8e0f1a';

function idOf(resource: EventType['resource']): string {
  return resource === 'delivery' ? deliveryId : resourcePaths[resource].match(/[0-9a-f-]{36}/g)!.at(-1)!;
}

/** The example of a type in the API reference. */
export function exampleOf({ type, version, resource }: EventType) {
  const path = resourcePaths[resource];
  return {
    id: '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0',
    type,
    version,
    created_at: '2026-11-21T09:30:00.000Z',
    resource: {
      type: resource,
      id: idOf(resource),
      referral_id: path.startsWith('/api/referrals/') ? idOf('referral') : null,
      href: `${exampleOrigin}${path}`,
    },
  };
}

const id = Type.String({
  format: 'uuid',
  description: 'The id of the event: the same whenever it is sent again. It is also sent as `webhook-id`.',
});
const createdAt = Type.String({ format: 'date-time', description: 'When it happened.' });
const href = Type.String({ format: 'uri', description: 'Where to read the resource, as it is now.' });

/** Any event. Types are added over time, so clients must ignore those that they do not know. */
export const eventSchema = Type.Object(
  {
    id,
    type: Type.String({
      title: 'EventType',
      knownValues: [...eventTypes, testEvent].map(({ type }) => type),
      description: 'What happened. More types may come: ignore those that you do not know.',
    }),
    version: Type.Integer({ description: 'The version of this type of event: 1 until its form changes.' }),
    created_at: createdAt,
    resource: Type.Object(
      {
        type: Type.String({
          title: 'EventResourceType',
          knownValues: Object.keys(resourcePaths),
          description: 'What it happened to.',
        }),
        id: Type.String({
          description: 'Its own id. For a message, the id of the message, not of the referral.',
        }),
        referral_id: Type.Union([Type.String(), Type.Null()], {
          description:
            'The referral that it belongs to; for a referral the same as `id`. Null for the library and for a test event.',
        }),
        href,
      },
      {
        description: 'What it happened to. For a delivery, `href` is the list of the referral’s deliveries.',
      },
    ),
  },
  {
    $id: 'Event',
    description: 'Something that happened, without any detail of it.',
    rules: { discriminator: { propertyName: 'type' } },
    examples: [exampleOf(eventTypes[0]!)],
  },
);

const meanings = [...eventTypes, testEvent].map(({ type, meaning }) => `- \`${type}\`: ${meaning}`);

/** The `webhooks` of the OpenAPI document: the call that the site makes to clients. */
export function describeWebhooks(describe: (schema: object) => object): object {
  return {
    event: {
      post: {
        operationId: 'receiveEvent',
        tags: ['Webhooks'],
        summary: 'Something happened',
        description: `The site sends an event to your address. Reply with any 2xx status within 10 seconds. After anything else except 410, or no reply, it is sent again, for three days. Signed by the rules of https://www.standardwebhooks.com/: \`webhook-signature\` has \`v1,\` and, in base64, the HMAC-SHA256 of the \`webhook-id\`, a full stop, the \`webhook-timestamp\`, a full stop and the body as it came. The key is what follows \`whsec_\` in the secret, decoded from base64. [Whole receivers](/guide/events-and-webhooks#webhooks) are in the guide.\n\n${meanings.join('\n')}`,
        security: [],
        parameters: signatureHeaders,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: describe({ $ref: 'Event' }), example: exampleOf(eventTypes[0]!) },
          },
        },
        responses: {
          '2XX': { description: 'You have it.' },
          '410': { description: 'You want nothing more: the webhook is switched off.' },
        },
      },
    },
  };
}

const signatureHeaders = [
  ['webhook-id', 'The id of the event. Calls with the same id are about the same event.'],
  ['webhook-timestamp', 'When it was sent, in seconds since 1970. Refuse what is older than five minutes.'],
  ['webhook-signature', 'One or more signatures, separated by spaces; one that is right is enough.'],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));
