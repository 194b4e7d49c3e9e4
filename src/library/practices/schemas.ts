import { Type } from 'typebox';
import { orNull } from '../../platform/http/index.ts';
import type { KnownPractice } from './practices-store.ts';

const fields = {
  ods_code: Type.String({
    description: 'Its code of the Organisation Data Service: send it with a referral.',
  }),
  name: Type.String(),
  address: orNull(Type.String()),
  city: orNull(Type.String({ description: 'Its town or county, as the published list has it.' })),
  postcode: orNull(Type.String()),
  latitude: orNull(Type.Number()),
  longitude: orNull(Type.Number()),
  phone: orNull(Type.String()),
  closed_on: orNull(
    Type.String({
      format: 'date',
      description:
        'The day on which it closed, or will close; null if none is known. From that day on it is refused for new referrals.',
    }),
  ),
  channels: Type.Array(Type.String(), {
    description: 'The channels by which it is told of referrals, in the order in which they are tried.',
  }),
};

const example = {
  ods_code: 'Z99001',
  name: 'Infirmary Lane Surgery',
  address: 'Sarrow Health Centre, Infirmary Lane',
  city: 'Sarrowby',
  postcode: 'ZT1 3GH',
  latitude: 54.04824,
  longitude: -2.14513,
  phone: '01632 960494',
  closed_on: null,
  channels: ['document'],
};

/** The named schemas of the practices’ answers, for `app.addSchema`. */
export const practiceSchemas = [
  Type.Object(fields, { $id: 'Practice', description: 'A GP practice.', examples: [example] }),
  Type.Object(
    {
      ...fields,
      distance_metres: orNull(
        Type.Integer({
          description:
            'How far it is, as the crow flies, from the postcode that `near` names; null without one, and where the practice’s own place is not known.',
        }),
      ),
    },
    {
      $id: 'FoundPractice',
      base: 'Practice',
      description: 'A GP practice that was looked for.',
      examples: [{ ...example, distance_metres: 420 }],
    },
  ),
];

/** The practice as the API answers it. */
export function presentPractice({ odsCode, ...practice }: KnownPractice) {
  const {
    name,
    address,
    city,
    postcode,
    latitude,
    longitude,
    phone,
    channels,
    closedOn: closed_on,
  } = practice;
  return {
    ods_code: odsCode,
    name,
    address,
    city,
    postcode,
    latitude,
    longitude,
    phone,
    closed_on,
    channels,
  };
}

export const practiceParams = Type.Object({
  ods_code: Type.String({
    parameter: 'PracticeCode',
    maxLength: 100,
    description: 'The code, in capital or small letters.',
    examples: ['Z99001'],
  }),
});
