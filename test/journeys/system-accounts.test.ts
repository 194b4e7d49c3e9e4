import { describe, expect, it } from 'vitest';
import {
  disableAccount,
  enableAccount,
  findAccount,
  listOrganizationsWithProviders,
  listPossibleOwners,
} from '../../src/accounts/index.ts';
import { siteActor } from '../../src/audit/index.ts';
import { reportUnusualAccess } from '../../src/operator/unusual-access/report-unusual-access.ts';
import { escalateWatches } from '../../src/referrals/escalation/escalate-watches.ts';
import { updatePrompts } from '../../src/referrals/overdue/update-prompts.ts';
import { listLooksAtPerson } from '../../src/referrals/record-keeping/looks-at-person-store.ts';
import { anAccount, aTokenHolder } from '../app/builders.ts';
import { storedEntries } from '../audit/stored.ts';
import { mailsTo } from '../network/mailbox.ts';
import { aSystem } from '../people/systems.ts';
import { type Holder, referralLifeFixture } from '../referrals/life-fixture.ts';
import { accountsToCheck, storedLooks } from '../referrals/stored.ts';

// Where safety needs a person, a system account does not count as one. What it does is told in its own name.

const fixture = await referralLifeFixture();
const { site, place, referrer, colleague, provider, operator, get, shown, post, later, makeReferral } =
  fixture;
const service = { name: place.organizationName, libraryOrganizationId: place.organizationId };

/** The system of the service, and that of the surgery, with what they call with now. */
const ofService = await aSystem(site, {
  name: 'Case Book',
  roles: ['provider'],
  organisation: service,
  ownerId: provider.id,
});
const surgery = (await findAccount(site.deps.db, referrer.id))!.organisation!;
const ofSurgery = await aSystem(site, {
  organisation: { name: surgery.name },
  ownerId: colleague.id,
});
async function caller({ id, key }: typeof ofService): Promise<Holder> {
  const token = await key.accessToken();
  return { id, email: '', password: '', token, headers: { authorization: `Bearer ${token}` } };
}
const nameOfService = `${service.name}’s system Case Book`;

const hours = (count: number) => later(count * 3_600_000);
const told = async (about: { reference: string }, { email }: { email: string }) =>
  (await mailsTo(site, email)).filter(({ text }) => text.includes(about.reference)).length;
const refused = { status: 403, body: { type: expect.stringMatching(/needs-person$/) } };

describe('a referral that only a system has read', () => {
  it('was not seen, and its service is told', async () => {
    const made = await makeReferral({ urgency: 'urgent' });
    const read = await shown(await caller(ofService), `/${made.id}`);
    expect([read.status, read.body.seen]).toEqual([200, null]);
    await hours(24 * 4);
    await escalateWatches(site.deps);
    expect(await told(made, provider)).toBe(1);
    expect((await shown(provider, `/${made.id}`)).body.seen).toMatchObject({ by: { name: 'Test Person' } });
  });

  it('is watched after the system accepts, until a person opens it', async () => {
    const made = await makeReferral({ urgency: 'urgent' });
    const accepted = await post(await caller(ofService), `/${made.id}/accept`, {}, made.version);
    expect([accepted.status, accepted.body.status, accepted.body.seen]).toEqual([200, 'accepted', null]);
    await hours(24 * 4);
    await escalateWatches(site.deps);
    expect(await told(made, provider)).toBe(1);
    await shown(provider, `/${made.id}`);
    const before = await told(made, operator);
    await hours(24 * 4);
    await escalateWatches(site.deps);
    expect(await told(made, operator)).toBe(before);
  });

  it('is accepted in the name of the system', async () => {
    const made = await makeReferral();
    await post(await caller(ofService), `/${made.id}/accept`, {}, made.version);
    const { body } = await get(referrer, `/${made.id}/history`);
    expect(body.items.at(-1).by).toMatchObject({ name: nameOfService });
    const entries = await storedEntries(site.deps.db, { subjectId: made.id, action: 'referral.accepted' });
    expect(entries).toMatchObject([{ actor_id: ofService.id, actor_name: nameOfService }]);
  });
});

describe('what one side told the other', () => {
  it('stays unseen when a system has read the message', async () => {
    const made = await makeReferral();
    await post(referrer, `/${made.id}/messages`, { text: 'She moves on Friday.' });
    const read = await shown(await caller(ofService), `/${made.id}/messages`);
    expect(read.body.items).toHaveLength(1);
    await shown(await caller(ofService), `/${made.id}/messages/${read.body.items[0].id}`);
    await hours(24 * 4);
    await escalateWatches(site.deps);
    expect(await told(made, provider)).toBe(1);
  });

  it('is confirmed as read by a person', async () => {
    const made = await makeReferral();
    const { body: change } = await post(referrer, `/${made.id}/things-have-changed`, {
      text: 'Her son has moved in.',
    });
    const path = `/${made.id}/things-have-changed/${change.id}/confirm`;
    expect(await post(await caller(ofService), path)).toMatchObject(refused);
    expect((await post(provider, path)).status).toBe(200);
  });
});

describe('a death', () => {
  it('may be told by a system; a person confirms or undoes it', async () => {
    const made = await makeReferral();
    const system = await caller(ofService);
    const reported = await post(system, `/${made.id}/died`, { told_by: 'Her daughter, by telephone' });
    expect(reported.status).toBe(200);
    expect(await post(system, `/${made.id}/died/confirm`)).toMatchObject(refused);
    expect(await post(system, `/${made.id}/died/undo`)).toMatchObject(refused);
    expect((await get(referrer, `/${made.id}`)).body.status).toBe('requested');
    expect((await post(provider, `/${made.id}/died/confirm`)).body.status).toBe('rejected');
  });
});

describe('a service whose people have all left', () => {
  it('raises the nobody-left prompt, although its system works', async () => {
    const { serviceId, organizationId, organizationName } = fixture.elsewhere;
    const organisation = { name: organizationName, libraryOrganizationId: organizationId };
    const last = await aTokenHolder(site.deps, { role: 'provider', organisation });
    const system = await aSystem(site, { organisation, roles: ['provider'], ownerId: last.id });
    const { body: made } = await post(referrer, '', fixture.aPerson(serviceId));
    await disableAccount(site.deps, siteActor, { id: last.id });
    await updatePrompts(site.deps);
    const { body } = await get(operator, `/${made.id}`);
    expect(body.prompts.map(({ kind }: { kind: string }) => kind)).toEqual(['nobody-left']);
    // Nor can the system say that this was dealt with, and a worklist that nobody reads takes nothing more.
    const dismiss = `/${made.id}/prompts/${body.prompts[0].id}/dismiss`;
    expect(await post(await caller(system), dismiss)).toMatchObject(refused);
    expect(await listOrganizationsWithProviders(site.deps.db, [organizationId])).toEqual(new Set());
  });
});

describe('a referral that a system made', () => {
  it('has its owner as the person to tell', async () => {
    const system = await caller(ofSurgery);
    const { body: made } = await post(system, '', fixture.aPerson());
    expect(made.referrer.name).toBe(`${surgery.name}’s system EMIS Link`);
    await shown(provider, `/${made.id}`);
    await post(provider, `/${made.id}/messages`, { text: 'Which number is best?' });
    await hours(24 * 4);
    await escalateWatches(site.deps);
    expect(await told(made, colleague)).toBe(1);
    expect(await told(made, referrer)).toBe(0);
  });

  it('needs somebody when the system is disabled', async () => {
    const { body: made } = await post(await caller(ofSurgery), '', fixture.aPerson());
    await disableAccount(site.deps, siteActor, { id: ofSurgery.id });
    await updatePrompts(site.deps);
    const { body } = await get(referrer, `/${made.id}`);
    expect(body.prompts).toMatchObject([{ kind: 'referrer-left', owner: { name: 'Test Person' } }]);
    await enableAccount(site.deps, siteActor, { id: ofSurgery.id });
  });
});

describe('the Caldicott guardian’s weekly list', () => {
  it('lists a system that searches a lot, but not for its name', async () => {
    const curious = await aTokenHolder(site.deps, {
      organisation: { name: surgery.name },
      name: 'Cora Curio',
    });
    const search = (who: Holder, family_name: string) =>
      post(who, '/search', { family_name, birth_date: '1950-01-01' });
    for (const who of [curious, await caller(ofSurgery)])
      for (const name of ['Ash', 'Birch', 'Cedar', 'Damson', 'Link']) await search(who, name);
    await hours(24);
    await reportUnusualAccess(site.deps);
    const noticed = await accountsToCheck(site.deps.db);
    expect(noticed).toContain(curious.id);
    // Not because the system, too, is called Link.
    expect(noticed.filter((id) => id === ofSurgery.id)).toHaveLength(1);
    // Somebody who asks who looked for them is told of both.
    expect(await storedLooks(site.deps.db, ofSurgery.id)).not.toEqual([]);
  });
});

describe('a person who goes on leave', () => {
  it('cannot leave a system in their place', async () => {
    const alone = await anAccount(site.deps, { organisation: { name: 'Alone Surgery' } });
    const organisation = (await findAccount(site.deps.db, alone.id))!.organisation!;
    await aSystem(site, { organisation: { name: 'Alone Surgery' }, ownerId: alone.id });
    const owners = await listPossibleOwners(site.deps.db, {
      organisationId: organisation.id,
      roles: ['referrer'],
    });
    expect(owners.filter(({ isMember }) => isMember).map(({ id }) => id)).toEqual([alone.id]);
  });
});

describe('an entry of the library', () => {
  it('is checked by a person; a system may tell availability', async () => {
    const path = `/api/library/services/${place.serviceId}`;
    const system = await caller(ofService);
    const checked = (who: Holder) =>
      site.app.inject({ method: 'POST', url: `${path}/checked`, headers: who.headers, payload: {} });
    const answer = await checked(system);
    expect({ status: answer.statusCode, body: answer.json() }).toMatchObject(refused);
    expect((await checked(provider)).statusCode).toBe(200);
    const payload = { status: 'waitlist' };
    const capacity = { method: 'PUT' as const, url: `${path}/capacity`, headers: system.headers, payload };
    expect((await site.app.inject(capacity)).statusCode).toBe(200);
    const history = await site.app.inject({ url: `${path}/history`, headers: operator.headers });
    expect(JSON.stringify(history.json())).not.toContain('system.invalid');
  });
});

describe('who saw a person', () => {
  it('names the system in full', async () => {
    const made = await makeReferral();
    await shown(await caller(ofService), `/${made.id}`);
    const keys = { surnameKey: null, postcodeKey: null, numberKey: null };
    const looks = await listLooksAtPerson(site.deps.db, { referralIds: [made.id], keys }, 10);
    expect(looks.map(({ accountName }) => accountName)).toEqual([nameOfService]);
  });
});
