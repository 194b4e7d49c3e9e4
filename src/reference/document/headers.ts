const text = { type: 'string' };

/** The headers of answers, which operations refer to. */
export const headers = {
  ETag: {
    description:
      'Names exactly what you read: send it back as `If-None-Match`, or as `If-Match` with a change. That of a referral begins with its version. A page of the library of more than 8 megabytes has none.',
    schema: text,
  },
  Location: { description: 'The address of what was made.', schema: { ...text, format: 'uri' } },
  'Retry-After': {
    description: 'How many seconds to wait. Of a 409 only with the code `still-in-progress`.',
    schema: text,
  },
  'X-Request-Id': {
    description: 'Finds the request in the log of the site. Every answer has it.',
    schema: text,
  },
  'Onward-Check-First': {
    description:
      'When the backup was made from which the site was restored. Every answer has it until an operator lets the site send again.',
    schema: { ...text, format: 'date-time' },
  },
  'Onward-Simulated': {
    description: 'On a test site: the failure that this answer plays. Any answer may have it.',
    schema: text,
  },
  RateLimit: {
    description:
      'How many calls are left (`r`) in how many seconds (`t`), of the limit that is nearer: draft-ietf-httpapi-ratelimit-headers. Every answer has it.',
    schema: text,
    example: '"account";r=5999;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limits: how many calls (`q`) in how many seconds (`w`). Every answer has it.',
    schema: text,
    example: '"account";q=6000;w=60, "network";q=12000;w=60',
  },
  'Content-Disposition': { description: 'What the file is called.', schema: text },
  'WWW-Authenticate': { description: 'How to sign in: with a bearer token (RFC 6750).', schema: text },
  Deprecation: {
    description:
      'Since when something that the call used is deprecated (RFC 9745). The document marks it as `deprecated`.',
    schema: text,
    example: '@1795651200',
  },
  Sunset: { description: 'When it ends (RFC 8594).', schema: text, example: 'Wed, 01 Dec 2027 00:00:00 GMT' },
  'Idempotent-Replayed': {
    description: 'True if this is the answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
};
