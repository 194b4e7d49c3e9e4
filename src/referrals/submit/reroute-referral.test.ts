import { describe, expect, it } from 'vitest';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';

const { elsewhere, referrer, colleague, provider, stranger, get, post, aPerson, makeReferral, reason } =
  await referralLifeFixture();

describe('an unsuccessful referral', () => {
  const consent = { referral: true, share_with_gp: false };
  const anotherPlace = () => ({ service_id: elsewhere.serviceId, consent, allow_duplicate: true });

  it('is rerouted once, and linked both ways for the referrer', async () => {
    const old = await makeReferral({ what_matters: 'To sing.' });
    expect((await post(referrer, `/${old.id}/reroute`, anotherPlace())).status).toBe(409);
    await post(provider, `/${old.id}/reject`, reason, 1);
    expect((await post(provider, `/${old.id}/reroute`, anotherPlace())).status).toBe(403);
    expect((await post(stranger, `/${old.id}/reroute`, anotherPlace())).status).toBe(404);
    const unasked = await post(referrer, `/${old.id}/reroute`, { service_id: elsewhere.serviceId });
    expect(unasked.body.errors[0].pointer).toBe('/consent');
    const tries = await Promise.all(
      [1, 2, 3].map(() => post(colleague, `/${old.id}/reroute`, anotherPlace())),
    );
    expect(tries.map((each) => each.status).sort()).toEqual([201, 422, 422]);
    const { body: made } = tries.find((each) => each.status === 201)!;
    expect(made).toMatchObject({ reroutes: old.id, what_matters: 'To sing.', patient: old.patient });
    expect(made.consent.share_with_gp).toBe(false);
    expect((await get(referrer, `/${old.id}`)).body.rerouted_to).toBe(made.id);
    expect((await get(provider, `/${old.id}`)).body.rerouted_to).toBeNull();
  });

  const { patient } = aPerson(elsewhere.serviceId);
  // What a child decided counts in their other referrals, so each is another child.
  const childNamed = (family_name: string) => ({
    patient: { ...patient, nhs_number: undefined, birth_date: '2012-03-09', family_name },
  });
  const child = childNamed('Decided');
  const judged = { basis: 'competent_child', judged_by: 'Dr Moss', when: '2026-01-05T10:00:00Z' };
  const byDoctor = { basis: 'best_interests', decided_by: 'Dr Moss' };
  const sharing = { consent: { referral: true, share_with_gp: true } };
  const rejected = async (given: object) => {
    const { id } = await makeReferral(given);
    await post(provider, `/${id}/reject`, reason, 1);
    return id as string;
  };

  it.each([
    ['a message', 'messages', 'He told us that he wants to die.'],
    ['a change', 'things-have-changed', 'Her husband reads her phone.'],
  ])('is not rerouted without a word of the danger that %s told of', async (_, path, text) => {
    const made = await makeReferral({ safety_notes: 'A dog at home.' });
    expect((await post(provider, `/${made.id}/${path}`, { text })).status).toBe(201);
    const { body: declined } = await get(provider, `/${made.id}`);
    await post(provider, `/${made.id}/reject`, reason, declined.version);
    const asked = { ...anotherPlace(), risk: 'no' };
    const again = {
      ...aPerson(elsewhere.serviceId, { risk: 'no', patient: made.patient }),
      reroutes: made.id,
    };
    const { body: draft } = await post(referrer, '', { ...again, status: 'draft' });
    for (const refused of [
      await post(referrer, `/${made.id}/reroute`, asked),
      await post(referrer, `/${made.id}/reroute`, { ...asked, safety_notes: 'A dog at home.' }),
      await post(referrer, '', again),
      await post(referrer, `/${draft.id}/request`, {}, 1),
    ])
      expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/safety_notes' }]]);
    const safety_notes =
      'A dog at home. The service before was told of a danger: ring me before you write to him.';
    const { status, body } = await post(referrer, `/${made.id}/reroute`, { ...asked, safety_notes });
    expect([status, body.safety_notes]).toEqual([201, safety_notes]);
  });

  it('is rerouted as it is if nothing since tells of a danger', async () => {
    const made = await makeReferral();
    await post(provider, `/${made.id}/messages`, { text: 'We have no place before May.' });
    await post(provider, `/${made.id}/reject`, reason, 1);
    expect((await post(referrer, `/${made.id}/reroute`, anotherPlace())).status).toBe(201);
  });

  it.each([
    ['others agreed for the person', { agreement: byDoctor }],
    ['a child agreed', { ...child, agreement: judged, consent }],
    ['nobody asked who agreed for a child', childNamed('Unasked')],
  ])('is not rerouted without who agrees, where %s', async (_, given) => {
    const id = await rejected(given);
    const draft = { ...aPerson(elsewhere.serviceId, { ...given, agreement: undefined }), reroutes: id };
    const { body } = await post(referrer, '', { ...draft, status: 'draft' });
    for (const refused of [
      await post(referrer, `/${id}/reroute`, anotherPlace()),
      await post(referrer, '', draft),
      await post(referrer, `/${body.id}/request`, {}, 1),
    ]) {
      expect([refused.status, refused.body.errors[0]]).toMatchObject([422, { pointer: '/agreement' }]);
    }
    const agreement = 'patient' in given ? judged : byDoctor;
    const { status, body: made } = await post(referrer, `/${id}/reroute`, { ...anotherPlace(), agreement });
    expect([status, made.agreement.basis]).toEqual([201, agreement.basis]);
  });

  it('shares more than a child decided only if the child agrees', async () => {
    const id = await rejected({ ...child, agreement: judged, consent });
    const agreement = { basis: 'parental_responsibility' };
    const told = { ...anotherPlace(), ...sharing };
    const refused = await post(referrer, `/${id}/reroute`, { ...told, agreement });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/agreement/basis']);
    const { status, body } = await post(referrer, `/${id}/reroute`, { ...told, agreement: judged });
    expect([status, body.consent.share_with_gp]).toEqual([201, true]);
  });

  it.each([
    ['that was asked', { do_not_show_online: true }, {}],
    [
      'a child had agreed',
      { ...child, agreement: judged },
      { agreement: { basis: 'parental_responsibility' } },
    ],
  ])('stays offline if %s, unless somebody says otherwise', async (_, given, asked) => {
    const [kept, shown] = [await rejected({ ...given, consent }), await rejected({ ...given, consent })];
    const answer = await post(referrer, `/${kept}/reroute`, { ...anotherPlace(), ...asked });
    expect(answer.body.do_not_show_online).toBe(true);
    const changed = { ...anotherPlace(), ...asked, do_not_show_online: false };
    expect((await post(referrer, `/${shown}/reroute`, changed)).body.do_not_show_online).toBe(false);
  });

  it('cannot be rerouted by another organisation', async () => {
    const old = await makeReferral();
    await post(referrer, `/${old.id}/cancel`, reason, 1);
    const { status, body } = await post(stranger, '', aPerson(elsewhere.serviceId, { reroutes: old.id }));
    expect([status, body.errors[0].pointer]).toEqual([422, '/reroutes']);
  });
});
