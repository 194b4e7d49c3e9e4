import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { removePassword } from '../../../test/accounts/stored.ts';
import { aPractice, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { takeJobs } from '../../../test/app/jobs.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { type Holder, referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { storeManyOpenReferrals } from '../../../test/referrals/many-referrals.ts';
import { auditedActions } from '../../../test/referrals/stored.ts';
import { disableAccount, enableAccount, setOrganisation } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { importPractices } from '../../exchange/index.ts';
import { updatePrompts } from './update-prompts.ts';

// Nobody is forgotten when a colleague leaves or a service closes.

const fixture = await referralLifeFixture();
const { site, referrer, colleague, operator, get, shown, post, later, aPerson } = fixture;

type Place = Awaited<ReturnType<typeof aService>>;
type ReferralInTest = { id: string; reference: string };

/** The prompts of an open referral that this person sees: what it has lost, and who looks after it. */
async function prompts(who: Holder, { id }: ReferralInTest): Promise<string[]> {
  const { body } = await get(who, `/${id}`);
  return body.prompts.map(
    ({ kind, owner }: { kind: string; owner: { name: string } | null }) =>
      `${kind}: ${owner?.name ?? 'operators'}`,
  );
}

/** How many emails about a referral each of them got so far. */
async function told(about: ReferralInTest, ...people: { email: string }[]): Promise<number[]> {
  const counts: number[] = [];
  for (const { email } of people) {
    const mails = await mailsTo(site, email);
    counts.push(mails.filter(({ text }) => text.includes(about.reference)).length);
  }
  return counts;
}

/** Runs the job, if what happened before has added it. */
async function runJob(): Promise<void> {
  const jobs = await takeJobs(site.database.pool, { name: 'update-prompts' });
  expect(jobs).not.toEqual([]);
  await updatePrompts(site.deps);
}

/** The service as its source has it from now on. */
const importAs = (
  place: Place,
  given: { status?: string; organizationId?: string; organizationName?: string },
) => aService(site.deps, { ...place, ...given });
const refer = async (place: Place, given: object = {}): Promise<ReferralInTest> =>
  (await post(referrer, '', aPerson(place.serviceId, given))).body;
const setAccess = (who: { id: string }, disabled: boolean) =>
  (disabled ? disableAccount : enableAccount)(site.deps, siteActor, { id: who.id });
const staffOf = (place: Place, name: string) =>
  aTokenHolder(site.deps, {
    role: 'provider',
    name,
    organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
  });

beforeEach(() => takeJobs(site.database.pool, { name: 'update-prompts' }));

describe('a service that closes', () => {
  it('gives no prompt to the owner’s namesake if it is sensitive', async () => {
    const place = await aService(site.deps);
    await markSensitive(site.deps.db, place.serviceId);
    const made = await refer(place);
    await importAs(place, { status: 'inactive' });
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['service-closed: Test Person']);
    expect(await prompts(colleague, made)).toEqual([]);
  });

  it('gives each open referral an owner, who is told once', async () => {
    const place = await aService(site.deps);
    const [one, other] = [await refer(place), await refer(place, { urgency: 'urgent' })];
    await importAs(place, { status: 'inactive' });
    await runJob();
    await updatePrompts(site.deps);
    expect(await prompts(referrer, one)).toEqual(['service-closed: Test Person']);
    expect(await prompts(colleague, other)).toEqual(['service-closed: Test Person']);
    expect(await prompts(await staffOf(place, 'Pia Provider'), one)).toEqual([]);
    expect(await told(one, referrer, colleague, operator)).toEqual([1, 0, 0]);
    const mails = await mailsTo(site, referrer.email);
    const mail = mails.find(({ text }) => text.includes(one.reference));
    expect(mail).toMatchObject({ subject: '2 referrals need attention (1 urgent) – Onward test site' });
    expect(mail!.text).toContain(`:\n${other.reference} (urgent)\n${one.reference}\n`);
    for (const detail of ['Margaret', place.serviceName, place.organizationName])
      expect(mail!.text).not.toContain(detail);
    expect(await auditedActions(site.deps.db, one.id)).toContain('referral.prompted');
  });

  it('is told again every five working days until dealt with', async () => {
    const place = await aService(site.deps);
    const made = await refer(place);
    await importAs(place, { status: 'defunct' });
    await runJob();
    await later(8 * 86_400_000);
    await updatePrompts(site.deps);
    expect(await told(made, referrer)).toEqual([2]);
    const [{ id }] = (await get(colleague, `/${made.id}`)).body.prompts;
    await post(colleague, `/${made.id}/prompts/${id}/dismiss`);
    await later(30 * 86_400_000);
    await updatePrompts(site.deps);
    expect([await prompts(referrer, made), await told(made, referrer)]).toEqual([[], [2]]);
  });

  it('loses its prompt when it opens, and gains one when it closes', async () => {
    const place = await aService(site.deps);
    const made = await refer(place);
    await importAs(place, { status: 'temporarily closed' });
    await runJob();
    const [{ id }] = (await get(referrer, `/${made.id}`)).body.prompts;
    await post(referrer, `/${made.id}/prompts/${id}/dismiss`);
    await importAs(place, { status: 'active' });
    await runJob();
    await importAs(place, { status: 'inactive' });
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['service-closed: Test Person']);
    await importAs(place, { status: 'active' });
    await runJob();
    expect(await prompts(referrer, made)).toEqual([]);
  });

  it('needs nobody once the referral has ended', async () => {
    const place = await aService(site.deps);
    const made = await refer(place);
    await importAs(place, { status: 'inactive' });
    await runJob();
    await post(referrer, `/${made.id}/cancel`, fixture.reason, 1);
    expect(await prompts(referrer, made)).toEqual([]);
    await later(20 * 86_400_000);
    await updatePrompts(site.deps);
    expect(await told(made, referrer)).toEqual([1]);
  });

  it('sends one email for a thousand open referrals', async () => {
    const place = await aService(site.deps);
    const made = await refer(place);
    await storeManyOpenReferrals(site.database.pool, made.id, 1000);
    await importAs(place, { status: 'inactive' });
    await runJob();
    const [mail, ...more] = (await mailsTo(site, referrer.email)).filter(({ text }) =>
      text.includes('1001 referrals need attention'),
    );
    expect([mail!.text.includes('and 951 more'), more.length]).toEqual([true, 0]);
  });

  it('adds no job if nobody was referred to it', async () => {
    const place = await aService(site.deps);
    await importAs(place, { status: 'inactive' });
    expect(await takeJobs(site.database.pool, { name: 'update-prompts' })).toEqual([]);
  });
});

describe('a service that takes no more referrals', () => {
  it('gives each open referral an owner until it takes them again', async () => {
    const place = await aService(site.deps);
    const made = await refer(place);
    const set = async (accepts: boolean) => {
      const { statusCode, body } = await site.app.inject({
        method: 'PUT',
        url: `/api/library/services/${place.serviceId}/referral_settings`,
        headers: operator.headers,
        payload: { accepts, channels: ['inbox'] },
      });
      expect(statusCode, body).toBe(200);
    };
    await set(false);
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['service-stopped: Test Person']);
    expect(await told(made, referrer)).toEqual([1]);
    await set(true);
    await runJob();
    expect(await prompts(referrer, made)).toEqual([]);
  });
});

describe('a service that is marked as sensitive', () => {
  const mark = (place: Place, settings: object) =>
    site.app.inject({
      method: 'PUT',
      url: `/api/library/services/${place.serviceId}/referral_settings`,
      headers: operator.headers,
      payload: { accepts: true, channels: ['inbox'], ...settings },
    });

  it('gives each open referral an owner, and tells operators', async () => {
    const place = await aService(site.deps);
    const [before, ended] = [await refer(place), await refer(place)];
    await post(referrer, `/${ended.id}/cancel`, fixture.reason, 1);
    await later(60_000);
    expect((await mark(place, { sensitive: true })).statusCode).toBe(200);
    await runJob();
    const after = await refer(place);
    await updatePrompts(site.deps);
    expect(await prompts(referrer, before)).toEqual(['service-sensitive: Test Person']);
    for (const other of [ended, after]) expect(await prompts(referrer, other)).toEqual([]);
    const mails = await mailsTo(site, operator.email);
    const told = mails.find(({ subject }) => subject.startsWith('A service with open referrals is marked'))!;
    expect(told.text).toContain('Fewer than 8 open referrals were made before');
    // Set again, it asks nobody a second time.
    await later(60_000);
    await mark(place, { sensitive: true });
    expect(
      (await mailsTo(site, operator.email)).filter(({ subject }) => subject === told.subject),
    ).toHaveLength(1);
  });
});

describe('a service that another organisation runs now', () => {
  it('prompts the referrer: its new staff cannot see the referral', async () => {
    const place = await aService(site.deps);
    const made = await refer(place);
    await importAs(place, { organizationId: crypto.randomUUID(), organizationName: 'Hill Walkers' });
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['service-moved: Test Person']);
  });

  it('gives no prompt if its organisation only got another id', async () => {
    const place = await aService(site.deps);
    const made = await refer(place);
    await importAs(place, { organizationId: crypto.randomUUID() });
    await runJob();
    expect(await prompts(referrer, made)).toEqual([]);
  });
});

describe('a GP practice that closes', () => {
  const register = (line: string) =>
    importPractices(
      site.deps,
      siteActor,
      Readable.from([Buffer.from(`ods_code,name,Close Date\n${line}\n`)]),
    );

  it('has a prompt, until the referral names another', async () => {
    await aPractice(site.deps, 'Z99007', 'Weir Surgery');
    const place = await aService(site.deps);
    const made = await refer(place, { gp_practice: { ods_code: 'Z99007' } });
    expect(await register('Z99007,Weir Surgery,20261120')).toMatchObject({ updated: 1 });
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['practice-closed: Test Person']);
    const refused = await post(
      referrer,
      '',
      aPerson(place.serviceId, { gp_practice: { ods_code: 'z99007' } }),
    );
    expect(refused.body.errors).toMatchObject([{ pointer: '/gp_practice/ods_code' }]);
    const correction = { gp_practice: { ods_code: 'Z99001' } };
    const { statusCode } = await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${made.id}`,
      headers: { ...referrer.headers, 'if-match': '"1"' },
      payload: correction,
    });
    expect([statusCode, await prompts(referrer, made)]).toEqual([200, []]);
  });

  it('is open again if the register empties its date', async () => {
    await aPractice(site.deps, 'Z99008', 'Mill Surgery');
    const made = await refer(await aService(site.deps), { gp_practice: { ods_code: 'Z99008' } });
    await register('Z99008,Mill Surgery,2026-11-20');
    await aPractice(site.deps, 'Z99008', 'Mill Surgery');
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['practice-closed: Test Person']);
    expect(await register('Z99008,Mill Surgery,')).toMatchObject({ updated: 1 });
    await runJob();
    expect(await prompts(referrer, made)).toEqual([]);
  });
});

describe('an account that is disabled', () => {
  it('hands its referrals to a colleague, and takes them back', async () => {
    const organisation = { name: 'The Lock House' };
    const leaver = await aTokenHolder(site.deps, { organisation, name: 'Lena Leaver' });
    const stayer = await aTokenHolder(site.deps, { organisation, name: 'Stan Stayer' });
    const place = await aService(site.deps);
    const { body: made } = await post(leaver, '', aPerson(place.serviceId));
    await setAccess(leaver, true);
    await runJob();
    expect(await prompts(stayer, made)).toEqual(['referrer-left: Stan Stayer']);
    expect(await told(made, stayer, operator)).toEqual([1, 0]);
    await setAccess(leaver, false);
    await runJob();
    expect(await prompts(stayer, made)).toEqual([]);
  });

  it('leaves referrals to operators if no colleague is there', async () => {
    const last = await aTokenHolder(site.deps, { organisation: { name: 'The Old Mill' } });
    const { body: made } = await post(last, '', aPerson((await aService(site.deps)).serviceId));
    await setAccess(last, true);
    await runJob();
    expect(await prompts(operator, made)).toEqual(['referrer-left: operators']);
    expect(await told(made, operator)).toEqual([1]);
  });

  it('gives what it accepted to a colleague until one acts', async () => {
    const place = await aService(site.deps);
    const leaver = await staffOf(place, 'Lena Leaver');
    const stayer = await staffOf(place, 'Stan Stayer');
    const [accepted, waiting] = [await refer(place), await refer(place)];
    await post(leaver, `/${accepted.id}/accept`, {}, 1);
    await setAccess(leaver, true);
    await runJob();
    expect([await prompts(stayer, accepted), await prompts(stayer, waiting)]).toEqual([
      ['staff-left: Stan Stayer'],
      [],
    ]);
    expect(await prompts(referrer, accepted)).toEqual([]);
    await post(stayer, `/${accepted.id}/start`, {}, 2);
    await updatePrompts(site.deps);
    expect(await prompts(stayer, accepted)).toEqual([]);
  });

  it('has not left when the other side undoes a death', async () => {
    const place = await aService(site.deps);
    const anna = await staffOf(place, 'Anna');
    await staffOf(place, 'Ben');
    const made = await refer(place);
    const versionOf = async () => (await get(anna, `/${made.id}`)).body.version;
    expect((await post(anna, `/${made.id}/accept`, {}, 1)).status).toBe(200);
    expect((await post(referrer, `/${made.id}/died`, { told_by: 'Her son' }, await versionOf())).status).toBe(
      200,
    );
    expect((await post(referrer, `/${made.id}/died/confirm`, {}, await versionOf())).status).toBe(200);
    expect((await post(referrer, `/${made.id}/died/undo`, {})).status).toBe(200);
    await updatePrompts(site.deps);
    expect((await get(anna, `/${made.id}`)).body.status).toBe('accepted');
    expect(await prompts(anna, made)).toEqual([]);
  });

  it('leaves them to operators if nobody else is at the service', async () => {
    const place = await aService(site.deps);
    const [first, last] = [await staffOf(place, 'Fay First'), await staffOf(place, 'Lena Last')];
    const made = await refer(place);
    await setAccess(first, true);
    await runJob();
    expect(await prompts(operator, made)).toEqual([]);
    await setAccess(last, true);
    await runJob();
    for (const who of [operator, referrer, colleague])
      expect(await prompts(who, made)).toEqual(['nobody-left: operators']);
    expect(await told(made, operator, referrer)).toEqual([1, 0]);
    const [{ id }] = (await get(referrer, `/${made.id}`)).body.prompts;
    expect((await post(referrer, `/${made.id}/prompts/${id}/dismiss`)).status).toBe(404);
    await removePassword(site.deps.db, (await staffOf(place, 'Ida Invited')).id);
    await updatePrompts(site.deps);
    expect(await prompts(operator, made)).toEqual(['nobody-left: operators']);
    await staffOf(place, 'Nina New');
    await updatePrompts(site.deps);
    expect(await prompts(operator, made)).toEqual([]);
  });

  it('has nobody left if the other staff have moved elsewhere', async () => {
    const place = await aService(site.deps);
    const last = await staffOf(place, 'Lena Last');
    const made = await refer(place);
    await shown(last, `/${made.id}`);
    const { organizationId: libraryOrganizationId } = await aService(site.deps);
    await setOrganisation(
      site.deps,
      siteActor,
      { id: last.id },
      { name: 'The Old Mill', libraryOrganizationId },
    );
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['nobody-left: operators']);
  });
});

describe('a referral that tells of a danger', () => {
  const unsafe = { contact: { safe: 'no' } };
  const whatWasDone = { reason: 'Rang the service, which sees her today.' };
  const inCrisis = { reasons: [{ text: 'He took an overdose yesterday and wants to die.' }] };
  const atRisk = () => ({
    risk: 'yes',
    risk_acted_on: { who_was_told: 'adult social care', when: site.clock.now().toISOString() },
  });

  it.each([
    ['a risk', atRisk],
    ['words of a crisis', () => inCrisis],
    ['contact that is not safe', () => unsafe],
  ])('asks the referrer until somebody confirms having acted on %s', async (_, given) => {
    const place = await aService(site.deps);
    const made = await refer(place, given());
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['risk-to-act-on: Test Person']);
    expect(await prompts(await staffOf(place, 'Pia Provider'), made)).toEqual([]);
    expect(await told(made, referrer), 'who has just sent it knows').toEqual([0]);
    await later(4 * 86_400_000);
    await updatePrompts(site.deps);
    const mail = (await mailsTo(site, referrer.email)).find(({ text }) => text.includes(made.reference))!;
    expect(mail.subject).toContain('Urgent: a referral needs you today (with a risk of harm)');
    for (const detail of ['Person', 'overdose', place.serviceName]) expect(mail.text).not.toContain(detail);
    await post(referrer, `/${made.id}/cancel`, { status_reason: { code: 'other', text: 'A mistake.' } }, 1);
    await updatePrompts(site.deps);
    const [{ id }] = (await get(referrer, `/${made.id}`)).body.prompts;
    await post(referrer, `/${made.id}/prompts/${id}/dismiss`, whatWasDone);
    await later(8 * 86_400_000);
    await updatePrompts(site.deps);
    expect([await prompts(referrer, made), await told(made, referrer)]).toEqual([[], [1]]);
  });

  it('is in the answer to the call that sent it, and asked once', async () => {
    const made = await refer(await aService(site.deps), atRisk());
    const [atOnce] = (made as ReferralInTest & { prompts: { kind: string; owner: object }[] }).prompts;
    expect(atOnce).toMatchObject({ kind: 'risk-to-act-on', owner: { name: 'Test Person' } });
    await runJob();
    expect((await get(referrer, `/${made.id}`)).body.prompts).toEqual([atOnce]);
    expect(await told(made, referrer)).toEqual([0]);
  });

  it('asks on after it was sent by mistake, until somebody acted', async () => {
    const made = await refer(await aService(site.deps), atRisk());
    await runJob();
    const why = { status_reason: { code: 'wrong-service', text: 'It was meant for another one.' } };
    expect((await post(referrer, `/${made.id}/withdraw-as-error`, why, 1)).status).toBe(200);
    await updatePrompts(site.deps);
    expect(await prompts(referrer, made)).toEqual(['risk-to-act-on: Test Person']);
    await later(4 * 86_400_000);
    await updatePrompts(site.deps);
    expect(await told(made, referrer)).toEqual([1]);
    const [{ id }] = (await get(referrer, `/${made.id}`)).body.prompts;
    await post(referrer, `/${made.id}/prompts/${id}/dismiss`, {
      reason: 'Nobody was at risk: a wrong tick.',
    });
    await later(8 * 86_400_000);
    await updatePrompts(site.deps);
    expect([await prompts(referrer, made), await told(made, referrer)]).toEqual([[], [1]]);
  });

  it('asks operators while nobody of the referrer’s side is there', async () => {
    const { serviceId } = await aService(site.deps);
    const alone = await aTokenHolder(site.deps, { role: 'referrer', organisation: { name: 'Hill Surgery' } });
    const made: ReferralInTest = (await post(alone, '', aPerson(serviceId, inCrisis))).body;
    await setAccess(alone, true);
    await runJob();
    expect(await prompts(operator, made)).toContain('risk-to-act-on: operators');
    expect(await told(made, operator)).toEqual([1]);
  });

  it('asks about a new danger, and not about one that is gone', async () => {
    const place = await aService(site.deps);
    const made = await refer(place, unsafe);
    await runJob();
    const [{ id }] = (await get(referrer, `/${made.id}`)).body.prompts;
    await post(referrer, `/${made.id}/prompts/${id}/dismiss`, whatWasDone);
    const correct = (body: object, version: number) =>
      fixture.call(referrer, 'PATCH', `/${made.id}`, { body, version });
    await correct({ safety_notes: 'He says that he wants to die.' }, 2);
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['risk-to-act-on: Test Person']);
    await correct({ safety_notes: null, contact: { safe: 'yes' }, reason: 'It was somebody else.' }, 3);
    expect(await prompts(referrer, made)).toEqual([]);
  });

  it('keeps its owner and dismissals while it is restricted', async () => {
    const place = await aService(site.deps);
    const [made, seenTo] = [await refer(place, unsafe), await refer(place, unsafe)];
    await runJob();
    const [{ id }] = (await get(referrer, `/${seenTo.id}`)).body.prompts;
    await post(referrer, `/${seenTo.id}/prompts/${id}/dismiss`, whatWasDone);
    const reason = { reason: 'A stranger asked where she is.' };
    for (const each of [made, seenTo]) await post(operator, `/${each.id}/restrict`, reason);
    await setAccess(await aTokenHolder(site.deps, { role: 'referrer' }), true);
    await later(4 * 86_400_000);
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['risk-to-act-on: Test Person']);
    for (const each of [made, seenTo]) await post(operator, `/${each.id}/unrestrict`, reason);
    await runJob();
    expect(await prompts(referrer, made)).toEqual(['risk-to-act-on: Test Person']);
    expect(await prompts(referrer, seenTo)).toEqual([]);
  });

  it('asks nobody where there is none', async () => {
    const made = await refer(await aService(site.deps));
    await updatePrompts(site.deps);
    expect(await prompts(referrer, made)).toEqual([]);
  });
});
