import { describe, expect, it } from 'vitest';
import { asOpenApi30 } from './openapi-30.ts';

const when = { type: 'string', format: 'date-time' };
const service = { $ref: '#/components/schemas/Service' };

describe('a part of the document in OpenAPI 3.0', () => {
  it.each([
    [
      'a value or null',
      { type: ['string', 'null'], format: 'date' },
      { type: 'string', format: 'date', nullable: true },
    ],
    [
      'a schema or null',
      { anyOf: [when, { type: 'null' }], description: 'Until when.' },
      { ...when, description: 'Until when.', nullable: true },
    ],
    ['a named schema or null', { anyOf: [service, { type: 'null' }] }, { allOf: [service], nullable: true }],
    [
      'several schemas or null',
      { anyOf: [when, service, { type: 'null' }] },
      { anyOf: [when, service], nullable: true },
    ],
    ['a constant', { const: 'codes_only' }, { type: 'string', enum: ['codes_only'] }],
    ['examples', { type: 'string', examples: ['one', 'two'] }, { type: 'string', example: 'one' }],
    [
      'words beside a reference',
      { ...service, description: 'Which.' },
      { allOf: [service], description: 'Which.' },
    ],
    [
      'a rule between fields',
      { type: 'object', allOf: [{ if: { required: ['risk'] } }] },
      { type: 'object' },
    ],
    [
      'the scope of a key',
      { security: [{ access_token: ['library:read'] }] },
      { security: [{ access_token: [] }] },
    ],
  ])('says %s', (_, given, expected) => {
    expect(asOpenApi30(given)).toEqual(expected);
  });

  it('leaves names and values as they are', () => {
    const fields = {
      properties: { const: { type: 'string' }, type: { type: 'string' } },
      required: ['const'],
    };
    expect(asOpenApi30(fields)).toEqual(fields);
    const value = { value: { type: ['string', 'null'], const: 1 } };
    expect(asOpenApi30(value)).toEqual(value);
  });
});
