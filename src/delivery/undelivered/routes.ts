import { type TSchema, Type } from 'typebox';
import { actionOn, requireCaller } from '../../accounts/index.ts';
import {
  type App,
  badBody,
  listOf,
  listQuery,
  momentSchema,
  noOtherFields,
  noToken,
  openEnum,
  orNull,
  problemAnswers,
  type Request,
  withToken,
} from '../../platform/http/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { requireWhatWasDone } from '../../platform/reason.ts';
import {
  attemptOutcomeSchema,
  deliveryLegSchema,
  deliveryPurposeSchema,
  deliveryStatusSchema,
} from '../../referrals/index.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { undeliveredKinds } from '../model/undelivered-store.ts';
import { assignDelivery, markDoneByHand, retryDelivery, sendAnotherWay } from './actions.ts';
import { readDelivery, readUndelivered } from './read-undelivered.ts';

const tags = ['Deliveries'];
const operators = { access: withToken('operator'), scope: 'deliveries' };
const params = Type.Object({
  id: Type.String({ parameter: 'DeliveryId', maxLength: 100, description: 'The id of a delivery.' }),
});
const refused = {
  400: 'The request does not have the right form; `errors` says where.',
  401: noToken,
  403: 'The account is not an operator’s.',
};
const notThere = { 404: 'There is no such delivery.' };

/** The operators' worklist for client systems. */
export function undeliveredRoutes(app: App, deps: DeliveryDeps): void {
  readRoutes(app, deps);
  sendAgainRoutes(app, deps);
  ownerRoutes(app, deps);
}

function readRoutes(app: App, deps: Platform): void {
  const querystring = Type.Object(
    {
      open: Type.Optional(Type.Boolean({ description: 'false: resolved ones; otherwise open ones.' })),
      kind: Type.Optional(kindSchema),
      owner: Type.Optional(
        Type.String({
          format: 'uuid',
          description: 'Only those whose owner is the operator with this account.',
        }),
      ),
      ...listQuery,
    },
    noOtherFields,
  );
  const list = {
    operationId: 'listDeliveriesToSeeTo',
    tags,
    summary: 'List undelivered messages',
    description:
      'The operators’ worklist: every message that did not arrive, may not have arrived or was not answered, and every referral whose GP practice was not named: those that are urgent or tell of a danger first, then the oldest. Each has an owner. Nothing of it is clinical. For operators.',
    querystring,
    response: { 200: listOf(listedDeliverySchema), ...problemAnswers(refused) },
  };
  app.get('/api/deliveries', { config: operators, schema: list }, async (request) => {
    const { open = true, owner, kind, limit = 50, cursor } = request.query;
    const page = { cursor, limit, ipAddress: request.ip };
    const undeliveredPage = await readUndelivered(deps, requireCaller(request), { open, owner, kind }, page);
    return toPlainJson(undeliveredPage) as never;
  });

  const one = {
    operationId: 'getDelivery',
    tags,
    summary: 'Read a delivery',
    description: 'How one message stands, with all that was tried and heard. For operators.',
    params,
    response: { 200: wholeDeliverySchema, ...problemAnswers({ ...refused, ...notThere }) },
  };
  app.get('/api/deliveries/:id', { config: operators, schema: one }, (request) => answer(deps, request));
}

function sendAgainRoutes(app: App, deps: DeliveryDeps): void {
  const optionalEmptyBody = Type.Optional(Type.Union([Type.Null(), Type.Object({}, noOtherFields)]));
  const retry = 'Tries it again from the start, with the same message under the same id.';
  app.post(
    '/api/deliveries/:id/retry',
    action('retryDelivery', 'Try a delivery again', retry, optionalEmptyBody),
    async (request) => {
      await retryDelivery(deps, actOf(request));
      return answer(deps, request);
    },
  );

  const channel = Type.Object(
    { channel: Type.String({ maxLength: 40, description: 'One of the ways that this site has.' }) },
    { additionalProperties: false, examples: [{ channel: 'document' }] },
  );
  const another =
    'Sends this one delivery by the channel that you choose, instead of its receiver’s own channels.';
  app.post(
    '/api/deliveries/:id/send-another-way',
    action('sendDeliveryAnotherWay', 'Send a delivery another way', another, channel),
    async (request) => {
      await sendAnotherWay(deps, actOf(request), request.body.channel);
      return answer(deps, request);
    },
  );
}

function ownerRoutes(app: App, deps: Platform): void {
  const words = Type.Object(
    {
      words: Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'How its receiver was told, in a few words that other operators understand. Write no names of patients.',
      }),
    },
    { additionalProperties: false, examples: [{ words: 'Read out to their duty desk by telephone.' }] },
  );
  const done = 'You confirmed that its receiver knows; nothing more is sent.';
  app.post(
    '/api/deliveries/:id/done',
    action('markDeliveryDone', 'Say that it was done by hand', done, words),
    async (request) => {
      await markDoneByHand(deps, actOf(request), requireWhatWasDone(request.body.words));
      return answer(deps, request);
    },
  );

  const owner = Type.Object(
    {
      account_id: Type.String({
        format: 'uuid',
        description: 'An operator’s account; your own to take it over.',
      }),
    },
    { additionalProperties: false, examples: [{ account_id: '0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f' }] },
  );
  app.post(
    '/api/deliveries/:id/assign',
    action(
      'assignDelivery',
      'Assign an undelivered message',
      'Takes it over, or gives it to another operator.',
      owner,
    ),
    async (request) => {
      await assignDelivery(deps, actOf(request), request.body.account_id);
      return answer(deps, request);
    },
  );
}

/** What all routes that act on a delivery have in common. */
function action<Body extends TSchema>(operationId: string, summary: string, description: string, body: Body) {
  return {
    config: operators,
    schema: {
      operationId,
      tags,
      summary,
      description: `${description} For operators.`,
      params,
      body,
      response: {
        200: wholeDeliverySchema,
        ...problemAnswers({
          ...refused,
          ...notThere,
          ...badBody,
          409: 'It is not in a state in which that can be done.',
          422: 'A value cannot be used; `errors` says which and why.',
        }),
      },
    },
  };
}

type DeliveryRequest = Request & { params: { id: string } };

function actOf(request: Request) {
  return actionOn(request, (request as DeliveryRequest).params.id);
}

async function answer(deps: Platform, request: Request): Promise<never> {
  const { caller, ...target } = actOf(request);
  return toPlainJson(await readDelivery(deps, caller, target)) as never;
}

/** As JSON, with dates as strings. */
function toPlainJson(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

const person = Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() }, { title: 'Person' });

const kindSchema = openEnum(undeliveredKinds, {
  title: 'WorklistKind',
  description:
    'Why it needs an operator. `failed`: no way worked. `uncertain`: nobody can tell whether it arrived. `expired`: handed over and not confirmed within five days. `unanswered`: its receiver has not answered within a day. `no-practice`: the person’s GP practice was not named. `held`: it waits until something else is put right, as `reason` says, and is then sent by itself.',
});

const undeliveredSchema = Type.Object(
  {
    kind: kindSchema,
    reason: Type.String({ description: 'The same in plain words.' }),
    escalated: Type.Boolean({ description: 'It has waited for five days.' }),
    opened_at: momentSchema('Since when.'),
    owner: orNull(person, 'The operator responsible; null only while the site has none.'),
    closed_at: orNull(Type.String({ format: 'date-time' }), 'Null while it is open.'),
    closed_as: orNull(
      Type.Enum(['resolved', 'retried', 'another-way', 'by-hand'], { title: 'WorklistClosing' }),
      '`resolved`: it resolved itself.',
    ),
    closed_by: orNull(person, 'Who saw to it.'),
    closing_words: orNull(Type.String(), 'What they said of it.'),
  },
  { title: 'WorklistEntry' },
);

const fields = {
  id: Type.String({ format: 'uuid' }),
  referral: Type.Object({ id: Type.String({ format: 'uuid' }), reference: Type.String() }),
  leg: deliveryLegSchema,
  purpose: deliveryPurposeSchema,
  recipient: orNull(
    Type.String(),
    'The service or the practice; null where none was named. “A restricted service” instead of a sensitive service, until you have opened the referral with a reason; what was tried and why is not told until then either.',
  ),
  channel: orNull(Type.String(), 'The channel; null until one is chosen.'),
  status: deliveryStatusSchema,
  simulated: Type.Boolean(),
  created_at: momentSchema('When it was created.'),
  updated_at: momentSchema('When its status last changed.'),
  worklist: orNull(undeliveredSchema, 'Why the delivery is or was on the worklist; null if it never was.'),
};

const listedDeliverySchema = Type.Object(fields, { title: 'WorklistDelivery' });
const wholeDeliverySchema = Type.Object(
  {
    ...fields,
    attempts: Type.Array(
      Type.Object({
        at: momentSchema('When it ended.'),
        channel: Type.String({ description: 'The channel.' }),
        outcome: attemptOutcomeSchema,
        detail: Type.String({ description: 'What happened, in plain words.' }),
      }),
      { description: 'What was tried and what was heard, oldest first.' },
    ),
  },
  { title: 'WorklistDeliveryDetails' },
);
