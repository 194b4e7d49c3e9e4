import { describe, expect, it } from 'vitest';
import { aPractice, aReferral, aService, aTokenHolder } from '../../../../test/app/builders.ts';
import { takeJobs } from '../../../../test/app/jobs.ts';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { saveClosings } from '../../../library/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { minuteMs } from '../../../platform/durations.ts';
import { jobHandlers } from '../../../worker.ts';

// Who must act next is said alike on the page, in the list and in the counts.

const { site, place, browser, referrer, provider } = await referralPagesFixture();
const maker = await aTokenHolder(site.deps, { organisation: { name: 'Infirmary Lane Surgery' } });
const staff = await aTokenHolder(site.deps, {
  role: 'provider',
  organisation: { libraryOrganizationId: place.organizationId, name: place.organizationName },
});

async function post(who: typeof maker, path: string, payload: object, version?: number) {
  const headers = { ...who.headers, ...(version && { 'if-match': `"${version}"` }) };
  return (await site.app.inject({ method: 'POST', url: `/api/referrals${path}`, headers, payload })).json();
}

let people = 0;
async function makeReferral(given: object = {}): Promise<{ id: string; reference: string }> {
  people += 1;
  const { patient } = aReferral('');
  const { nhs_number: _, ...rest } = patient;
  const person = { ...rest, family_name: `Person ${people}` };
  return post(maker, '', aReferral(place.serviceId, { patient: person, ...given }));
}

/** A referral that is completed, with something that the practice has to do by the day. */
async function completed(by_date: string, given: object = {}) {
  const made = await makeReferral(given);
  await post(staff, `/${made.id}/accept`, {}, 1);
  const outcome = { code: 'goals-met', text: 'She comes every week.' };
  const gp_actions = [{ text: 'Check her blood pressure.', by_date, patient_told: true }];
  await post(staff, `/${made.id}/complete`, { outcome, gp_actions }, 2);
  return made;
}

const practiceConsent = { gp_practice: { ods_code: 'Z99001' } };
/** The words on its page, and whether it is in the list of what waits for them. */
async function turnFor(who: typeof referrer, { id, reference }: { id: string; reference: string }) {
  const { page } = await who.open(`/referrals/${id}`);
  const view = who === provider ? 'received' : 'made';
  const list = await who.open(`/referrals?view=${view}&tab=waiting`);
  return [page.querySelector('.onward-turn')!.text, list.text.includes(reference)];
}

describe('what the GP practice has to do after the end', () => {
  it('waits for staff at once if the practice must not be told', async () => {
    const made = await completed('2026-12-11', practiceConsent);
    await post(maker, `/${made.id}/agreement-changed`, { share_with_gp: false });
    for (const who of [referrer, provider]) {
      expect(await turnFor(who, made)).toEqual([
        'Waiting for you to settle what the GP practice was asked: it must not be told unless the person agrees.',
        true,
      ]);
      const { text } = await who.open(`/referrals/${made.id}`);
      expect(text).toContain('Do not contact the practice about this person.');
      expect(text).toContain(
        'The practice must not be told of this. Ask the person whether it may be, or settle it another way, and then mark it as done.',
      );
      expect(text).toContain('This is settled (action 1)');
      expect(text).not.toMatch(/tell the GP practice|Tell the practice|told by hand/);
    }
    expect((await provider.open('/referrals')).text).toContain('Needs action 1');
    expect((await referrer.open('/')).text).toContain('1 Need action');
    await post(staff, `/${made.id}/gp-actions/1/done-by-hand`, {});
    for (const who of [referrer, provider])
      expect(await turnFor(who, made)).toEqual(['Nothing more to do.', false]);
    expect((await provider.open('/')).text).not.toContain('needs somebody');
  });
});

describe('a death that was reported', () => {
  it('waits to be confirmed, and says who may take it back', async () => {
    const made = await makeReferral();
    await post(maker, `/${made.id}/died`, { told_by: 'Her daughter' });
    const start = 'Waiting for you to confirm that the person has died, or';
    expect((await turnFor(referrer, made))[0]).toContain(`${start} that it was a mistake, by`);
    expect((await turnFor(provider, made))[0]).toContain(
      `${start}, if they are alive, to tell the operators, by`,
    );
    expect((await provider.open(`/referrals/${made.id}`)).text).not.toContain('say that it was a mistake');
  });
});

describe('a referral that has not reached the service', () => {
  it('names it, even if it is called as a restricted service is', async () => {
    const named = await aService(site.deps, {
      serviceName: 'A restricted service',
      organizationName: 'Mill House',
    });
    const made = await makeReferral({ service_id: named.serviceId });
    expect((await turnFor(referrer, made))[0]).toBe('Sent just now. We are delivering it to Mill House.');
    site.clock.moveOn(5 * minuteMs);
    expect((await turnFor(referrer, made))[0]).toBe('Has not reached Mill House yet.');
    expect((await referrer.open(`/referrals/${made.id}`)).text).toContain('Cancel the referral');
  });

  it('says so to the referrer until it is delivered', async () => {
    const made = await makeReferral();
    site.clock.moveOn(5 * minuteMs);
    const words = `Has not reached ${place.organizationName} yet`;
    expect((await turnFor(referrer, made))[0]).toBe(`${words}.`);
    const list = await referrer.open('/referrals?view=made&status=requested');
    const row = list.page.querySelectorAll('tbody tr').find(({ text }) => text.includes(made.reference))!;
    expect(row.text).toContain('Has not reached the service yet');
    const tagsOf = (page: { querySelector: typeof row.querySelector }) =>
      page.querySelector('.nhsuk-tag')!.text.trim();
    const page = async () => (await referrer.open(`/referrals/${made.id}`)).page.querySelector('main')!;
    expect([tagsOf(row), tagsOf(await page())]).toEqual(['Not delivered yet', 'Not delivered yet']);
    const handlers = jobHandlers(site.deps) as Record<string, (payload: unknown) => Promise<void>>;
    for (const { name, payload } of await takeJobs(site.database.pool, { isDue: true }))
      await handlers[name]!(payload);
    expect((await turnFor(referrer, made))[0]).toBe(`Waiting for ${place.organizationName} to answer.`);
    expect(tagsOf(await page())).toBe('Not opened yet');
  });
});

describe('what a GP practice that has closed was to do', () => {
  it('waits for staff at once, however it was asked', async () => {
    await aPractice(site.deps, 'Z99009', 'Dale Surgery');
    const made = await completed('2026-12-11', { gp_practice: { ods_code: 'Z99009' } });
    expect((await turnFor(provider, made))[1]).toBe(false);
    await inTransaction(site.deps.db, (trx) =>
      saveClosings(trx, [{ odsCode: 'Z99009', closedOn: '2026-11-20' }], site.clock.now()),
    );
    for (const who of [referrer, provider])
      expect(await turnFor(who, made)).toEqual([
        'Waiting for you to tell the GP practice what it has to do.',
        true,
      ]);
    expect((await provider.open(`/referrals/${made.id}`)).text).toContain('The practice has closed. Ask the');
    await post(staff, `/${made.id}/gp-actions/1/done-by-hand`, {});
    expect(await turnFor(provider, made)).toEqual(['Nothing more to do.', false]);
  });
});

describe('what the GP practice has to do by a date', () => {
  it('waits for the practice, and for staff after its date', async () => {
    const made = await completed('2026-12-11', practiceConsent);
    for (const who of [referrer, provider])
      expect(await turnFor(who, made)).toEqual([
        'Waiting for Infirmary Lane Surgery to confirm what it has to do.',
        false,
      ]);
    site.clock.moveOn(21 * 24 * 3_600_000);
    const later = await browser({ role: 'referrer', organisation: { name: 'Infirmary Lane Surgery' } });
    expect(await turnFor(later, made)).toEqual([
      'Waiting for you to ask Infirmary Lane Surgery whether it has done what it had to do.',
      true,
    ]);
  });
});
