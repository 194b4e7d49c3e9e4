import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, aTokenHolder } from '../../../../test/app/builders.ts';
import { makeReferralFixture } from '../../../../test/people/referral-fixture.ts';

const { completeAll, place, site, stored, submit } = await makeReferralFixture();
afterAll(() => site.close());
beforeEach(() => completeAll());

const practice = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const ada = await aTokenHolder(site.deps, {
  name: 'Ada Ní Moss-Hale',
  email: 'ada.moss@example.org',
  organisation: practice,
});

async function refer(given: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const { patient, ...rest } = aReferral(place.serviceId) as any;
  const { nhs_number: _, ...person } = patient;
  const body = { ...rest, patient: { ...person, ...given }, ...more };
  const { statusCode: status, body: text } = await submit(body, {}, ada);
  return { status, body: JSON.parse(text) };
}

describe('the holder of the account', () => {
  it.each([
    ['by their email address', { email: 'Ada.Moss@example.org' }, {}, '/patient/email'],
    ['by a variant of their email address', { email: 'ada.moss+home@example.org' }, {}, '/patient/email'],
    [
      'by their name, at the practice that they work for',
      { given_name: 'Ada', family_name: 'Ni Moss Hale' },
      { gp_practice: { ods_code: 'z99001' } },
      '/patient/family_name',
    ],
  ])('does not refer themselves, known %s', async (_, person, more, pointer) => {
    const before = await stored();
    const { status, body } = await refer(person, more);
    expect([status, body.type.split('/').at(-1), body.errors[0].pointer]).toEqual([
      422,
      'refers-themselves',
      pointer,
    ]);
    expect(JSON.stringify(body)).not.toMatch(/ada|moss/i);
    expect(await stored()).toBe(before);
  });

  it.each([
    ['with the hyphen left out', 'Ada', 'Ní MossHale'],
    ['with a middle name', 'Ada Róisín', 'Ní Moss-Hale'],
    ['with a middle name in the last name’s field', 'Ada', 'Róisín Ní Moss Hale'],
    ['with a part of the last name left out', 'Ada', 'Hale'],
    ['with an initial', 'A.', 'Ní Moss-Hale'],
    ['with initials', 'A R', 'Ni Moss Hale'],
    ['with a title', 'Dr. Ada', 'Ni Moss Hale'],
    ['the other way round', 'Ní Moss Hale', 'Ada'],
  ])('does not refer themselves by their name %s', async (_, given_name, family_name) => {
    const { status, body } = await refer(
      { given_name, family_name },
      { gp_practice: { ods_code: 'Z99001' } },
    );
    expect([status, body.type.split('/').at(-1)]).toEqual([422, 'refers-themselves']);
  });

  it('does not send a draft of themselves', async () => {
    const draft = await refer({ email: 'ada.moss@example.org' }, { status: 'draft' });
    expect(draft.status).toBe(201);
    const sent = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${draft.body.id}/request`,
      payload: {},
      headers: { ...ada.headers, 'if-match': `"${draft.body.version}"` },
    });
    expect([sent.statusCode, sent.json().type.split('/').at(-1)]).toEqual([422, 'refers-themselves']);
  });

  it('does not become the person of a referral by a correction', async () => {
    const byEmail = await refer({ given_name: 'Ada', family_name: 'Ní Moss-Hale' });
    const byPractice = await refer(
      { given_name: 'Ada', family_name: 'Ní Moss-Hale' },
      { allow_duplicate: true },
    );
    const corrections = [
      [byEmail, { patient: { email: 'ada.moss@example.org' } }],
      [byPractice, { gp_practice: { ods_code: 'Z99001' } }],
    ] as const;
    const correct = async (id: string, payload: object, version: number) =>
      site.app.inject({
        method: 'PATCH',
        url: `/api/referrals/${id}`,
        payload,
        headers: { ...ada.headers, 'if-match': `"${version}"` },
      });
    for (const [{ body }, correction] of corrections) {
      const refused = await correct(body.id, correction, 1);
      expect([refused.statusCode, refused.json().type.split('/').at(-1)]).toEqual([422, 'refers-themselves']);
      expect(refused.body).toContain('Nothing was changed.');
    }
    expect((await correct(byEmail.body.id, { patient: { email: 'other@example.org' } }, 1)).statusCode).toBe(
      200,
    );
  });

  it.each([
    ['somebody of the same name elsewhere', { given_name: 'Ada', family_name: 'Ní Moss-Hale' }, {}],
    [
      'somebody of their family at the practice',
      { given_name: 'Ida', family_name: 'Ní Moss-Hale' },
      { gp_practice: { ods_code: 'Z99001' } },
    ],
  ])('may refer %s', async (_, person, more) => {
    expect((await refer(person, more)).status).toBe(201);
  });
});
