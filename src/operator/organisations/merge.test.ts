import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { waitAtMost, waitingForLocks } from '../../../test/database/locks.ts';
import { countRows } from '../../../test/database/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { ownerOfQuestionnaires, storeAssignment, storedAssignment } from '../../../test/referrals/stored.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { lockReferrals } from '../../referrals/index.ts';

let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp();
  operator = await signedInBrowser(site, { role: 'operator' });
});
afterAll(() => site.close());

const path = '/operator/organisations';
const reason = 'The name was typed wrongly once.';

async function pathOf(name: string): Promise<string> {
  const { page } = await operator.open(`${path}?name=${encodeURIComponent(name)}`);
  return page.querySelector(`tbody a[href^="${path}/"]`)!.getAttribute('href')!;
}
const idOf = async (name: string) => (await pathOf(name)).slice(path.length + 1);

async function refer(who: { headers: Record<string, string> }, serviceId: string): Promise<string> {
  const payload = aReferral(serviceId);
  const answer = await site.app.inject({
    method: 'POST',
    url: '/api/referrals',
    headers: who.headers,
    payload,
  });
  return answer.json().id;
}
const listed = async (who: { headers: Record<string, string> }) =>
  (await site.app.inject({ url: '/api/referrals', headers: who.headers }))
    .json()
    .items.map(({ id }: { id: string }) => id);

describe('two organisations that are one', () => {
  it('are merged after a page that says what moves', async () => {
    const { serviceId } = await aService(site.deps);
    const right = await aTokenHolder(site.deps, { organisation: { name: 'Mill Lane Surgery' } });
    const wrong = await aTokenHolder(site.deps, { organisation: { name: 'Mill Lane Surgury' } });
    const id = await refer(wrong, serviceId);
    expect(await listed(right)).not.toContain(id);

    const [from, to] = [await pathOf('Mill Lane Surgury'), await idOf('Mill Lane Surgery')];
    const { page: choice } = await operator.open(`${from}/merge`);
    expect(choice.querySelector('#into option')!.getAttribute('value')).toBe('');
    const unchosen = await operator.open(`${from}/merge?into=`);
    expect([unchosen.status, unchosen.text.includes('Choose the organisation that stays')]).toEqual([
      422,
      true,
    ]);
    const plan = await operator.open(`${from}/merge?into=${to}`);
    expect(plan.text).toMatch(/1 account, with its keys.*1 referral that its people made/s);
    expect((await operator.send(`${from}/merge`, { into: to, reason: 'x' })).status).toBe(422);
    const merged = await operator.send(`${from}/merge`, { into: to, reason });
    expect(merged.location).toBe(`${path}/${to}?done=merged`);
    expect((await operator.open(merged.location!)).text).toContain(
      'Mill Lane Surgury is part of this organisation now. 1 account and 1 referral moved here.',
    );

    expect(await listed(right)).toContain(id);
    expect(await listed(wrong)).toContain(id);
    expect((await operator.open(from)).status).toBe(404);
    expect((await operator.open(`${path}/${to}`)).text).toContain(wrong.email);
    const [entry] = await storedEntries(site.deps.db, { action: 'organisation.merged' });
    expect(entry!.details).toMatchObject({
      from: 'Mill Lane Surgury',
      to: 'Mill Lane Surgery',
      reason,
      accounts: 1,
    });
  });

  it('tell each member, and end both offline copies', async () => {
    const [one, other] = [{ name: 'Harbour Team' }, { name: 'Harbor Team' }];
    const members = [
      await signedInBrowser(site, { organisation: one }),
      await signedInBrowser(site, { organisation: other }),
    ];
    const copy_password = 'otter kettle violin marsh tent';
    for (const member of members)
      expect((await member.send('/offline-copy', { copy_password, email: '' })).status).toBe(303);
    const [from, to] = [await pathOf(other.name), await idOf(one.name)];
    expect((await operator.open(`${from}/merge?into=${to}`)).text).toContain('Both copies for days without');
    await operator.send(`${from}/merge`, { into: to, reason });
    for (const member of members) {
      const told = (await mailsTo(site, member.email)).find(({ subject }) => subject.includes('merged'));
      expect(told?.text).toContain('Harbor Team and Harbour Team are one organisation');
      expect(told?.text).toContain('The copy for days without the site has stopped');
    }
    expect(await countRows(site.deps.db, 'offline_copies')).toBe(0);
    expect((await members[0]!.send('/offline-copy', { copy_password, email: '' })).status).toBe(303);
  });

  const desk = (owner: { id: string }, deputy: { id: string }) => ({
    ...{ owner: owner.id, deputy: deputy.id },
    ...{ asks: 'ucla-3', on: 'yes' },
  });

  it('keep a desk for questionnaires: of two, the one that stays', async () => {
    const [one, other] = [{ name: 'Quay Team' }, { name: 'Key Team' }];
    const people: Awaited<ReturnType<typeof aTokenHolder>>[] = [];
    for (const organisation of [one, one, other, other])
      people.push(await aTokenHolder(site.deps, { organisation }));
    const [from, to] = [await pathOf(other.name), await idOf(one.name)];
    const set = async (where: string, index: number) =>
      operator.send(`${where}/questionnaires`, desk(people[index]!, people[index + 1]!));
    expect((await set(from, 2)).status).toBe(303);
    expect((await operator.open(`${from}/merge?into=${to}`)).text).toContain(
      'look into worrying answers of questionnaires do so for Quay Team too',
    );
    await operator.send(`${from}/merge`, { into: to, reason });
    expect(await ownerOfQuestionnaires(site.deps.db, to)).toBe(people[2]!.id);

    const third = { name: 'Kay Team' };
    const late = [
      await aTokenHolder(site.deps, { organisation: third }),
      await aTokenHolder(site.deps, { organisation: third }),
    ];
    const second = await pathOf(third.name);
    await operator.send(`${second}/questionnaires`, desk(late[0]!, late[1]!));
    expect((await operator.open(`${second}/merge?into=${to}`)).text).toContain(
      'Check first that the right people',
    );
    await operator.send(`${second}/merge`, { into: to, reason });
    expect(await ownerOfQuestionnaires(site.deps.db, to)).toBe(people[2]!.id);
    const mails = await mailsTo(site, late[0]!.email);
    expect(mails.find(({ subject }) => subject.includes('merged'))!.text).toContain(
      'Those of Quay Team do so for all now',
    );
  });

  it('are merged while somebody adds to a referral of theirs', async () => {
    const { serviceId } = await aService(site.deps);
    await aTokenHolder(site.deps, { organisation: { name: 'Ford House' } });
    const wrong = await aTokenHolder(site.deps, { organisation: { name: 'Ford Hose' } });
    const referralId = await refer(wrong, serviceId);
    const [from, into] = [await pathOf('Ford Hose'), await idOf('Ford House')];
    const fromId = from.slice(path.length + 1);
    const { db, clock } = site.deps;
    const row = { id: newId(0), referral_id: referralId, at: clock.now(), by_id: newId(0), by_name: 'Asha' };
    let merging: ReturnType<typeof operator.send> | undefined;
    await inTransaction(db, async (trx) => {
      await lockReferrals(trx, [referralId]);
      expect((await operator.open(`${from}/merge?into=${into}`)).text).toContain('1 referral');
      merging = operator.send(`${from}/merge`, { into, reason });
      await until(async () => (await waitingForLocks(db)) === 1);
      // As an action does that has locked its referral. If it had to wait for the merge, neither would ever go on.
      await waitAtMost(trx, 500);
      await storeAssignment(trx, { ...row, organisation_id: fromId });
    });
    expect((await merging!).location).toBe(`${path}/${into}?done=merged`);
    expect(await storedAssignment(db, row.id)).toMatchObject({ organisation_id: into });
  });

  it('are not merged if one has referred people to the other', async () => {
    const place = await aService(site.deps);
    const library = { name: place.organizationName, libraryOrganizationId: place.organizationId };
    await aTokenHolder(site.deps, { role: 'provider', organisation: library });
    const referrer = await aTokenHolder(site.deps, { organisation: { name: 'Weir Link Workers' } });
    await refer(referrer, place.serviceId);
    const [from, into] = [await pathOf('Weir Link Workers'), await idOf(place.organizationName)];
    expect((await operator.open(`${from}/merge?into=${into}`)).text).toContain(
      'referred people to the other',
    );
    const refused = await operator.send(`${from}/merge`, { into, reason });
    expect(refused.status).toBe(422);
    expect((await operator.open(from)).status).toBe(200);
  });

  it('stay two where both have services of their own', async () => {
    const places = [await aService(site.deps), await aService(site.deps)];
    const ids: string[] = [];
    for (const { organizationName: name, organizationId: libraryOrganizationId } of places) {
      await aTokenHolder(site.deps, { role: 'provider', organisation: { name, libraryOrganizationId } });
      const { page } = await operator.open(`${path}?name=${encodeURIComponent(name)}`);
      for (const link of page.querySelectorAll(`tbody a[href^="${path}/"]`))
        ids.push(link.getAttribute('href')!);
    }
    const [from, into] = [...new Set(ids)].slice(-2);
    const shown = await operator.open(`${from}/merge?into=${into!.slice(path.length + 1)}`);
    expect(shown.text).toContain('with services of their own');
  });
});

describe('an organisation', () => {
  it('is renamed, unless another has the name', async () => {
    await aTokenHolder(site.deps, { organisation: { name: 'Old Mill' } });
    await aTokenHolder(site.deps, { organisation: { name: 'New Mill' } });
    const old = await pathOf('Old Mill');
    expect((await operator.send(`${old}/name`, { new_name: 'New Mill' })).text).toContain(
      'merge the two instead',
    );
    const library = { name: 'Library Mill', libraryOrganizationId: 'library-mill' };
    await aTokenHolder(site.deps, { organisation: library });
    expect((await operator.send(`${old}/name`, { new_name: 'Library Mill' })).text).toContain(
      'merge the two instead',
    );
    expect((await operator.send(`${old}/name`, { new_name: 'Older  Mill' })).location).toBe(
      `${old}?done=renamed`,
    );
    expect((await operator.open(old)).text).toContain('Older Mill');
  });

  it('is suggested in the form of an invitation', async () => {
    const { page } = await operator.open('/operator/accounts/new?organisation=New+Mill');
    expect(page.querySelector('#organisation')!.getAttribute('value')).toBe('New Mill');
    const names = page.querySelectorAll('datalist option').map((each) => each.getAttribute('value'));
    expect(names).toContain('New Mill');
  });
});
