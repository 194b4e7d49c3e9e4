import { Type } from 'typebox';
import { actionOn } from '../../accounts/index.ts';
import {
  type App,
  badBody,
  listOf,
  listQuery,
  nonBlankPattern,
  noOtherFields,
  noToken,
  orNull,
  pageOfRows,
  problemAnswers,
  readIdCursor,
  withToken,
} from '../../platform/http/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { closeAsDone, retryGivenUp } from './resolve.ts';
import { listUnmatched, type UnmatchedItem, unmatchedKinds } from './unmatched-store.ts';

// The API published these items as “loose ends” before they were called unmatched, so its addresses and names keep that word.
const tags = ['Deliveries'];
const operators = { access: withToken('operator'), scope: 'deliveries' };
const params = Type.Object({
  id: Type.String({ parameter: 'LooseEndId', maxLength: 100, description: 'The id of an unmatched item.' }),
});
const time = Type.String({ format: 'date-time' });
const person = Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() }, { title: 'Person' });
const unmatchedSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.Enum([...unmatchedKinds], {
      title: 'LooseEndKind',
      description:
        '`unexplained-message`: it came from the NHS message exchange and matches nothing that this site sent, or a message that has since been confirmed, sent by another channel or erased. `given-up-job`: a job that failed every time.',
    }),
    what: Type.String({ description: 'The same in plain words.' }),
    opened_at: time,
    owner: orNull(person),
    closed_at: orNull(time),
    closed_as: orNull(Type.Enum(['done', 'retried', 'resolved'], { title: 'LooseEndClosing' })),
    closed_by: orNull(person),
    closing_words: orNull(Type.String()),
    read_by: Type.Array(
      Type.Object(
        { id: Type.String({ format: 'uuid' }), name: Type.String(), at: time },
        { title: 'LooseEndReader' },
      ),
      { description: 'Which operators have read the message. Only they may resolve it.' },
    ),
  },
  { title: 'LooseEnd' },
);
const refusals = {
  400: 'The request does not have the right form; `errors` says where.',
  401: noToken,
  403: 'The account is not an operator’s.',
};
const itemRefusals = {
  ...refusals,
  ...badBody,
  404: 'There is no such unmatched item, or it is resolved.',
};

const closingSchema = Type.Object(
  {
    words: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: nonBlankPattern,
      description:
        'What was done, in a few words that other operators understand. Write no names of patients.',
    }),
  },
  {
    title: 'LooseEndClosingWords',
    additionalProperties: false,
    examples: [{ words: 'Meant for another site; its sender was told.' }],
  },
);

/** The API of the operators' worklist of unmatched messages and jobs that were given up. */
export function unmatchedRoutes(app: App, deps: Platform): void {
  listRoute(app, deps);
  retryRoute(app, deps);
  resolveRoute(app, deps);
}

function listRoute(app: App, deps: Platform): void {
  const list = {
    operationId: 'listLooseEnds',
    tags,
    summary: 'List unmatched items',
    description:
      'Messages that arrived and match nothing this site sent, or come from a mailbox that did not get the letter they acknowledge, and jobs that failed every time. Oldest first, each with an owner. For operators.',
    querystring: Type.Object(
      {
        open: Type.Optional(Type.Boolean({ description: 'false: resolved items; otherwise open ones.' })),
        ...listQuery,
      },
      noOtherFields,
    ),
    response: { 200: listOf(unmatchedSchema), ...problemAnswers(refusals) },
  };
  app.get('/api/loose-ends', { config: operators, schema: list }, async (request) => {
    const { open = true, limit = 50, cursor } = request.query;
    const after = readIdCursor(cursor);
    const { items, next_cursor } = pageOfRows(
      await listUnmatched(deps.db, { open, after, limit: limit + 1 }),
      limit,
    );
    return { items: items.map(present), next_cursor };
  });
}

function retryRoute(app: App, deps: Platform): void {
  const retry = {
    operationId: 'retryLooseEnd',
    tags,
    summary: 'Retry a failed job',
    description: 'Starts the job again, with all its attempts. For operators.',
    params,
    body: Type.Object({}, { title: 'EmptyBody', additionalProperties: false, examples: [{}] }),
    response: {
      200: unmatchedSchema,
      ...problemAnswers({ ...itemRefusals, 409: 'It is a message, which cannot be tried again.' }),
    },
  };
  app.post('/api/loose-ends/:id/retry', { config: operators, schema: retry }, async (request) => {
    return present(await retryGivenUp(deps, actionOn(request, request.params.id)));
  });
}

function resolveRoute(app: App, deps: Platform): void {
  const done = {
    operationId: 'closeLooseEnd',
    tags,
    summary: 'Resolve an unmatched item',
    description:
      'Takes a job out of the queue, or lets a message go a month after it came. For operators. A message must first be read by the same person at `/operator/deliveries/unmatched`, or the answer is 409.',
    params,
    body: closingSchema,
    response: {
      200: unmatchedSchema,
      ...problemAnswers({
        ...itemRefusals,
        409: 'It is a message that this person has not read.',
        422: '`words` do not say what was done.',
      }),
    },
  };
  app.post('/api/loose-ends/:id/done', { config: operators, schema: done }, async (request) => {
    return present(await closeAsDone(deps, actionOn(request, request.params.id), request.body.words));
  });
}

function present(item: UnmatchedItem) {
  const { opened_at, closed_at, read_by } = item;
  return {
    ...item,
    opened_at: opened_at.toISOString(),
    closed_at: closed_at?.toISOString() ?? null,
    read_by: read_by.map((reader) => ({ ...reader, at: new Date(reader.at).toISOString() })),
  };
}
