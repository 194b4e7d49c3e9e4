import { type TObject, type TSchema, Type } from 'typebox';
import { problemAnswers, type Reply, type Request, reader } from '../../platform/http/index.ts';
import { badRequest, notFound, Problem } from '../../platform/problem/index.ts';
import { tidyQuery } from './lenient-input.ts';

/** Answers are sent as JSON texts; their schemas are there to be read. */
const asText = () => JSON.stringify;
export const libraryRead = {
  config: { access: reader },
  serializerCompiler: asText,
  preValidation: refuseTokenInAddress,
};

/**
 * Of a query nothing is refused that the library does not know, since Open Referral clients send what they like. A token is
 * the exception: it stands in every log between here and there, and whoever sends it there believes that it is needed.
 */
export function refuseTokenInAddress(request: Request, _reply: Reply, done: () => void): void {
  const [, name] = /[?&]((?:access[_-]?)?token)(?:=|&|$)/i.exec(request.raw.url ?? '') ?? [];
  if (name !== undefined) throw tokenInAddress(name);
  done();
}

function tokenInAddress(name: string): Problem {
  const message = 'must not be in the address: send the token as Authorization: Bearer, and make a new one';
  return new Problem(badRequest, undefined, {
    errors: [{ pointer: `/query/${name.toLowerCase()}`, message }],
  });
}

export const tags = ['Library'];
export const refused = problemAnswers({
  401: 'No token was sent, or it is not valid. An open library needs none.',
});
const badParameter = problemAnswers({
  400: 'A parameter has a value that it cannot have; `errors` says which and why.',
});
const unchanged = {
  304: {
    description:
      'You have this answer already: you sent its `ETag` as `If-None-Match`, or its `Last-Modified` as `If-Modified-Since`.',
    type: 'null',
  },
};

/** For a route's `preValidation`: makes the query ready for its schema. */
export function tidyQueryHook(querystring: TObject) {
  return (request: Request, _reply: Reply, done: () => void): void => {
    request.query = tidyQuery(querystring, request.query as Record<string, unknown>, request.raw.url);
    done();
  };
}

/** @param things such as `services` */
export function listAnswers(things: string, page: TSchema, example: { contents: object[] }) {
  return {
    200: {
      description: `A page of ${things}; with \`format=ndjson\` or \`Accept: application/x-ndjson\`, all of them, one a line.`,
      content: {
        'application/json': { schema: page, example },
        'application/x-ndjson': {
          schema: Type.String(),
          example: `${JSON.stringify(example.contents[0])}\n`,
        },
      },
    },
    ...unchanged,
    ...badParameter,
    ...refused,
  };
}

/** @param thing such as `service` */
export function itemAnswers(thing: string, schema: TSchema, example: object) {
  return {
    200: { description: `The ${thing}.`, content: { 'application/json': { schema, example } } },
    ...unchanged,
    ...problemAnswers({
      400: 'The id is not UTF-8 or longer than 200 characters, or a parameter has a value that it cannot have.',
      404: missing(thing),
    }),
    ...refused,
  };
}

export function idParams(thing: string, example: { id: string }) {
  const description = `The id of the ${thing}, as lists give it.`;
  return Type.Object({ id: Type.String({ description, examples: [example.id] }) });
}

/** What was found. @throws Problem `not-found` where nothing was. */
export function requireFound<T>(thing: string, found: T | undefined): T {
  if (found === undefined) throw new Problem(notFound, missing(thing));
  return found;
}

function missing(thing: string): string {
  return `The library has no ${thing} with this id.`;
}
