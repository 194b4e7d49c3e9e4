import { Type } from 'typebox';
import { describePattern, momentSchema, noOtherFields, orNull } from '../../platform/http/index.ts';
import { callOutcomes } from '../model/attempts-store.ts';
import { maxDescriptionLength, type Webhook } from '../model/webhook.ts';

const eventTypesDescription =
  'The types of event that it receives; `*` for all, including those of later versions. A type that this site does not know yet is accepted, and has no effect until the site knows it.';
const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    // Not checked here: the action says more clearly what is wrong with an address.
    rules: { format: 'uri' },
    description:
      'The https address that events are posted to. A test site also accepts one on your own computer.',
  }),
  event_types: Type.Array(Type.String({ maxLength: 60 }), {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: eventTypesDescription,
  }),
  description: orNull(
    Type.String({
      maxLength: maxDescriptionLength,
      pattern: describePattern('^[^\\u0000]*$', 'must have no NUL'),
      description: 'A note for yourself.',
    }),
  ),
};

const newWebhookExample = {
  url: 'https://client.example.org/webhooks',
  event_types: ['referral.accepted', 'referral.rejected', 'referral.completed'],
  description: 'Our case system',
};

export const newWebhookSchema = Type.Object(
  {
    ...fields,
    event_types: Type.Optional({
      ...fields.event_types,
      description: `${eventTypesDescription} All when left out.`,
    } as typeof fields.event_types),
    description: Type.Optional(fields.description),
  },
  { title: 'NewWebhook', ...noOtherFields, examples: [newWebhookExample] },
);

export const webhookChangeSchema = Type.Object(
  {
    url: Type.Optional(fields.url),
    event_types: Type.Optional(fields.event_types),
    description: Type.Optional(fields.description),
    enabled: Type.Optional(
      Type.Boolean({
        description: 'Whether it is on. True switches it on again, even if the site switched it off.',
      }),
    ),
  },
  { title: 'WebhookChange', ...noOtherFields, minProperties: 1, examples: [{ event_types: ['*'] }] },
);

const webhookFields = {
  id: Type.String({ format: 'uuid' }),
  ...fields,
  // Browsers and this site accept some addresses that the format `uri` does not.
  url: Type.String({ minLength: 1, maxLength: 2000, description: 'The address that events are posted to.' }),
  enabled: Type.Boolean({ description: 'Whether events are sent to it now.' }),
  switched_off: orNull(
    Type.Object({
      at: momentSchema('Since when.'),
      reason: Type.Enum(['by-hand', 'gone', 'failing'], {
        title: 'SwitchOffReason',
        description:
          '`by-hand`: its holder switched it off. `gone`: it answered 410. `failing`: every call failed for three days.',
      }),
    }),
  ),
  failing_since: orNull(momentSchema('Since when every call has failed; null while it works.')),
  previous_secret_until: orNull(momentSchema('Until when the secret before the last change signs as well.')),
  created_at: momentSchema('When it was added.'),
  updated_at: momentSchema('When its settings last changed.'),
};

const webhookExample = {
  id: '01a1fc72-51b3-7c58-8d1e-5e4f2a6b7c8d',
  ...newWebhookExample,
  enabled: true,
  switched_off: null,
  failing_since: null,
  previous_secret_until: null,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
};

export const webhookSchema = Type.Object(webhookFields, {
  $id: 'Webhook',
  description: 'An address to which the site sends events.',
  examples: [webhookExample],
});

const secret = Type.String({
  description:
    'With it you check that a call is from this site. It is shown only here, and begins with whsec_.',
});

export const addedWebhookSchema = Type.Object(
  { ...webhookFields, secret },
  {
    title: 'WebhookWithSecret',
    base: 'Webhook',
    description: 'The webhook, with its secret. `Location` says where to read it.',
  },
);

export const newSecretSchema = Type.Object(
  {
    secret,
    previous_secret_until: momentSchema('Until then, calls are signed with the previous secret too.'),
  },
  { title: 'NewWebhookSecret' },
);

export const replaySchema = Type.Object(
  {
    missed: Type.Optional(
      Type.Literal(true, {
        description:
          'Events since the webhook was added that the site gave up sending, or that happened while it was off. Waiting events are not sent twice.',
      }),
    ),
    after: Type.Optional(
      Type.String({ format: 'uuid', description: 'All events of its types after the one with this id.' }),
    ),
    event_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'The event with this id, of any type.' }),
    ),
  },
  {
    title: 'Replay',
    ...noOtherFields,
    minProperties: 1,
    maxProperties: 1,
    examples: [{ missed: true }],
  },
);

export const replayedSchema = Type.Object(
  {
    queued: Type.Integer({ description: 'How many events are sent again.' }),
    next_after: orNull(
      Type.String({
        description: 'Null when these were all. If not, send `missed` again, or this id as `after`.',
      }),
    ),
  },
  { title: 'Replayed' },
);

export const attemptSchema = Type.Object(
  {
    event: Type.Object({ id: Type.String({ format: 'uuid' }), type: Type.String() }),
    at: momentSchema('When the attempt ended.'),
    outcome: Type.Enum([...callOutcomes], {
      title: 'WebhookOutcome',
      description:
        '`delivered`: answered with 2xx. `captured`: a test site sends nothing outside its computer. `will-retry`: did not work, and is tried again by itself. `failed`: is not tried again.',
    }),
    status: orNull(
      Type.Integer({
        description: 'The HTTP status of the answer; null without one. Nothing else of it is stored.',
      }),
    ),
    detail: Type.String({ description: 'What happened, in plain words.' }),
  },
  { title: 'WebhookAttempt' },
);

/** A webhook as its holder reads it: without its secret. */
export function presentWebhook(webhook: Webhook, now: Date) {
  const { id, url, eventTypes, description, previousSecretUntil, offReason, offAt, failingSince } = webhook;
  return {
    id,
    url,
    event_types: eventTypes,
    description,
    enabled: offAt === null,
    switched_off: offAt && { at: offAt.toISOString(), reason: offReason! },
    failing_since: failingSince?.toISOString() ?? null,
    previous_secret_until:
      previousSecretUntil && previousSecretUntil > now ? previousSecretUntil.toISOString() : null,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}
