import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPractice, aReferral, aService, aTokenHolder } from '../../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import {
  carerForPractice,
  contactErrors,
  safeContactInWords,
} from '../../model/person/danger/safe-contact.ts';

// What is asked so that a referral harms nobody at home, and who agreed for somebody who could not.

let site: TestApp;
let referrer: Record<string, string>;
let provider: Record<string, string>;
let serviceId: string;
beforeAll(async () => {
  site = await makeApp();
  const place = await aService(site.deps);
  serviceId = place.serviceId;
  await aPractice(site.deps);
  ({ headers: referrer } = await aTokenHolder(site.deps));
  const organisation = { libraryOrganizationId: place.organizationId, name: place.organizationName };
  ({ headers: provider } = await aTokenHolder(site.deps, { role: 'provider', organisation }));
});
afterAll(() => site.close());

let people = 0;
async function send(more: Record<string, unknown> = {}, born = '1947-03-09') {
  people += 1;
  const { patient, ...rest } = aReferral(serviceId);
  const { nhs_number: _, ...person } = patient;
  const named = { ...person, family_name: `Person ${people}`, birth_date: born };
  const payload = { ...rest, patient: named, ...more };
  const answer = await site.app.inject({ method: 'POST', url: '/api/referrals', headers: referrer, payload });
  return { status: answer.statusCode, body: answer.json() };
}

async function read(id: string, headers = provider) {
  return (await site.app.inject({ method: 'GET', url: `/api/referrals/${id}`, headers })).json();
}

describe('safe contact', () => {
  it('is told to both sides as it was given', async () => {
    const contact = {
      channel: 'telephone',
      safe: 'only_at',
      only_at: 'weekdays before three',
      voicemail: false,
      who_must_not_know: 'her husband',
    };
    const { body } = await send({ contact, do_not_show_online: true });
    expect(body).toMatchObject({ contact, do_not_show_online: true });
    expect(await read(body.id)).toMatchObject({ contact, do_not_show_online: true });
  });

  it('is stored as not asked if a client does not ask about it', async () => {
    const { body } = await send();
    expect(body.contact).toEqual({ safe: 'not_asked' });
  });

  it('is refused if it contradicts itself or leaves out safety', async () => {
    const contradiction = await send({ contact: { safe: 'yes', only_at: 'weekdays' } });
    expect([contradiction.status, contradiction.body.errors[0].pointer]).toEqual([422, '/contact/only_at']);
    expect((await send({ contact: { channel: 'telephone' } })).status).toBe(400);
  });

  it('is refused without the times if it is at certain times only', async () => {
    const { status, body } = await send({ contact: { safe: 'only_at', channel: 'telephone' } });
    expect([status, body.errors]).toEqual([
      422,
      [{ pointer: '/contact/only_at', message: 'is required with safe: only_at' }],
    ]);
  });

  it('allows no voicemail where it is not safe', async () => {
    const contact = { safe: 'no', channel: 'telephone', voicemail: true };
    const { status, body } = await send({ contact });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      422,
      ['/contact/safe', '/contact/voicemail'],
    ]);
    expect(safeContactInWords({ safe: 'no', voicemail: true }), 'also from before that').not.toContain('may');
  });

  it('keeps a carer who must not know from the GP practice', async () => {
    const { patient } = aReferral('');
    const carer = { name: 'Bob Carery', relationship: 'husband', share_with_gp: true };
    const contact = { safe: 'yes', who_must_not_know: 'her husband' };
    const refused = await send({ contact, patient: { ...patient, carer } });
    expect([refused.status, refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      422,
      ['/patient/carer/share_with_gp', '/contact/who_must_not_know'],
    ]);
    const { body } = await send({
      contact,
      patient: { ...patient, carer: { ...carer, share_with_gp: false } },
    });
    const answer = await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${body.id}`,
      headers: { ...referrer, 'if-match': '"1"' },
      payload: { patient: { carer } },
    });
    expect([answer.statusCode, answer.json().errors[0].pointer]).toEqual([
      422,
      '/patient/carer/share_with_gp',
    ]);
  });

  it('passes no carer on if anybody must not know', () => {
    const carer = { name: 'Robert Xample', relationship: 'husband', share_with_gp: true };
    const words = ['Mum', 'Robert', 'Mr Xample', 'hubby', 'the neighbours', 'Dr. O’Brien', 'x'];
    for (const who_must_not_know of words) {
      const content = { contact: { who_must_not_know }, patient: { carer } };
      expect(contactErrors(content), who_must_not_know).toHaveLength(2);
      // Also from before that was refused.
      expect(carerForPractice(content), who_must_not_know).toBeUndefined();
    }
    expect(carerForPractice({ contact: { safe: 'yes' }, patient: { carer } })).toBe(carer);
  });

  it('cannot be corrected to contradict itself', async () => {
    const { body } = await send({ contact: { safe: 'yes' } });
    const answer = await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${body.id}`,
      headers: { ...referrer, 'if-match': '"1"' },
      payload: { contact: { safe: 'no', only_at: 'mornings' } },
    });
    expect([answer.statusCode, answer.json().errors[0].pointer]).toEqual([422, '/contact/only_at']);
  });

  it('is put right by the service’s staff, who speak with them', async () => {
    const { body } = await send({ contact: { safe: 'yes' } });
    const answer = await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${body.id}`,
      headers: { ...provider, 'if-match': '"1"' },
      payload: { contact: { safe: 'no', who_must_not_know: 'her son' } },
    });
    expect(answer.json().contact).toEqual({ safe: 'no', who_must_not_know: 'her son' });
  });
});

const judged = { basis: 'competent_child', judged_by: 'Dr Hale' };

describe('on what the agreement rests', () => {
  it.each([
    ['the person, from 16 on', undefined, '2010-11-21', { basis: 'person' }],
    ['nobody that we know, below 16', undefined, '2013-05-01', { basis: 'not_asked' }],
    ['a parent', { basis: 'parental_responsibility' }, '2013-05-01', { basis: 'parental_responsibility' }],
    [
      'the child',
      { basis: 'competent_child', judged_by: 'Dr Hale', when: '2026-11-20T10:00:00+01:00' },
      '2013-05-01',
      { basis: 'competent_child', judged_by: 'Dr Hale', when: '2026-11-20T09:00:00.000Z' },
    ],
    [
      'a child of just 10, who is flagged to the service',
      { ...judged, when: '2026-11-20T10:00:00.000Z' },
      '2016-11-20',
      { ...judged, when: '2026-11-20T10:00:00.000Z' },
    ],
    [
      'a decision in their best interests',
      { basis: 'best_interests', decided_by: 'Dr Hale', consulted: 'her sister' },
      '1940-01-01',
      { basis: 'best_interests', decided_by: 'Dr Hale', consulted: 'her sister' },
    ],
  ])('%s', async (_, agreement, born, stored) => {
    const { status, body } = await send(agreement && { agreement }, born);
    expect([status, body.agreement]).toEqual([201, stored]);
  });

  it.each([
    ['a child of 8 months for themselves', { basis: 'person' }, '2026-03-20', '/agreement/basis'],
    ['a parent for an adult', { basis: 'parental_responsibility' }, '2008-01-01', '/agreement/basis'],
    [
      'a child of 9 for themselves',
      { ...judged, when: '2026-11-20T10:00:00Z' },
      '2016-11-21',
      '/agreement/basis',
    ],
    ['a child whom nobody judged', { basis: 'competent_child' }, '2013-05-01', '/agreement/judged_by'],
    [
      'best interests that nobody decided',
      { basis: 'best_interests' },
      '1940-01-01',
      '/agreement/decided_by',
    ],
    [
      'a judgement in the future',
      { basis: 'competent_child', judged_by: 'Dr Hale', when: '2027-01-01T00:00:00Z' },
      '2013-05-01',
      '/agreement/when',
    ],
    [
      'a judgement of another century',
      { basis: 'competent_child', judged_by: 'Dr Hale', when: '1826-01-01T00:00:00Z' },
      '2013-05-01',
      '/agreement/when',
    ],
  ])('is refused for %s', async (_, agreement, born, pointer) => {
    const { status, body } = await send({ agreement }, born);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});
