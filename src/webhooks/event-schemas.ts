import { Type } from 'typebox';
import { type EventType, eventTypes } from './event-types.ts';

const resourcePaths: Readonly<Record<EventType['resource'], string>> = {
  referral: '/api/referrals/01a1fc72-4adf-7a4a-aa65-fc267c41c863',
  delivery: '/api/referrals/01a1fc72-4adf-7a4a-aa65-fc267c41c863/deliveries',
  message:
    '/api/referrals/01a1fc72-4adf-7a4a-aa65-fc267c41c863/messages/01a1fc72-51aa-7b10-9c2e-3d4f5a6b7c8d',
  service: '/api/library/services/19096312-e822-4b61-87ce-491718e6e107',
  webhook: '/api/webhooks/01a1fc72-51b3-7c58-8d1e-5e4f2a6b7c8d',
};

/** An example of a type, as the reference shows it. */
export function exampleOf({ type, version, resource }: EventType) {
  const path = resourcePaths[resource];
  return {
    id: '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0',
    type,
    version,
    created_at: '2026-11-21T09:30:00.000Z',
    resource: {
      type: resource,
      id: path.match(/[0-9a-f-]{36}/g)!.at(-1)!,
      href: `http://localhost:8080${path}`,
    },
  };
}

const id = Type.String({
  format: 'uuid',
  description: 'Of the event. The same in every repetition, and the `webhook-id` it is sent with.',
});
const createdAt = Type.String({ format: 'date-time', description: 'When it happened.' });
const href = Type.String({ format: 'uri', description: 'Where to read the resource, as it is now.' });

/** Any event. Types are added over time, so its readers pass over those that they do not know. */
export const eventSchema = Type.Object(
  {
    id,
    type: Type.String({
      description: `What happened: ${eventTypes.map(({ type }) => type).join(', ')}. More may come.`,
    }),
    version: Type.Integer({ description: 'Of the form that events of this type have.' }),
    created_at: createdAt,
    resource: Type.Object({ type: Type.String(), id: Type.String(), href }),
  },
  {
    $id: 'Event',
    description: 'Something that happened, without any detail of it.',
    examples: [exampleOf(eventTypes[0]!)],
  },
);

/** The schema of one type in one version, which stays as it is for ever; a change is a new version. */
export function schemaOf({ type, version, resource, meaning }: EventType) {
  return Type.Object(
    {
      id,
      type: Type.Literal(type),
      version: Type.Literal(version),
      created_at: createdAt,
      resource: Type.Object(
        { type: Type.Literal(resource), id: Type.String(), href },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false, description: meaning },
  );
}
