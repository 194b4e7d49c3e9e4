import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, listOf, pageQuery, problemAnswers, withToken } from '../platform/http/index.ts';
import type { ReferralDeps } from './deps.ts';
import { messageExample } from './examples.ts';
import { listReferralMessages } from './list-parts.ts';
import { closed, long } from './new-referral-schema.ts';
import { presentMessage } from './present-parts.ts';
import { readMessage } from './read-part.ts';
import {
  badBody,
  idempotencyHeaders,
  idParams,
  keyReused,
  noToken,
  notNow,
  notYours,
  tags,
} from './route-parts.ts';
import { messageSchema } from './schemas.ts';
import { sendMessage } from './send-message.ts';

/** The body of a message, for the page's form too. */
export const newMessageSchema = Type.Object(
  { text: long('For the other side to read.') },
  { ...closed, examples: [messageExample] },
);

const refusals = {
  401: noToken,
  403: 'An operator has not opened the referral.',
  404: notYours,
  409: notNow,
};

export function messageRoutes(app: App, deps: ReferralDeps): void {
  readRoutes(app, deps);
  sendRoute(app, deps);
}

function readRoutes(app: App, deps: ReferralDeps): void {
  app.get(
    '/api/referrals/:id/messages',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'listMessages',
        tags,
        summary: 'Read the messages about a referral',
        description:
          'What the referrer’s organisation and the service wrote to each other, newest first. An operator has to open the referral first.',
        params: idParams,
        querystring: Type.Object(pageQuery, closed),
        response: {
          200: listOf(messageSchema),
          ...problemAnswers({ 400: 'A parameter is not known or not of the right form.', ...refusals }),
        },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const asked = { referralId: request.params.id, address: request.ip, limit, cursor };
      const { items, next_cursor } = await listReferralMessages(deps, requireCaller(request), asked);
      return { items: items.map(presentMessage), next_cursor };
    },
  );

  app.get(
    '/api/referrals/:id/messages/:message_id',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'getMessage',
        tags,
        summary: 'Read a message about a referral',
        description: 'One message, as an event about it names it.',
        params: Type.Object({
          ...idParams.properties,
          message_id: Type.String({ maxLength: 100, description: 'The id of a message.' }),
        }),
        response: { 200: messageSchema, ...problemAnswers(refusals) },
      },
    },
    async (request) => {
      const { id: referralId, message_id: id } = request.params;
      const asked = { referralId, id, address: request.ip };
      return presentMessage(await readMessage(deps, requireCaller(request), asked));
    },
  );
}

function sendRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/messages',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'sendMessage',
        tags,
        summary: 'Write to the other side of a referral',
        description:
          'Both sides can ask and answer, whatever state the referral is in. What is written is never changed. It changes neither the status nor the version.',
        params: idParams,
        headers: idempotencyHeaders,
        body: newMessageSchema,
        response: {
          201: messageSchema,
          ...problemAnswers({
            ...badBody,
            403: 'You are on neither side of the referral.',
            404: notYours,
            409: `It is a draft, or was made in error: there is nobody to write to. ${notNow}`,
            422: keyReused,
          }),
        },
      },
    },
    async (request, reply) => {
      const { id: referralId } = request.params;
      const idempotencyKey = request.headers['idempotency-key'];
      const message = { referralId, text: request.body.text, address: request.ip, idempotencyKey };
      const sent = await sendMessage(deps, requireCaller(request), message);
      const location = `${deps.settings.baseUrl}/api/referrals/${referralId}/messages/${sent.id}`;
      return reply.code(201).header('location', location).send(sent);
    },
  );
}
