import { describe, expect, it } from 'vitest';
import { aTestNhsNumber } from '../../../../test/app/builders.ts';
import { referralLifeFixture } from '../../../../test/referrals/life-fixture.ts';
import { auditedActions } from '../../../../test/referrals/stored.ts';

// The stranger and the referrer are of two organisations; the provider answers for `place`, and for no other service.

const {
  site,
  place,
  elsewhere,
  referrer,
  colleague,
  stranger,
  provider,
  operator,
  get,
  post,
  aPerson,
  call,
} = await referralLifeFixture();

/** What a referrer can see of an answer: its status, its fields, and the kinds of their values. */
function formOf({ status, body }: { status: number; body: unknown }): unknown {
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shape)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shape(each)]))
        : typeof value;
  return { status, body: shape(body) };
}

const withNumber = (body: ReturnType<typeof aPerson>, number: string | undefined) => {
  const { nhs_number: _, ...patient } = body.patient;
  return { ...body, patient: { ...patient, ...(number && { nhs_number: number }) } };
};
const reasonToCancel = { status_reason: { code: 'other', text: 'Not needed any more.' } };
const idOf = ({ body }: { body: { id: string } }) => body.id;

describe('an open referral of the own organisation', () => {
  it('is found by what it says now, and not by what it said before', async () => {
    const [before, now] = [aPerson(), aPerson()];
    const draft = await post(referrer, '', { ...before, status: 'draft' });
    const changed = await call(referrer, 'PUT', `/${idOf(draft)}`, { body: now, version: 1 });
    expect(changed.status).toBe(200);
    expect((await post(referrer, `/${idOf(draft)}/request`, {}, 2)).status).toBe(200);
    expect((await post(referrer, '', before)).status).toBe(201);
    expect((await post(referrer, '', now)).status).toBe(409);
    // Withdrawing the referral frees the name again.
    expect((await post(referrer, `/${idOf(draft)}/withdraw-as-error`, {}, 3)).status).toBe(200);
    expect((await post(referrer, '', now)).status).toBe(201);
  });

  it('is not that of somebody else who has the same NHS number', async () => {
    const number = aTestNhsNumber(7001);
    const [one, other] = [withNumber(aPerson(), number), withNumber(aPerson(), number)];
    const born = { ...other, patient: { ...other.patient, birth_date: '1960-02-03' } };
    const mismatch_override = { reason: 'The number was checked twice.' };
    expect((await post(referrer, '', one)).status).toBe(201);
    expect((await post(referrer, '', { ...born, mismatch_override })).status).toBe(201);
    const drafted = await post(referrer, '', { ...born, mismatch_override, status: 'draft' });
    expect((await post(referrer, `/${idOf(drafted)}/request`, {}, 1)).status, 'the same person').toBe(409);
  });
});

describe('an open referral of another organisation', () => {
  it('changes nothing in the answer to a new one', async () => {
    for (const given of [{}, { allow_duplicate: false }, { allow_duplicate: true }]) {
      const [known, unknown] = [aPerson(), aPerson()];
      await post(referrer, '', known);
      const answers = await Promise.all(
        [known, unknown].map((person) => post(stranger, '', { ...person, ...given })),
      );
      expect(answers[0]!.status).toBe(201);
      expect(formOf(answers[0]!)).toEqual(formOf(answers[1]!));
    }
  });

  it('changes nothing for a sent draft or a repeated request', async () => {
    const known = aPerson();
    await post(referrer, '', known);
    const draft = await post(stranger, '', { ...known, status: 'draft' });
    expect((await post(stranger, `/${idOf(draft)}/request`, {}, 1)).status).toBe(200);
    const other = aPerson();
    await post(referrer, '', other);
    const again = { body: other, headers: { 'idempotency-key': 'a-stranger-repeats' } };
    const [first, second] = [
      await call(stranger, 'POST', '', again),
      await call(stranger, 'POST', '', again),
    ];
    expect([first.status, second.status, idOf(second)]).toEqual([201, 201, idOf(first)]);
  });

  it('changes nothing when a referral is re-routed to its service', async () => {
    const known = aPerson();
    await post(referrer, '', known);
    const declined = await post(stranger, '', { ...known, service_id: elsewhere.serviceId });
    await post(stranger, `/${idOf(declined)}/cancel`, reasonToCancel, 1);
    const reroute = { service_id: place.serviceId, consent: { referral: true, share_with_gp: false } };
    expect((await post(stranger, `/${idOf(declined)}/reroute`, reroute)).status).toBe(201);
  });

  it('is told to the receiving service alone', async () => {
    const known = aPerson();
    const theirs = (await post(referrer, '', known)).body;
    const made = (await post(stranger, '', known)).body;
    const named = { id: theirs.id, reference: theirs.reference };
    expect((await get(provider, `/${made.id}`)).body.possible_duplicates).toEqual([named]);
    expect((await get(provider, `/${theirs.id}`)).body.possible_duplicates).toEqual([
      { id: made.id, reference: made.reference },
    ]);
    const listed = (await get(provider, '')).body.items.find(({ id }: { id: string }) => id === made.id);
    expect(listed.possible_duplicates).toEqual([named]);
    const accepted = await post(provider, `/${made.id}/accept`, {}, 1);
    expect(accepted.body.possible_duplicates).toEqual([named]);
    for (const who of [stranger, operator]) {
      expect((await get(who, `/${made.id}`)).body.possible_duplicates).toBeNull();
      for (const part of ['', '/history', '/deliveries', '/messages'])
        expect((await get(who, `/${made.id}${part}`)).answer.body).not.toContain(theirs.reference);
    }
    await post(referrer, `/${theirs.id}/cancel`, reasonToCancel, 1);
    expect((await get(provider, `/${made.id}`)).body.possible_duplicates).toEqual([]);
  });

  it('leaves no audit entry about the other referrer', async () => {
    const known = aPerson();
    const { id } = (await post(referrer, '', known)).body;
    await post(stranger, '', known);
    expect(await auditedActions(site.deps.db, id, stranger.id)).toEqual([]);
  });

  it('does not hide one’s own among twenty others', async () => {
    const known = aPerson();
    for (let n = 0; n < 21; n++) await post(referrer, '', { ...known, allow_duplicate: true });
    const own = (await post(stranger, '', known)).body;
    const refused = await post(stranger, '', known);
    expect([refused.status, refused.body.reference]).toEqual([409, own.reference]);
  });
});

describe('twins, with one last name and birth date', () => {
  const named = (person: { patient: object }, given_name: string) => ({
    ...person,
    patient: { ...person.patient, given_name },
  });

  it('are not taken for one person, and the service is told', async () => {
    const person = withNumber(aPerson(), undefined);
    const anna = (await post(referrer, '', named(person, 'Anna'))).body;
    const amelia = (await post(stranger, '', named(person, 'Amelia'))).body;
    for (const [own, other] of [
      [anna, amelia],
      [amelia, anna],
    ]) {
      const { possible_duplicates, possible_twins } = (await get(provider, `/${own.id}`)).body;
      expect([possible_duplicates, possible_twins]).toEqual([
        [],
        [{ id: other.id, reference: other.reference }],
      ]);
      expect((await get(referrer, `/${anna.id}`)).body.possible_twins).toBeNull();
    }
    const again = (await post(stranger, '', named(aPerson(), 'Anna'))).body;
    expect((await get(provider, `/${again.id}`)).body.possible_twins).toEqual([]);
  });

  it('are refused with one NHS number, even with one initial', async () => {
    const person = withNumber(aPerson(), aTestNhsNumber(906));
    await post(referrer, '', named(person, 'Anna'));
    const refused = await post(colleague, '', named(person, 'Amelia'));
    expect([refused.status, refused.body.code]).toEqual([409, 'person-mismatch']);
    const meant = { mismatch_override: { reason: 'We asked for both numbers twice.' } };
    const made = await post(colleague, '', { ...named(person, 'Amelia'), ...meant });
    expect(made.status, 'and is no duplicate').toBe(201);
    expect((await get(provider, `/${made.body.id}`)).body.possible_twins).toHaveLength(1);
  });
});

describe('two referrals with the same name and birth date', () => {
  const [one, two] = [aTestNhsNumber(901), aTestNhsNumber(902)];

  it('are of two people if their NHS numbers differ', async () => {
    const person = aPerson();
    const first = await post(referrer, '', withNumber(person, one));
    const second = await post(colleague, '', withNumber(person, two));
    expect([first.status, second.status]).toEqual([201, 201]);
    for (const each of [first, second])
      expect((await get(provider, `/${idOf(each)}`)).body.possible_duplicates).toEqual([]);
  });

  it('may be of one person if only one has an NHS number', async () => {
    const [first, second] = [aPerson(), aPerson()];
    const { body: numbered } = await post(referrer, '', withNumber(first, aTestNhsNumber(903)));
    const refused = await post(colleague, '', withNumber(first, undefined));
    expect([refused.status, refused.body.reference]).toEqual([409, numbered.reference]);
    const { body: unnumbered } = await post(referrer, '', withNumber(second, undefined));
    const other = await post(colleague, '', withNumber(second, aTestNhsNumber(904)));
    expect([other.status, other.body.reference]).toEqual([409, unnumbered.reference]);
  });

  it('are of one person if their NHS numbers are the same', async () => {
    const number = aTestNhsNumber(905);
    await post(referrer, '', withNumber(aPerson(), number));
    expect((await post(colleague, '', withNumber(aPerson(), number))).status).toBe(409);
  });
});
