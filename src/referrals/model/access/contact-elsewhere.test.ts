import { describe, expect, it } from 'vitest';
import { aReferral, aService, aTestNhsNumber } from '../../../../test/app/builders.ts';
import { pagesOfPdf } from '../../../../test/delivery/letters.ts';
import { markSensitive } from '../../../../test/library/stored.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { personPageFixture } from '../../../../test/referrals/person-page-fixture.ts';
import { findReferrals } from '../referrals-store.ts';
import { loadContactElsewhereForLetters } from './contact-elsewhere.ts';

const fixture = await personPageFixture();
const { site, place, referrer, colleague, provider, operator, stranger, get, post, elsewhere } = fixture;
const { referWithPage, ticked, mails, codeTo, telephone } = fixture;

const { organizationId, organizationName } = place;
const choir = await aService(site.deps, { organizationId, organizationName, serviceName: 'Choir' });
const refuge = await aService(site.deps, { organizationId, organizationName, serviceName: 'Safe Haven' });
await markSensitive(site.deps.db, refuge.serviceId);

const ring = { safe: 'yes' } as const;
const doNotRing = { safe: 'no', who_must_not_know: 'her husband' } as const;

let people = 0;
/** Two people refer one person to the organisation, and know nothing of each other. */
async function referTwice(first: object, second: object, serviceId = choir.serviceId, who = stranger) {
  people += 1;
  const { patient, ...rest } = aReferral(place.serviceId);
  const number = aTestNhsNumber(9000 + people);
  const person = { ...rest, patient: { ...patient, nhs_number: number, family_name: `Someone${people}` } };
  const made = async (by: typeof referrer, given: object) => {
    const { status, body, answer } = await post(by, '', { ...person, ...given });
    expect(status, answer.body).toBe(201);
    return body as { id: string; reference: string };
  };
  const one = await made(referrer, { contact: first });
  const other = await made(who, { contact: second, service_id: serviceId });
  return { one, other, person };
}
const staffOfService = () =>
  signedInBrowser(site, {
    role: 'provider',
    organisation: { name: organizationName, libraryOrganizationId: organizationId },
  });
const elsewhereOf = async (who: typeof referrer, { id }: { id: string }) =>
  (await get(who, `/${id}`)).body.contact_elsewhere;

describe('opposite answers about safe contact in a person’s referrals', () => {
  it('are told to staff of the organisation in both referrals', async () => {
    const { one, other } = await referTwice(ring, doNotRing);
    expect(await elsewhereOf(provider, one)).toEqual([
      { ...pick(other), contact: doNotRing, stricter: true },
    ]);
    expect(await elsewhereOf(provider, other)).toEqual([{ ...pick(one), contact: ring, stricter: false }]);
    const listed = (await get(provider, '')).body.items.find(({ id }: { id: string }) => id === one.id);
    expect(listed.contact_elsewhere).toMatchObject([{ reference: other.reference }]);
  });

  it('are told to nobody who may not read the other one', async () => {
    const { one, other } = await referTwice(ring, doNotRing);
    for (const who of [referrer, colleague]) {
      expect(await elsewhereOf(who, one)).toEqual([]);
      expect((await get(who, `/${one.id}`)).answer.body).not.toContain(other.reference);
    }
    expect(await elsewhereOf(stranger, other)).toEqual([]);
    expect(await elsewhereOf(operator, one)).toBeNull();
  });

  it('make a colleague who may not know it ask its referrer', async () => {
    const unsafe = { safe: 'no', who_must_not_know: 'Gary' };
    const { one, other } = await referTwice(ring, unsafe, refuge.serviceId, referrer);
    expect(await elsewhereOf(referrer, one)).toMatchObject([{ reference: other.reference, contact: unsafe }]);
    const { referrer: by } = (await get(referrer, `/${other.id}`)).body;
    const ring_first = `${by.name}, ${by.organisation}`;
    const unnamed = { id: null, reference: null, contact: null, stricter: true, ring_first };
    expect(await elsewhereOf(colleague, one)).toEqual([unnamed]);
    const { answer } = await get(colleague, `/${one.id}`);
    for (const hidden of [other.reference, other.id, 'Safe Haven', 'Gary'])
      expect(answer.body).not.toContain(hidden);
    const lax = await referTwice(doNotRing, ring, refuge.serviceId, referrer);
    expect(await elsewhereOf(colleague, lax.one)).toEqual([]);
  });

  it('are told to the organisation that made both, to any service', async () => {
    const { one, other } = await referTwice(ring, doNotRing, elsewhere.serviceId, referrer);
    for (const who of [referrer, colleague]) {
      expect(await elsewhereOf(who, one)).toEqual([{ ...pick(other), contact: doNotRing, stricter: true }]);
      expect(await elsewhereOf(who, other)).toEqual([{ ...pick(one), contact: ring, stricter: false }]);
    }
  });

  it('make a service ring the referrer, without naming the other', async () => {
    const unsafe = { ...doNotRing, who_must_not_know: 'the man upstairs' };
    const { one, other } = await referTwice(ring, unsafe, elsewhere.serviceId, referrer);
    const { referrer: by } = (await get(referrer, `/${one.id}`)).body;
    const ringFirst = `${by.name}, ${by.organisation}`;
    const warning = { id: null, reference: null, contact: null, stricter: true, ring_first: ringFirst };
    expect(await elsewhereOf(provider, one)).toEqual([warning]);
    const words = `Ring ${ringFirst}, before you contact the person.`;
    const { answer } = await get(provider, `/${one.id}`);
    const pdf = (await get(provider, `/${one.id}/letter.pdf`)).answer;
    const letter = (await pagesOfPdf(pdf.rawPayload)).join(' ');
    const staff = await staffOfService();
    const page = (await staff.open(`/referrals/${one.id}`)).text;
    const list = (await staff.open('/referrals?direction=received')).text;
    for (const shown of [letter, page]) expect(shown.replaceAll(/\s+/g, ' ')).toContain(words);
    expect(list).toContain('Contact with care');
    for (const shown of [answer.body, letter, page, list])
      for (const secret of [other.reference, other.id, 'the man upstairs'])
        expect(shown).not.toContain(secret);
    const { db } = site.deps;
    const sent = await loadContactElsewhereForLetters(db, [...(await findReferrals(db, [one.id])).values()]);
    expect(sent.get(one.id)).toEqual([warning]);
  });

  it('are told if one has only an initial and the same telephone', async () => {
    const { one, person } = await referTwice(ring, ring);
    const { nhs_number: _, ...patient } = person.patient as { nhs_number?: string; given_name: string };
    const contact = doNotRing;
    const referAs = (given: object) =>
      post(referrer, '', {
        ...person,
        service_id: elsewhere.serviceId,
        contact,
        patient: { ...patient, ...given },
      });
    const other = (await referAs({ given_name: patient.given_name[0] })).body;
    expect(await elsewhereOf(referrer, one)).toEqual([
      { ...pick(other), contact, stricter: true, may_be_another: true },
    ]);
    expect(await elsewhereOf(provider, one)).toMatchObject([{ ring_first: expect.any(String) }]);
  });

  it('are not told of a namesake with the same birth date', async () => {
    const { one, person } = await referTwice(ring, ring);
    const { nhs_number: _, ...patient } = person.patient as { nhs_number?: string; given_name: string };
    const address = { lines: ['1 Elsewhere'], postcode: 'ZT4 7BP' };
    const given = { ...patient, telephone: '01632 960555' };
    for (const who of [
      { ...given, given_name: 'Zoe' },
      { ...given, given_name: 'Mary', address },
    ])
      await post(referrer, '', {
        ...person,
        service_id: elsewhere.serviceId,
        contact: doNotRing,
        patient: who,
        fit_override: { reason: 'Her sister lives there.' },
      });
    expect(await elsewhereOf(referrer, one)).toEqual([]);
  });

  it('do not warn of others’, ended or like referrals', async () => {
    expect(await elsewhereOf(provider, (await referTwice(ring, doNotRing, elsewhere.serviceId)).one)).toEqual(
      [],
    );
    expect(await elsewhereOf(provider, (await referTwice(doNotRing, doNotRing)).one)).toEqual([]);
    expect(await elsewhereOf(provider, (await referTwice(ring, ring)).one)).toEqual([]);
    const { one, other } = await referTwice(ring, doNotRing);
    const status_reason = { code: 'other', text: 'Not now.' };
    await post(stranger, `/${other.id}/cancel`, { status_reason }, 1);
    expect(await elsewhereOf(provider, one)).toEqual([]);
  });

  it('say of a restricted record only that it asks for more care', async () => {
    const { one, other } = await referTwice(ring, doNotRing);
    const reason = 'Asked for by letter; ticket 311.';
    expect((await post(operator, `/${other.id}/restrict`, { reason })).status).toBeLessThan(300);
    expect(await elsewhereOf(provider, one)).toEqual([
      { id: null, reference: null, contact: null, stricter: true },
    ]);
  });

  it('stand on both pages and in the list, the careful one first', async () => {
    const { one, other } = await referTwice(ring, doNotRing);
    const staff = await staffOfService();
    const careful = `Another open referral of this person (${other.reference}) says: Do not tell: her husband. It is not safe to contact the person: ask who referred them.`;
    const lax = (await staff.open(`/referrals/${one.id}`)).text;
    expect(lax).toContain(careful);
    expect(lax.indexOf(careful)).toBeLessThan(lax.indexOf('This referral says: It is safe'));
    const strict = (await staff.open(`/referrals/${other.id}`)).text;
    expect(strict).toContain(`(${one.reference}) says: It is safe to contact the person. Do not go by that`);
    expect(strict.indexOf('It is not safe')).toBeLessThan(strict.indexOf('Do not go by that'));
    expect((await staff.open('/referrals?direction=received')).text).toContain('Contact with care');
  });

  it('stand in the letter, without a sensitive one’s reference', async () => {
    const { one } = await referTwice(ring, doNotRing, refuge.serviceId);
    const { answer } = await get(provider, `/${one.id}/letter.pdf`);
    const text = (await pagesOfPdf(answer.rawPayload)).join(' ');
    expect(text).toContain('It is not safe to contact the person');
    const { db } = site.deps;
    const sent = await loadContactElsewhereForLetters(db, [...(await findReferrals(db, [one.id])).values()]);
    expect(sent.get(one.id)).toEqual([{ id: null, reference: null, contact: doNotRing, stricter: true }]);
  });
});

describe('a message to the person', () => {
  it('is not sent while another open referral says it is unsafe', async () => {
    const page = await referWithPage();
    const { patient, service_id: _, ...rest } = ticked({ contact: doNotRing, person_page: undefined });
    const person = { ...patient, ...(await get(referrer, `/${page.id}`)).body.patient };
    const unsafe = { ...rest, service_id: choir.serviceId, patient: person };
    const other = await post(stranger, '', JSON.parse(JSON.stringify(unsafe)));
    expect(other.status, other.answer.body).toBe(201);
    const before = (await mails(page.email)).length;
    await post(provider, `/${page.id}/accept`, {}, 1);
    expect(await mails(page.email)).toHaveLength(before);
    const phone = telephone();
    await phone.send(page.path, { step: 'code' });
    expect(await codeTo(page.email)).toBeUndefined();
    // A refusal would tell the referrer that somebody else knows the person.
    const again = await post(referrer, `/${page.id}/person-page`, { send: true });
    expect(again.status).toBe(200);
    expect(await mails(page.email)).toHaveLength(before);
  });

  it('does not work again by an old link once that one has ended', async () => {
    const page = await referWithPage();
    const { patient } = (await get(referrer, `/${page.id}`)).body;
    const unsafe = aReferral(choir.serviceId, { patient, contact: doNotRing });
    const other = (await post(stranger, '', unsafe)).body;
    const status_reason = { code: 'other', text: 'Not now.' };
    await post(stranger, `/${other.id}/cancel`, { status_reason }, 1);
    await telephone().send(page.path, { step: 'code' });
    expect(await codeTo(page.email)).toBeUndefined();
    const before = (await mails(page.email)).length;
    expect((await post(referrer, `/${page.id}/person-page`, { send: true })).status).toBe(200);
    expect(await mails(page.email)).toHaveLength(before + 1);
  });
});

const pick = ({ id, reference }: { id: string; reference: string }) => ({ id, reference });
