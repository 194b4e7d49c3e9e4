import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import {
  type App,
  keyCursor,
  listOf,
  listQuery,
  noOtherFields,
  noToken,
  problemAnswers,
  readKeyCursor,
  withToken,
} from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { badRequest, wrongInput } from '../../platform/problem/index.ts';
import { locate } from '../postcodes/locate.ts';
import { readPostcode } from '../postcodes/postcode.ts';
import type { Point } from '../postcodes/postcodes-store.ts';
import { odsCodeShape } from './practices-store.ts';
import { requirePractice } from './require-practice.ts';
import { requireUtf8 } from './require-utf8.ts';
import { practiceParams, practiceSchemas, presentPractice } from './schemas.ts';
import { searchPractices } from './search-practices.ts';
import { practiceChannelRoutes } from './set-channels.ts';

const tags = ['Practices'];
const config = { access: withToken(), scope: 'library:read' };
/** Characters of a search: more than any name with its address has. */
const maxSearchLength = 200;

const querystring = Type.Object(
  {
    search: Type.Optional(
      Type.String({
        maxLength: maxSearchLength,
        description:
          'Words of the name, the town, the address, the postcode or the code; each may be unfinished. All words must match. If no practice has them all, misspellings are corrected; if still none does, any of the words is enough.',
        examples: ['infirmary lane'],
      }),
    ),
    near: Type.Optional(
      Type.String({
        maxLength: 30,
        description:
          'A full postcode. Of practices that fit equally well, the nearest come first; without `search`, the nearest of all.',
        examples: ['ZT1 1RE'],
      }),
    ),
    limit: listQuery.limit,
    cursor: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The next_cursor of the last answer; send the other parameters as before.',
      }),
    ),
  },
  noOtherFields,
);

/** Finds the GP practice that a referral is copied to. */
export function practiceRoutes(app: App, deps: WebPlatform): void {
  for (const schema of practiceSchemas) app.addSchema(schema);
  searchRoute(app, deps);
  readRoute(app, deps);
  practiceChannelRoutes(app, deps);
}

function searchRoute(app: App, { db }: WebPlatform): void {
  app.get(
    '/api/practices',
    {
      config,
      preValidation: async (request) => requireUtf8(request.url),
      schema: {
        operationId: 'listPractices',
        tags,
        summary: 'Find GP practices',
        description:
          'The GP practices that this site knows, best matches first: the one with the code, those whose name begins with what you search for, those with the words in their name, then in their address. Without `search`, all of them by name.',
        querystring,
        response: {
          200: listOf(Type.Ref('FoundPractice')),
          ...problemAnswers({
            400: 'A parameter is not known or not of the right form, or the site does not know where `near` is.',
            401: noToken,
          }),
        },
      },
    },
    async (request) => {
      const { search, limit = 50 } = request.query;
      const afterCode = readKeyCursor(request.query.cursor, odsCodeShape);
      const near = await requirePlace(db, request.query.near);
      const { practices, hasMore } = await searchPractices(db, { search, near, afterCode, limit });
      const items = practices.map(({ distance, ...practice }) => ({
        ...presentPractice(practice),
        distance_metres: distance === null ? null : Math.round(distance),
      }));
      return { items, next_cursor: hasMore ? keyCursor(practices.at(-1)!.odsCode) : null };
    },
  );
}

/** @throws Problem `bad-request` for text that is not a postcode, and for one whose district is unknown. */
async function requirePlace(db: Db, near: string | undefined): Promise<Point | undefined> {
  if (near === undefined || near === '') return undefined;
  const place = await locate(db, near);
  if (place) return place;
  const message = readPostcode(near)
    ? 'is a postcode that this site does not know: leave it out, or name another one near it'
    : 'must be a full UK postcode such as ZT1 3GH';
  const errors = [{ pointer: '/query/near', message }];
  throw wrongInput(badRequest, errors);
}

function readRoute(app: App, { db }: WebPlatform): void {
  app.get(
    '/api/practices/:ods_code',
    {
      config,
      schema: {
        operationId: 'getPractice',
        tags,
        summary: 'Read a GP practice',
        description: 'One GP practice by its code of the Organisation Data Service (ODS).',
        params: practiceParams,
        response: {
          200: Type.Ref('Practice', { description: 'The practice.' }),
          ...problemAnswers({ 401: noToken, 404: 'The site knows no practice with this code.' }),
        },
      },
    },
    async (request) => {
      return presentPractice(await requirePractice(db, request.params.ods_code.toUpperCase()));
    },
  );
}
