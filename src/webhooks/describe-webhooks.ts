import { exampleOf, schemaOf } from './event-schemas.ts';
import { eventTypes, testEvent } from './event-types.ts';

/** The `webhooks` of the OpenAPI document: what the site sends to those who ask for it. */
export function describeWebhooks() {
  return Object.fromEntries(
    [...eventTypes, testEvent].map((kind) => [
      kind.type,
      {
        post: {
          operationId: `told_${kind.type.replaceAll(/[.-]/g, '_')}_v${kind.version}`,
          tags: ['Webhooks'],
          summary: kind.meaning,
          description:
            'Signed by the rules of https://www.standardwebhooks.com/. Answer any 2xx within 10 seconds. Without an answer, or after 408, 425, 429 or 5xx, it is sent again, for three days; after any other answer it is not.',
          parameters: signatureHeaders,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { ...schemaOf(kind), examples: [exampleOf(kind)] } } },
          },
          responses: {
            '2XX': { description: 'You have it.' },
            '410': { description: 'You want nothing more: the webhook is switched off.' },
          },
        },
      },
    ]),
  );
}

const signatureHeaders = [
  ['webhook-id', 'The id of the event: what came before under the same id is the same event.'],
  ['webhook-timestamp', 'When it was sent, in seconds since 1970. Refuse what is older than five minutes.'],
  ['webhook-signature', 'One or more signatures, separated by spaces; one that is right is enough.'],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));
