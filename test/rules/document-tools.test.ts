import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components, operations } from '../../sdk/src/generated/api.ts';
import { aService, aTokenHolder } from '../app/builders.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'openapi.json'), 'utf8');

describe('redocly lint', () => {
  it('finds nothing in the document', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // Clients have these addresses.
        'no-path-trailing-slash': 'off',
        // A name goes before a parameter: `/simulator/troubles/{id}` before `/simulator/{id}/move-on`.
        'no-ambiguous-paths': 'off',
        // The document of the repository is that of a site on the developer's own computer.
        'no-server-example.com': 'off',
      },
    });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });
});

// What `openapi-typescript` makes of the document. That this file compiles, strictly and without a cast, is the test.
type Schemas = components['schemas'];
type RequestBody<Id extends keyof operations> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Json } };
}
  ? Json
  : never;
type Answer<
  Id extends keyof operations,
  Status extends keyof operations[Id]['responses'],
> = operations[Id]['responses'][Status] extends { content: { 'application/json': infer Json } }
  ? Json
  : never;

function meaningOf(referral: Schemas['Referral']): string {
  switch (referral.status) {
    case 'draft':
      return 'not sent';
    case 'rejected':
    case 'failed':
    case 'cancelled':
      return referral.status_reason?.text ?? 'no reason';
    default:
      return `${referral.reference} of ${referral.patient?.family_name ?? 'somebody'}`;
  }
}

const wordsOf = ({ code, title, errors = [] }: Schemas['Problem']): string =>
  [code, title, ...errors.map(({ pointer }) => pointer)].join(' ');

describe('a program with types from the document', () => {
  let site: TestApp;
  beforeAll(async () => {
    site = await makeApp();
  });
  afterAll(() => site.close());

  it('makes a draft and a referral, and reads a list and a refusal', async () => {
    const place = await aService(site.deps);
    const { headers } = await aTokenHolder(site.deps);
    const post = (payload: RequestBody<'createReferral'>) =>
      site.app.inject({ method: 'POST', url: '/api/referrals', payload, headers });
    const draft = await post({ status: 'draft', patient: { family_name: 'Example' } });
    const made: Answer<'createReferral', 201> = draft.json();
    expect(meaningOf(made)).toBe('not sent');
    // Lists are in the order of time.
    site.clock.moveOn(1);
    const whole: Schemas['NewReferral'] = {
      service_id: place.serviceId,
      patient: {
        given_name: 'Anna',
        family_name: 'Quill',
        birth_date: '1960-05-04',
        address: { lines: ['4 Mill Lane', 'Sarrowby'], postcode: 'ZT1 3GH' },
      },
      reasons: [{ text: 'She seldom leaves the house.' }],
      consent: { referral: true, share_with_gp: false },
    };
    const sent: Answer<'createReferral', 201> = (await post(whole)).json();
    expect(meaningOf(sent)).toBe(`${sent.reference} of Quill`);
    const list: Answer<'listReferrals', 200> = (
      await site.app.inject({ url: '/api/referrals?direction=made', headers })
    ).json();
    expect(list.items.map(({ id }) => id)).toEqual([sent.id, made.id]);
    const refused: Schemas['Problem'] = (await post({ ...whole, service_id: '' })).json();
    expect(wordsOf(refused)).toContain('bad-request');
    expect(wordsOf(refused)).toContain('/service_id');
  });
});
