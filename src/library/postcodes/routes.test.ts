import { Readable } from 'node:stream';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { siteActor } from '../../audit/index.ts';
import { importPostcodes } from '../../exchange/index.ts';
import { postcodeSchema } from './routes.ts';

let site: TestApp;
let open: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  [site, open] = await Promise.all([makeApp(), makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } })]);
  ({ headers } = await aTokenHolder(site.deps));
  const file = 'postcode,latitude,longitude\nZT1 3GH,54.04824,-2.14513\n';
  for (const { deps } of [site, open])
    await importPostcodes(deps, siteActor, Readable.from([Buffer.from(file)]));
});
afterAll(() => Promise.all([site.close(), open.close()]));

const get = (postcode: string) => site.app.inject({ url: `/api/library/postcodes/${postcode}`, headers });

describe('GET /api/library/postcodes', () => {
  it('finds a postcode and says how precise the place is', async () => {
    for (const typed of ['ZT1%203GH', 'zt13gh', 'ZT1%20%203GH']) {
      const answer = await get(typed);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({
        postcode: 'ZT1 3GH',
        sector: 'ZT1 3',
        district: 'ZT1',
        latitude: 54.04824,
        longitude: -2.14513,
        precision: 'postcode',
      });
    }
    expect((await get('ZT13ZZ')).json()).toMatchObject({ postcode: 'ZT1 3ZZ', precision: 'sector' });
    const fallback = (await get('ZT19ZZ')).json();
    expect(fallback).toMatchObject({ postcode: 'ZT1 9ZZ', sector: 'ZT1 9', precision: 'district' });
    expect(Value.Check(postcodeSchema, fallback)).toBe(true);
  });

  it.each([
    ['a postcode of an unknown district', 'XX1%201AA', 404],
    ['a word', 'nonsense', 400],
    ['a district', 'ZT1', 400],
    ['the character NUL', 'ZT1%003GH', 400],
    ['bytes that are not UTF-8', 'ZT1%ff3GH', 400],
    ['operators', "ZT1%203GH'%20or%20%26%7C!", 400],
    ['a negative number', '-1', 400],
    ['5,000 characters', 'a'.repeat(5000), 400],
  ])('explains what is wrong with %s', async (_what, typed, status) => {
    const answer = await get(typed);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.body).not.toContain('nonsense');
  });

  it('names the wrong postcode in the errors', async () => {
    expect((await get('nonsense')).json().errors).toEqual([
      { pointer: '/params/postcode', message: 'must be a full UK postcode such as ZT1 3GH' },
    ]);
  });

  it('is open to everybody who may read the library', async () => {
    const url = '/api/library/postcodes/ZT13GH';
    expect((await site.app.inject({ url })).statusCode).toBe(401);
    expect((await open.app.inject({ url })).statusCode).toBe(200);
  });
});
