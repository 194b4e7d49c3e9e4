import { type Static, Type } from 'typebox';

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

export type PostcodeAnswer = Static<typeof postcodeSchema>;
