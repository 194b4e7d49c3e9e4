import { Type } from 'typebox';

/** What browsers send of a passkey, in the form of WebAuthn's own JSON; further members are theirs and are not read. */
const base64url = (maxLength: number) => Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]+$' });

const credential = { id: base64url(1400), rawId: base64url(1400), type: Type.Literal('public-key') };

export const registrationSchema = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: base64url(10_000),
    attestationObject: base64url(100_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
  }),
});

export const assertionSchema = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: base64url(10_000),
    authenticatorData: base64url(10_000),
    signature: base64url(10_000),
    userHandle: Type.Optional(Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9_-]*$' })),
  }),
});

export type Registration = Type.Static<typeof registrationSchema>;
export type Assertion = Type.Static<typeof assertionSchema>;
