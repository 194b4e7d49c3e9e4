import { describe, expect, it } from 'vitest';
import { aReferral } from '../../../test/app/builders.ts';
import { markPlaceConfidential } from '../../../test/library/stored.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';

const { site, place, referrer, colleague, provider, operator, stranger, call, post, makeReferral } =
  await referralLifeFixture();

describe('a search for a person', () => {
  it('finds what the caller may see, and logs nothing personal', async () => {
    const person = { family_name: 'O’Zapletálová-Smith', birth_date: '1951-02-03', nhs_number: '9990000034' };
    const { patient } = aReferral('');
    const { id } = await makeReferral({ patient: { ...patient, ...person } });
    const search = async (who: Holder, body: object) => {
      const found = await post(who, '/search', body);
      return found.status === 200
        ? found.body.items.map((each: { id: string }) => each.id)
        : found.body.errors[0].pointer;
    };
    const byName = { family_name: 'ozapletalova smith', birth_date: '1951-02-03' };
    const why = { reason: 'Asked for by letter; ticket 311.' };
    expect(await search(operator, { ...byName, ...why })).toEqual([id]);
    expect(await search(operator, { nhs_number: '9990000042', ...byName, ...why })).toEqual([]);
    for (const who of [colleague, provider]) {
      expect(await search(who, { nhs_number: '9990000034' })).toEqual([id]);
      expect(await search(who, { ...byName, postcode: 'zt13gh' })).toEqual([id]);
      expect(await search(who, { ...byName, postcode: 'ZT1 3GJ' })).toEqual([]);
      expect(await search(who, { nhs_number: '9990000042', ...byName })).toEqual([]);
    }
    // A number is enough, and any other field narrows the search.
    const number = { nhs_number: '9990000034' };
    const { family_name, birth_date } = byName;
    for (const more of [{ family_name }, { birth_date }, byName])
      expect(await search(referrer, { ...number, ...more }), JSON.stringify(more)).toEqual([id]);
    for (const other of [{ family_name: 'Jones' }, { birth_date: '1951-02-04' }])
      expect(await search(referrer, { ...number, ...other })).toEqual([]);
    expect(await search(stranger, { ...number, family_name })).toEqual([]);
    expect(await search(stranger, byName)).toEqual([]);
    expect(await search(referrer, { family_name: 'Smith' })).toBe('/birth_date');
    expect(await search(referrer, { birth_date: '1951-02-03' })).toBe('/family_name');
    expect(await search(referrer, {})).toBe('/nhs_number');
    expect(await search(referrer, { ...byName, cursor: 'x' })).toBe('/cursor');
    expect(site.logLines.join('')).not.toMatch(/zapletal|9990000034|1951-02-03/i);
  });
});

describe('a search by postcode', () => {
  it('hides from others what staff of a confidential place entered', async () => {
    await markPlaceConfidential(site.deps.db, place.serviceId);
    const number = { nhs_number: '9990000050' };
    const { patient } = aReferral('');
    const { id } = await makeReferral({ patient: { ...patient, ...number } });
    await post(provider, `/${id}/accept`, {}, 1);
    const address = { lines: ['1 Quiet Road'], postcode: 'ZT1 9ZZ' };
    const moved = await call(provider, 'PATCH', `/${id}`, { body: { patient: { address } }, version: 2 });
    expect(moved.status).toBe(200);
    const found = async (who: Holder, postcode: string) =>
      (await post(who, '/search', { ...number, postcode })).body.items.map((each: { id: string }) => each.id);
    for (const who of [referrer, colleague]) {
      expect(await found(who, address.postcode)).toEqual([]);
      expect(await found(who, 'ZT1 3GH')).toEqual([id]);
    }
    expect(await found(provider, address.postcode)).toEqual([id]);
  });
});
