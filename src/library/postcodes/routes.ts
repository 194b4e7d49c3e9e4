import { type Static, Type } from 'typebox';
import { type App, noToken, problemAnswers, reader } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { badRequest, notFound, Problem, wrongInput } from '../../platform/problem/index.ts';
import { locate } from './locate.ts';
import { readPostcode } from './postcode.ts';

const notPostcode = { pointer: '/params/postcode', message: 'must be a full UK postcode such as ZT1 3GH' };

/** Finds postcodes, for everybody who may read the library. */
export function postcodeRoutes(app: App, { db }: WebPlatform): void {
  app.addSchema(postcodeSchema);
  app.get(
    '/api/library/postcodes/:postcode',
    {
      config: { access: reader, scope: 'library:read' },
      schema: {
        operationId: 'getPostcode',
        tags: ['Library'],
        summary: 'Find where a postcode is',
        description:
          'The middle of a UK postcode, for finding what is near. Where the site does not know the postcode, it answers with the middle of the sector or the district that it lies in, and `precision` says so.',
        params: Type.Object({
          postcode: Type.String({
            maxLength: 200,
            description: 'A full postcode, in capital or small letters, with its space or without.',
            examples: ['ZT1 3GH'],
          }),
        }),
        response: {
          200: Type.Ref('Postcode', { description: 'Where it is, and how exact that is.' }),
          ...problemAnswers({
            400: 'This is not a full UK postcode.',
            401: `${noToken} An open library needs none.`,
            404: 'The site knows neither the postcode nor another one of its district.',
          }),
        },
      },
    },
    async (request) => {
      const { postcode } = request.params;
      if (!readPostcode(postcode)) throw wrongInput(badRequest, [notPostcode]);
      const match = await locate(db, postcode);
      if (!match) throw new Problem(notFound, 'This site does not know where this postcode is.');
      const { text, ...place } = match;
      return { postcode: text, ...place } satisfies PostcodeAnswer;
    },
  );
}

export const postcodeSchema = Type.Object(
  {
    postcode: Type.String({ description: 'In its written form: capital letters and one space.' }),
    sector: Type.String({
      description: 'The postcode without its last two letters: some thousands of homes.',
    }),
    district: Type.String({ description: 'Its first half: a town, or a part of one.' }),
    latitude: Type.Number({ description: 'In degrees (WGS 84).' }),
    longitude: Type.Number({ description: 'In degrees (WGS 84).' }),
    precision: Type.Enum(['postcode', 'sector', 'district'], {
      title: 'PostcodePrecision',
      description:
        'How exact the place is: `postcode` is the middle of the postcode itself. The site does not know every postcode; then it is the middle of those that it knows in its `sector`, some hundred metres to some miles away, or in its `district`, which may be further.',
    }),
  },
  {
    $id: 'Postcode',
    description: 'Where a postcode is.',
    examples: [
      {
        postcode: 'ZT1 3GH',
        sector: 'ZT1 3',
        district: 'ZT1',
        latitude: 54.04824,
        longitude: -2.14513,
        precision: 'postcode',
      },
    ],
  },
);

type PostcodeAnswer = Static<typeof postcodeSchema>;
