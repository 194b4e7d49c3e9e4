import { Type } from 'typebox';

export const statusSchema = Type.Object({
  result: Type.Literal('OK'),
  account: Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: Type.String({ description: 'operator, referrer or provider; several are separated by commas.' }),
    organisation: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]),
  }),
  site: Type.Object({
    name: Type.String(),
    mode: Type.Enum(['test', 'live']),
    base_url: Type.String(),
  }),
  token: Type.Object({
    source: Type.Enum(['apikeys', 'refresh', 'apilogin']),
    issued_at: Type.String({ format: 'date-time' }),
    valid_to: Type.String({
      format: 'date-time',
      description: 'The token works until just before this moment.',
    }),
  }),
});

export const refreshRequestSchema = Type.Object(
  {
    refreshToken: Type.String({
      maxLength: 1000,
      description: 'The refresh token from /apikeys; it begins with onr_.',
    }),
  },
  {
    additionalProperties: false,
    examples: [{ refreshToken: 'onr_…: copy the whole refresh token from /apikeys' }],
  },
);

export const refreshAnswerSchema = Type.Object({
  result: Type.Literal('OK'),
  access_token: Type.String(),
  refresh_token: Type.String({ description: 'The one you sent: it does not change.' }),
  valid_to: Type.String({ format: 'date-time' }),
});
