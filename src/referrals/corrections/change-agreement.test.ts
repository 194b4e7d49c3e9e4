import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral } from '../../../test/app/builders.ts';
import { makeReferralFixture } from '../../../test/people/referral-fixture.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { isOwnDecision } from '../model/person/agreement.ts';
import { agreementBases } from '../model/schemas/new-referral.ts';

const { completeAll, place, provider, referrer, site, submit } = await makeReferralFixture();
afterAll(() => site.close());
beforeEach(() => completeAll());

const { patient } = aReferral('');
const child = { patient: { ...patient, nhs_number: undefined, birth_date: '2014-03-09' } };
const byParent = { agreement: { basis: 'parental_responsibility' } };
const judged = { basis: 'competent_child', judged_by: 'Dr Moss', when: '2026-11-20T10:00:00Z' };

let people = 0;
/** Each about somebody else, because what a child decided counts in their other referrals. */
async function made(given: { patient?: object; [field: string]: unknown } = {}): Promise<string> {
  people += 1;
  const named = given.patient && { patient: { ...given.patient, family_name: `Child ${people}` } };
  const answer = await submit({ ...aReferral(place.serviceId), ...given, ...named });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().id;
}

async function change(id: string, payload: object, { headers } = referrer) {
  const url = `/api/referrals/${id}/agreement-changed`;
  const answer = await site.app.inject({ method: 'POST', url, payload, headers });
  return { status: answer.statusCode, body: answer.json() };
}

describe('who said that the agreement changes', () => {
  it('is kept beside who had agreed to the referral', async () => {
    const id = await made({ ...child, ...byParent });
    const { status, body } = await change(id, { share_with_gp: false, said_by: judged });
    expect([status, body.agreement]).toEqual([200, byParent.agreement]);
    expect(body.consent.said_by).toEqual({ ...judged, when: '2026-11-20T10:00:00.000Z' });
  });

  it.each([
    ['a child', { ...child, ...byParent }],
    ['somebody for whom others decided', { agreement: { basis: 'best_interests', decided_by: 'Dr Moss' } }],
  ])('is stored as not asked of %s if a client does not send it', async (_, given) => {
    const { body } = await change(await made(given), { share_with_gp: false });
    expect(body.consent.said_by).toEqual({ basis: 'not_asked' });
  });

  it('is the person, where they had agreed themselves', async () => {
    const id = await made();
    expect((await change(id, { share_with_gp: false })).body.consent).not.toHaveProperty('said_by');
    const attorney = { basis: 'attorney_or_deputy' };
    expect((await change(id, { said_by: attorney })).body.consent.said_by).toEqual(attorney);
    const again = await change(id, { share_with_gp: true, said_by: { basis: 'person' } });
    expect(again.body.consent.said_by, 'that was of the earlier answer').toEqual({ basis: 'person' });
  });

  it('is kept for each change in the history, with why', async () => {
    const id = await made({ ...child, ...byParent });
    const mother = { basis: 'parental_responsibility' };
    await change(id, { share_with_gp: true, said_by: mother });
    await change(id, { share_with_gp: false, said_by: judged });
    // Somebody who only says it again does not undo what is known.
    expect((await change(id, { share_with_gp: false })).body.consent.said_by.basis).toBe('competent_child');
    const reason = 'She was taken to hospital, and wants her doctor to know.';
    await change(id, { share_with_gp: true, said_by: judged, reason });
    const url = `/api/referrals/${id}/history`;
    const { items } = (await site.app.inject({ url, headers: referrer.headers })).json();
    const told = items.flatMap(({ changes }: { changes?: { field: string }[] }) => changes ?? []);
    const who = told.filter(({ field }: { field: string }) => field === 'consent.said_by');
    expect(who.map(({ to }: { to: { basis: string } }) => to.basis)).toEqual([mother.basis, judged.basis]);
    expect(told).toContainEqual({ field: 'consent.reason', from: null, to: reason });
    const browser = await signedInBrowser(site, {
      organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
    });
    const { text } = await browser.open(`/referrals/${id}`);
    expect(text).toMatch(/Who said so: .*Dr Moss/);
    expect(text).toContain(reason);
  });

  it('is kept too where nothing else changes, and makes no letter', async () => {
    const id = await made({ ...child, ...byParent });
    const first = await change(id, { share_with_gp: true, said_by: judged });
    expect(first.body.consent.said_by.basis).toBe('competent_child');
    const again = await change(id, { share_with_gp: true, said_by: judged });
    expect(again.body.version).toBe(first.body.version);
    const letters = first.body.deliveries.filter(({ leg }: { leg: string }) => leg === 'gp_practice');
    expect(letters).toHaveLength(1);
  });

  it.each([
    ['the person under 16', { ...child, ...byParent }, { basis: 'person' }, '/said_by/basis'],
    ['a parent of an adult', {}, { basis: 'parental_responsibility' }, '/said_by/basis'],
    ['nobody named', { ...child, ...byParent }, { basis: 'best_interests' }, '/said_by/decided_by'],
    [
      'a day to come',
      { ...child, ...byParent },
      { ...judged, when: '2999-01-01T00:00:00Z' },
      '/said_by/when',
    ],
  ])('is not %s, where more is told', async (_, given, said_by, pointer) => {
    const id = await made({ ...given, consent: { referral: true, share_with_gp: false } });
    const { status, body } = await change(id, { share_with_gp: true, said_by });
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it.each([
    ['a child for whom a parent agreed', { ...child, ...byParent }, { basis: 'person' }],
    ['a parent, where the person is an adult', {}, { basis: 'parental_responsibility' }],
  ])('may be %s where it stops', async (_, given, said_by) => {
    const id = await made(given);
    const reason = 'They no longer come.';
    const { status, body } = await change(id, { referral: false, said_by, reason });
    expect([status, body.status, body.consent.share_with_gp, body.consent.said_by]).toEqual([
      200,
      'cancelled',
      false,
      said_by,
    ]);
  });
});

describe('the end of a referral that somebody else says', () => {
  const parent = { basis: 'parental_responsibility' };

  it('needs a reason if a child had decided, and names who said so', async () => {
    const id = await made({ ...child, agreement: judged });
    const { status, body } = await change(id, { referral: false, said_by: parent });
    expect([status, body.errors[0].pointer]).toEqual([422, '/reason']);
    const ended = await change(id, { referral: false, said_by: parent, reason: 'He has moved.' });
    expect([ended.body.status, ended.body.status_reason, ended.body.consent.reason]).toEqual([
      'cancelled',
      {
        code: 'other',
        text: 'Somebody with parental responsibility said that the person no longer agrees to the referral.',
      },
      'He has moved.',
    ]);
  });

  it.each(
    agreementBases.filter((basis) => !isOwnDecision(basis)),
  )('has words of its own where it rests on %s', async (basis) => {
    const given = basis === 'parental_responsibility' ? { ...child, ...byParent } : {};
    const decided_by = basis === 'best_interests' ? { decided_by: 'Dr Moss' } : {};
    const said_by = { basis, ...decided_by };
    const { body } = await change(await made(given), { referral: false, said_by, reason: 'It is not safe.' });
    expect(body.status_reason, JSON.stringify(body)).toEqual({
      code: 'other',
      text: expect.stringMatching(/\w+ .*referral/),
    });
  });

  it('is the person’s own wish only if they said so', async () => {
    const own = await made({ ...child, agreement: judged });
    const { body } = await change(own, { referral: false, said_by: judged });
    expect(body.status_reason.code).toBe('client-declined');
    await completeAll();
    const unnamed = await change(await made({ ...child, ...byParent }), { referral: false });
    expect(unnamed.body.status_reason).toEqual({
      code: 'other',
      text: expect.stringContaining('not known who'),
    });
  });
});

describe('a practice that is to be told more', () => {
  const nothing = { consent: { referral: true, share_with_gp: false } };
  const more = { share_with_gp: true };
  const parent = { basis: 'parental_responsibility' };

  it('is told only if it is known who said so for a child', async () => {
    for (const share_with_gp of ['codes_only', true]) {
      await completeAll();
      const id = await made({ ...child, ...byParent, ...nothing });
      const { status, body } = await change(id, { share_with_gp });
      expect([status, body.errors[0].pointer]).toEqual([422, '/said_by']);
      expect((await change(id, { share_with_gp, said_by: parent })).status).toBe(200);
    }
  });

  it('is told more on an adult’s own word, if nobody else is named', async () => {
    const { status, body } = await change(await made(nothing), more);
    expect([status, body.consent.said_by]).toEqual([200, { basis: 'person' }]);
  });

  it('is told nothing that a child who can decide refused', async () => {
    const refused = [422, '/said_by/basis'];
    const others = [parent, { basis: 'safeguarding' }, { basis: 'best_interests', decided_by: 'Dr Moss' }];
    const id = await made({ ...child, agreement: judged, ...nothing });
    // To say the child's no again does not make it the parent's.
    await change(id, { share_with_gp: false, said_by: parent, reason: 'So they say.' });
    for (const said_by of others)
      for (const side of [referrer, provider]) {
        const { status, body } = await change(id, { ...more, said_by, reason: 'Mum insists.' }, side);
        expect([status, body.errors[0].pointer]).toEqual(refused);
      }
    await completeAll();
    const later = await made({ ...child, ...byParent });
    await change(later, { share_with_gp: false, said_by: judged });
    await change(later, { share_with_gp: false, said_by: parent, reason: 'So they say.' });
    const { status, body } = await change(later, { ...more, said_by: parent, reason: 'Mum insists.' });
    expect([status, body.errors[0].pointer]).toEqual(refused);
    expect((await change(later, { ...more, said_by: judged })).status).toBe(200);
  });

  it('is told no more than a child decided, whatever a parent said', async () => {
    const id = await made({ ...child, ...byParent });
    await change(id, { share_with_gp: 'codes_only', said_by: judged });
    await change(id, { share_with_gp: false, said_by: parent, reason: 'So they say.' });
    for (const share_with_gp of ['codes_only', true]) {
      const { status, body } = await change(id, { share_with_gp, said_by: parent, reason: 'Mum insists.' });
      expect([status, body.errors[0].pointer]).toEqual([422, '/said_by/basis']);
    }
  });

  it.each([
    ['had agreed for them', byParent],
    ['only had less told', { agreement: judged }],
  ])('is told what a child chose who can decide, if a parent %s', async (_, agreed) => {
    for (const side of [referrer, provider]) {
      await completeAll();
      const id = await made({ ...child, ...agreed });
      const narrowed = { share_with_gp: false, said_by: parent, reason: 'Her mother rang.' };
      expect((await change(id, narrowed)).body.consent.share_with_gp).toBe(false);
      const later = await change(id, { ...more, said_by: judged }, side);
      expect([later.status, later.body.consent.share_with_gp]).toEqual([200, true]);
      expect(later.body.consent.said_by.basis).toBe('competent_child');
    }
  });

  it('is told more by the service only if it names who said so', async () => {
    const id = await made(nothing);
    const { status, body } = await change(id, more, provider);
    expect([status, body.errors[0].pointer]).toEqual([422, '/said_by']);
    const said_by = { basis: 'person' };
    expect((await change(id, { ...more, said_by }, provider)).status).toBe(200);
  });

  it('is told no more by the service once the person has withdrawn', async () => {
    const id = await made(nothing);
    await change(id, { referral: false });
    const again = { ...more, said_by: { basis: 'person' } };
    const { status, body } = await change(id, { referral: true, ...again }, provider);
    expect([status, body.errors[0].pointer]).toEqual([422, '/share_with_gp']);
    expect((await change(id, again)).status).toBe(200);
  });

  it('needs no reason where the same child decides again', async () => {
    const id = await made({ ...child, agreement: judged, ...nothing });
    expect((await change(id, { ...more, said_by: judged })).status).toBe(200);
  });
});
