import { type TSchema, Type } from 'typebox';
import {
  badBody,
  noToken,
  problemAnswers,
  type Reply,
  type Request,
  withToken,
} from '../../platform/http/index.ts';
import { badRequest, Problem, versionMissing, wrongInput } from '../../platform/problem/index.ts';
import { type DatedContent, etagOf, readEtags } from '../hsds/etag.ts';
import { exampleService } from '../hsds/examples.ts';

/** A serialiser for answers that are JSON text already. */
const asText = () => (text: unknown) => text as string;
const access = withToken('operator', 'provider');
export const editRoute = { config: { access, scope: 'library:write' } };
export const readRoute = { config: { access, scope: 'library:read' } };
export const channelRoute = { config: { access, scope: 'channels' } };
export const rawJsonRoute = { ...editRoute, serializerCompiler: asText };

export const ifMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      parameter: 'ServiceVersion',
      maxLength: 500,
      description:
        'The ETag of the service as you last read it. Without it the answer is 428, so that nobody changes what they have not seen.',
      examples: ['"Fq2rLjZGZJZ6XNnIXdhyXZQBmDU"'],
    }),
  ),
});

/** The refusals of a route for editors. @param kinds `by-id` adds those of routes with an id, `if-match` those of routes that need If-Match. */
export function refusals(...kinds: ('by-id' | 'if-match')[]) {
  return problemAnswers({
    ...badBody,
    401: noToken,
    403: 'You are no operator, and no provider of the organisation that runs the service.',
    ...(kinds.includes('by-id') && { 404: 'The library has no service with this id.' }),
    ...(kinds.includes('if-match') && {
      412: 'The service has changed since you read it.',
      428: 'If-Match is missing.',
    }),
    422: 'A value cannot be used; `errors` says which and why.',
  });
}

export function serviceAnswer(description: string) {
  return jsonAnswer(description, Type.Ref('Service'), exampleService);
}

export function jsonAnswer(description: string, schema: TSchema, example: object) {
  return { description, content: { 'application/json': { schema, example } } };
}

export function sendService(reply: Reply, { content, updatedAt }: DatedContent): Reply {
  reply.header('etag', etagOf(content)).header('last-modified', updatedAt.toUTCString());
  return reply.type('application/json; charset=utf-8').send(content);
}

/**
 * The versions that the caller has seen, from the If-Match header.
 * @throws Problem `version-missing` (428) if the header is missing, `bad-request` if it has no ETags.
 */
export function readIfMatch({ headers }: Request): readonly string[] {
  const header = headers['if-match'];
  if (header === undefined) {
    throw new Problem(
      versionMissing,
      'Send the header If-Match with the ETag of the service as you last read it.',
    );
  }
  const etags = readEtags(header);
  if (etags.every((etag) => etag === '*' || /^"[^"]+"$/.test(etag))) return etags;
  const errors = [
    { pointer: '/headers/if-match', message: 'must be the ETag of the service, with its quotation marks' },
  ];
  throw wrongInput(badRequest, errors);
}
