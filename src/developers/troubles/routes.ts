import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { timeSpanSchema } from '../../delivery/index.ts';
import { secondMs } from '../../platform/durations.ts';
import {
  type App,
  badBody,
  describePattern,
  listOf,
  momentSchema,
  noOtherFields,
  noToken,
  orNull,
  problemAnswers,
  withToken,
} from '../../platform/http/index.ts';
import type { TokenDeps } from '../../tokens/index.ts';
import { addTrouble, clearTroubles, listOwnTroubles, readOwnTrouble } from './change-troubles.ts';
import { fastForwardAccount } from './fast-forward.ts';
import {
  defaultSeconds,
  maxCalls,
  maxSeconds,
  type Trouble,
  timedTroubles,
  troubleKinds,
  troubleWords,
} from './trouble.ts';

const tags = ['Simulator'];
const config = { access: withToken(), scope: 'simulator' };

const kindsInWords = troubleKinds.map((kind) => `\`${kind}\`: ${troubleWords[kind]}`).join(' ');

const troubleExample = {
  id: '01a1fc72-51b3-7c58-8d1e-5e4f2a6b7c8d',
  kind: 'too-many-requests',
  operation_id: 'createReferral',
  calls: 2,
  played: 0,
  retry_after: 5,
  created_at: '2026-11-21T09:30:00.000Z',
  ends_at: '2026-11-21T10:30:00.000Z',
};

const troubleSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.Enum([...troubleKinds], { title: 'TroubleKind', description: kindsInWords }),
    operation_id: orNull(
      Type.String({ description: 'The operation that it is played on; null for any, and for webhooks.' }),
    ),
    calls: Type.Integer({ description: 'On how many calls it is played.' }),
    played: Type.Integer({ description: 'On how many calls it has been played.' }),
    retry_after: orNull(Type.Integer({ description: 'In seconds; null for kinds without a pause.' })),
    created_at: momentSchema('When it was created.'),
    ends_at: momentSchema('When it expires, played or not.'),
  },
  {
    $id: 'Trouble',
    description: 'What a test site plays on the next calls of your account.',
    examples: [troubleExample],
  },
);

const newTroubleSchema = Type.Object(
  {
    kind: Type.Enum([...troubleKinds], { title: 'TroubleKind', description: kindsInWords }),
    calls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxCalls,
        description: 'On how many calls it is played. One when left out.',
      }),
    ),
    operation_id: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: describePattern('^[A-Za-z]+$', 'must be the operationId of a call, such as createReferral'),
        description:
          'Plays it only on calls of this operation, such as `createReferral`. On any when left out, except `refreshToken`, which has to be named.',
      }),
    ),
    retry_after: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxSeconds,
        description: `For ${timedTroubles.join(', ')}: what Retry-After says in seconds, or how long the answer is held back. ${defaultSeconds} when left out.`,
      }),
    ),
  },
  {
    title: 'NewTrouble',
    ...noOtherFields,
    examples: [{ kind: 'too-many-requests', calls: 2, operation_id: 'createReferral', retry_after: 5 }],
  },
);

function presentTrouble({ id, kind, operationId, calls, played, seconds, createdAt, endsAt }: Trouble) {
  return {
    id,
    kind,
    operation_id: operationId,
    calls,
    played,
    retry_after: seconds,
    created_at: createdAt.toISOString(),
    ends_at: endsAt.toISOString(),
  };
}

/** For client systems of a test site: failures to survive, and moving the time of webhooks and tokens on. */
export function troubleRoutes(app: App, deps: TokenDeps, operations: ReadonlySet<string>): void {
  app.addSchema(troubleSchema);
  addRoute(app, deps, operations);
  readRoutes(app, deps);
  clearRoute(app, deps);
  moveRoute(app, deps);
}

function addRoute(app: App, deps: TokenDeps, operations: ReadonlySet<string>): void {
  const schema = {
    operationId: 'addTrouble',
    tags,
    summary: 'Simulate a failure',
    description:
      'Test sites only. Simulates a failure on the next calls of your own account, and of nobody else, so that you can see that your client survives it. Each simulated answer has the header `Onward-Simulated` with the kind; a lost answer has no header, because nothing of it arrives. Calls of the simulator itself never fail. Several failures come one after the other; each is forgotten after an hour.',
    body: newTroubleSchema,
    response: {
      201: Type.Ref('Trouble', { description: 'What will be played. `Location` has its address.' }),
      ...problemAnswers({
        ...badBody,
        401: noToken,
        422: 'The kind cannot be played on this operation, or 20 of yours wait already; `errors` says why.',
      }),
    },
  };
  app.post('/api/simulator/troubles', { config, schema }, async (request, reply) => {
    const { operation_id: operationId, retry_after: seconds, kind, calls } = request.body;
    const given = { input: { kind, calls, operationId, seconds }, operations, ipAddress: request.ip };
    const trouble = await addTrouble(deps, requireCaller(request), given as Parameters<typeof addTrouble>[2]);
    const location = `${deps.settings.baseUrl}/api/simulator/troubles/${trouble.id}`;
    return reply.code(201).header('location', location).send(presentTrouble(trouble));
  });
}

function readRoutes(app: App, deps: TokenDeps): void {
  const list = {
    operationId: 'listTroubles',
    tags,
    summary: 'List simulated failures',
    description:
      'Test sites only. The failures of the last hour, newest first, and how often each was played.',
    response: { 200: listOf(Type.Ref('Trouble')), ...problemAnswers({ 401: noToken }) },
  };
  app.get('/api/simulator/troubles', { config, schema: list }, async (request) => {
    const troubles = await listOwnTroubles(deps, requireCaller(request));
    return { items: troubles.map(presentTrouble), next_cursor: null };
  });

  const one = {
    operationId: 'getTrouble',
    tags,
    summary: 'See how often a failure was played',
    description: 'Test sites only. One failure of the last hour.',
    params: Type.Object({ id: Type.String({ maxLength: 100, description: 'The id of a trouble.' }) }),
    response: {
      200: Type.Ref('Trouble'),
      ...problemAnswers({ 401: noToken, 404: 'There is no such trouble, or it is not yours.' }),
    },
  };
  app.get('/api/simulator/troubles/:id', { config, schema: one }, async (request) => {
    return presentTrouble(await readOwnTrouble(deps, requireCaller(request), request.params.id));
  });
}

function clearRoute(app: App, deps: TokenDeps): void {
  const schema = {
    operationId: 'clearTroubles',
    tags,
    summary: 'Stop simulating failures',
    description: 'Test sites only. Forgets all failures of your own account, played or not.',
    response: { 204: Type.Null({ description: 'There are none now.' }), ...problemAnswers({ 401: noToken }) },
  };
  app.delete('/api/simulator/troubles', { config, schema }, async (request, reply) => {
    await clearTroubles(deps, requireCaller(request), request.ip);
    return reply.code(204).send(null);
  });
}

const movedSchema = Type.Object({
  moved_on_seconds: Type.Integer({ description: 'By how much this call moved the time on.' }),
  next: Type.Array(
    Type.Object({
      at: momentSchema('When, if nobody moves the time on again. A time in the past means: within seconds.'),
      what: Type.String({ description: 'What, in plain words.' }),
      webhook_id: orNull(Type.String({ format: 'uuid' })),
    }),
    { description: 'What comes next, the nearest first.' },
  ),
});

const movedExample = {
  moved_on_seconds: 3600,
  next: [
    {
      at: '2026-11-21T09:30:20.000Z',
      what: 'The webhook is called',
      webhook_id: '01a1fc72-51b3-7c58-8d1e-5e4f2a6b7c8d',
    },
    { at: '2026-11-21T11:30:00.000Z', what: 'An access token expires', webhook_id: null },
  ],
};

function moveRoute(app: App, deps: TokenDeps): void {
  const schema = {
    operationId: 'moveOwnTimeOn',
    tags,
    summary: 'Move the time of your webhooks and tokens on',
    description:
      'Test sites only. Brings nearer what is to come for your own account: when a call to a webhook is repeated or given up, when a webhook that fails is switched off, until when an earlier secret signs, and when your access tokens expire. What is then due happens within seconds. Times in the past, and other people’s, stay as they are. For a referral there is `POST /api/simulator/{id}/move-on`.',
    body: Type.Object(
      {
        by: timeSpanSchema,
      },
      { ...noOtherFields, examples: [{ by: 'next' }] },
    ),
    response: {
      200: Type.Object(movedSchema.properties, { examples: [movedExample] }),
      ...problemAnswers({ ...badBody, 401: noToken }),
    },
  };
  app.post('/api/simulator/move-on', { config, schema }, async (request) => {
    const moved = await fastForwardAccount(deps, requireCaller(request), {
      by: request.body.by,
      ipAddress: request.ip,
    });
    return {
      moved_on_seconds: Math.round(moved.movedMs / secondMs),
      next: moved.next.map(({ at, what, webhookId }) => ({
        at: at.toISOString(),
        what,
        webhook_id: webhookId,
      })),
    };
  });
}
