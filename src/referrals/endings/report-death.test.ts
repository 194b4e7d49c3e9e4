import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPractice, aReferral, aService, aTestNhsNumber, aTokenHolder } from '../../../test/app/builders.ts';
import { takeJobs } from '../../../test/app/jobs.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { messageOf } from '../../../test/delivery/messages.ts';
import { changeService } from '../../../test/library/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { dayMs } from '../../platform/durations.ts';
import { storeNewAccessToken } from '../../tokens/index.ts';
import { jobHandlers } from '../../worker.ts';
import { escalateWatches } from '../escalation/escalate-watches.ts';
import { findReferral } from '../model/referrals-store.ts';
import { sendNotifications } from '../notifications/send-notifications.ts';
import { remindOverdue } from '../overdue/remind-overdue.ts';
import { updatePrompts } from '../overdue/update-prompts.ts';

// Somebody tells that a person has died: nothing more is sent, each referral is ended by a person, and a mistake is put right.

let site: TestApp;
let refuge: Record<string, string>;
let surgery: Record<string, string>;
let provider: Record<string, string>;
let serviceId: string;
let operatorEmail: string;
let staffEmail: string;
const ids = new Map<Record<string, string>, string>();

/** Tokens end after three hours. */
async function signInAgain() {
  for (const [headers, id] of ids) {
    const { text } = await storeNewAccessToken(site.deps, id, 'apikeys');
    headers.authorization = `Bearer ${text}`;
  }
}

beforeAll(async () => {
  site = await makeApp();
  const place = await aService(site.deps);
  serviceId = place.serviceId;
  await aPractice(site.deps);
  const organisation = { libraryOrganizationId: place.organizationId, name: place.organizationName };
  const staff = await aTokenHolder(site.deps, { role: 'provider', organisation });
  provider = staff.headers;
  staffEmail = staff.email;
  const doctor = await aTokenHolder(site.deps, { organisation: { name: 'Moor Surgery' } });
  surgery = doctor.headers;
  const worker = await aTokenHolder(site.deps, { organisation: { name: 'Larkspur refuge' } });
  refuge = worker.headers;
  for (const { headers, id } of [staff, doctor, worker]) ids.set(headers, id);
  // Operators are the last to be told of unseen news.
  ({ email: operatorEmail } = await aTokenHolder(site.deps, { role: 'operator' }));
});
afterAll(() => site.close());

async function call(headers: Record<string, string>, path: string, payload?: object, version?: number) {
  const answer = await site.app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/api/referrals${path}`,
    headers: { ...headers, ...(version !== undefined && { 'if-match': `"${version}"` }) },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

/** Runs the jobs of deliveries, as the worker would. */
async function runJobs() {
  const handlers = jobHandlers(site.deps) as Record<string, (payload: unknown) => Promise<void>>;
  for (const { name, payload } of await takeJobs(site.database.pool, { isDue: true }))
    if (name.startsWith('deliver') || name === 'update-prompts') await handlers[name]!(payload);
}

let people = 0;
/** One person, referred by two organisations that do not know of each other. */
async function referredTwice(urgency = 'routine') {
  people += 1;
  const { patient } = aReferral('');
  const person = { ...patient, nhs_number: aTestNhsNumber(people), family_name: `Person ${people}` };
  const payload = { ...aReferral(serviceId), urgency, patient: person, gp_practice: { ods_code: 'Z99001' } };
  const [first, second] = [await call(surgery, '', payload), await call(refuge, '', payload)];
  return [first.body.id, second.body.id] as [string, string];
}

async function eventsOf(headers: Record<string, string>, id: string): Promise<string[]> {
  const { items } = (await site.app.inject({ url: '/api/events?limit=500', headers })).json();
  return items
    .filter((each: { resource: { id: string } }) => each.resource.id === id)
    .map(({ type }: { type: string }) => type);
}

const told = { told_by: 'Her daughter', date: '2026-11-20' };

async function statusesOf(id: string): Promise<string[]> {
  const { body } = await call(provider, `/${id}`);
  return body.deliveries.map((each: any) => `${each.leg} ${each.purpose} ${each.status}`);
}

describe('a death', () => {
  it('stops what waits for each open referral until it is ended', async () => {
    const [ours, theirs] = await referredTwice();
    const report = await call(surgery, `/${ours}/died`, told);
    expect(report.status).toBe(200);
    expect(report.body.referrals.map(({ id }: { id: string }) => id)).toEqual([ours]);
    await runJobs();
    for (const id of [ours, theirs]) expect((await statusesOf(id))[0]).toBe('service referral queued');
    expect((await call(surgery, `/${ours}`)).body.death_reported).toMatchObject(told);

    const ended = await call(surgery, `/${ours}/died/confirm`, {});
    expect(ended.body).toMatchObject({
      status: 'cancelled',
      status_reason: { code: 'died' },
      death_reported: null,
    });
    await runJobs();
    expect(await statusesOf(ours)).toEqual([
      'service referral suppressed',
      'gp_practice referral suppressed',
      expect.stringContaining('gp_practice outcome'),
    ]);
    expect((await call(provider, `/${theirs}`)).body.status).toBe('requested');
    expect((await call(provider, `/${theirs}/died/confirm`, {})).body.status).toBe('rejected');
  });

  it('tells neither organisation that the other knows the person', async () => {
    const [ours, theirs] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    const { body } = await call(refuge, `/${theirs}`);
    expect(body.death_reported.told_by).toBe('Somebody');
    const history = await call(refuge, `/${theirs}/history`);
    expect(JSON.stringify([body, history.body])).not.toMatch(/Moor Surgery|daughter/);
    expect(history.body.items.at(-1)).toMatchObject({ kind: 'death-reported', from: 'requested' });
  });

  it('reaches a restricted referral, shown once that is lifted', async () => {
    const [ours, theirs] = await referredTwice();
    const { patient } = (await call(surgery, `/${ours}`)).body;
    const again = await call(surgery, '', { ...aReferral(serviceId), patient, allow_duplicate: true });
    const hidden = [theirs, again.body.id];
    const { headers: operator } = await aTokenHolder(site.deps, { role: 'operator' });
    const why = { reason: 'Asked for by letter; ticket 311.' };
    for (const id of hidden) expect((await call(operator, `/${id}/restrict`, why)).status).toBe(200);
    const status_reason = { code: 'died', text: 'Her son rang.' };
    const ended = await call(surgery, `/${ours}/cancel`, { status_reason }, 1);
    expect([ended.status, ended.body.to_confirm]).toEqual([200, []]);
    for (const id of hidden) {
      const { restricted, death_reported, prompts } = (await call(provider, `/${id}`)).body;
      expect([restricted, death_reported, prompts]).toEqual([true, null, []]);
      expect((await call(provider, `/${id}/died/confirm`, {})).body.type).toContain('referral-restricted');
    }

    for (const id of hidden) await call(operator, `/${id}/unrestrict`, why);
    await runJobs();
    for (const [who, id, toldBy] of [
      [refuge, theirs, 'Somebody'],
      [surgery, again.body.id, 'Test Person, Moor Surgery'],
    ] as const) {
      const { version, death_reported, prompts } = (await call(who, `/${id}`)).body;
      expect([death_reported.told_by, prompts[0].kind]).toEqual([toldBy, 'death-reported']);
      expect((await statusesOf(id))[0]).toBe('service referral queued');
      expect((await call(provider, `/${id}/accept`, {}, version)).status).toBe(409);
    }
    expect((await call(refuge, `/${theirs}/died/confirm`, {})).body.status).toBe('cancelled');
    const settled = await call(surgery, `/${again.body.id}/died/undo`, {});
    expect([settled.body.status, settled.body.death_reported]).toEqual(['requested', null]);
  });

  it('names its reporter, whatever words they wrote', async () => {
    const [ours, theirs] = await referredTwice();
    await call(surgery, `/${ours}/died`, { told_by: 'Somebody' });
    expect((await call(provider, `/${ours}`)).body.death_reported).toMatchObject({
      told_by: 'Somebody',
      reported_by: { name: 'Test Person', organisation: 'Moor Surgery' },
    });
    expect((await call(refuge, `/${theirs}`)).body.death_reported.reported_by).toBeNull();
  });

  it('is an event for everybody who has a referral of the person', async () => {
    const [ours, theirs] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    await call(surgery, `/${ours}/died/undo`, {});
    const both = ['referral.requested', 'referral.death-reported', 'referral.death-undone'];
    expect(await eventsOf(surgery, ours)).toEqual(both);
    expect(await eventsOf(refuge, theirs)).toEqual(both);
  });

  it('is one event of a restricted referral, once that is lifted', async () => {
    const [ours, theirs] = await referredTwice();
    const { headers: operator } = await aTokenHolder(site.deps, { role: 'operator' });
    const why = { reason: 'Asked for by letter; ticket 312.' };
    const change = async (to: 'restrict' | 'unrestrict') => {
      site.clock.moveOn(1000);
      expect((await call(operator, `/${theirs}/${to}`, why)).status).toBe(200);
    };
    const since = ['referral.requested', 'referral.restricted'];
    await change('restrict');
    await call(surgery, `/${ours}/died`, told);
    for (const side of [refuge, provider]) expect(await eventsOf(side, theirs)).toEqual(since);
    await change('unrestrict');
    since.push('referral.unrestricted', 'referral.death-reported');
    for (const side of [refuge, provider]) expect(await eventsOf(side, theirs)).toEqual(since);

    await change('restrict');
    await change('unrestrict');
    await change('restrict');
    await call(surgery, `/${ours}/died/undo`, {});
    since.push('referral.restricted', 'referral.unrestricted', 'referral.restricted');
    for (const side of [refuge, provider]) expect(await eventsOf(side, theirs)).toEqual(since);
    await change('unrestrict');
    since.push('referral.unrestricted', 'referral.death-undone');
    for (const side of [refuge, provider]) expect(await eventsOf(side, theirs)).toEqual(since);
  });

  it('holds back no letter if confirmed after the service finished', async () => {
    const [ours] = await referredTwice();
    await call(provider, `/${ours}/accept`, {}, 1);
    await call(surgery, `/${ours}/died`, told);
    const outcome = { outcome: { code: 'goals-met', text: 'She came every week.' } };
    expect((await call(provider, `/${ours}/complete`, outcome, 3)).status).toBe(200);
    const settled = await call(surgery, `/${ours}/died/confirm`, {});
    expect([settled.status, settled.body.status, settled.body.death_reported]).toEqual([
      200,
      'completed',
      null,
    ]);
    expect((await call(surgery, `/${ours}`)).body.death_reported).toBeNull();
  });

  it('stops staff from going on, not from recording what was done', async () => {
    const [ours, theirs] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    const refused = await call(provider, `/${ours}/accept`, {}, 2);
    expect([refused.status, refused.body.type.split('/').at(-1)]).toEqual([409, 'wrong-state']);
    expect(refused.body.detail).toContain('reported as having died');
    const died = { status_reason: { code: 'died', text: 'Her son rang.' } };
    expect((await call(surgery, `/${ours}/cancel`, died, 2)).body.detail).toContain('Confirm it');
    expect((await call(provider, `/${ours}/messages`, { text: 'Is it true?' })).status).toBe(201);
    const full = { status_reason: { code: 'no-capacity', text: 'Full.' } };
    expect((await call(provider, `/${theirs}/reject`, full, 2)).status).toBe(200);
    await call(surgery, `/${ours}/died/undo`, {});
    const { version } = (await call(provider, `/${ours}`)).body;
    expect((await call(provider, `/${ours}/accept`, {}, version)).status).toBe(200);
    await call(surgery, `/${ours}/died`, told);
    for (const action of ['start', 'hold'])
      expect(
        (await call(provider, `/${ours}/${action}`, action === 'hold' ? full : {}, version + 2)).status,
      ).toBe(409);
    const outcome = { outcome: { code: 'goals-met', text: 'She came every week.' } };
    expect((await call(provider, `/${ours}/complete`, outcome, version + 2)).status).toBe(200);
  });

  it('is reported on the person’s other referrals; can be undone', async () => {
    const [ours, theirs] = await referredTwice();
    await call(provider, `/${ours}/accept`, {}, 1);
    const before = (await call(provider, `/${ours}`)).body;
    const status_reason = { code: 'died', text: 'Her son rang.' };
    const stale = await call(provider, `/${ours}/fail`, { status_reason }, 1);
    expect([stale.status, (await call(refuge, `/${theirs}`)).body.death_reported]).toEqual([412, null]);
    const ended = await call(provider, `/${ours}/fail`, { status_reason }, 2);
    expect([ended.status, ended.body.status, ended.body.death_reported]).toEqual([200, 'failed', null]);
    expect(ended.body).toMatchObject({
      status_reason,
      to_confirm: [{ id: theirs, status: 'requested' }],
    });
    expect((await call(provider, `/${ours}`)).body).not.toHaveProperty('to_confirm');
    const { death_reported } = (await call(refuge, `/${theirs}`)).body;
    expect(death_reported).toMatchObject({ told_by: expect.stringContaining('Test Person'), date: null });
    await runJobs();
    expect((await statusesOf(theirs))[0]).toBe('service referral queued');
    const { items } = (await call(provider, `/${ours}/history`)).body;
    expect(items.slice(-2).map(({ kind, to }: Record<'kind' | 'to', string>) => `${kind} ${to}`)).toEqual([
      'death-reported accepted',
      'status failed',
    ]);
    const undone = await call(provider, `/${ours}/died/undo`, {});
    const { status, next_date, status_reason: none } = undone.body;
    expect([status, next_date, none]).toEqual(['accepted', before.next_date, null]);
    expect((await call(refuge, `/${theirs}`)).body.death_reported).toBeNull();
  });

  it('tells one organisation nothing of the other', async () => {
    const [ours, theirs] = await referredTwice();
    const status_reason = { code: 'died', text: 'Her son rang.' };
    expect((await call(refuge, `/${ours}/cancel`, { status_reason }, 1)).status).toBe(404);
    expect((await call(provider, `/${theirs}/cancel`, { status_reason }, 1)).status).toBe(409);
    expect((await call(refuge, `/${theirs}`)).body.death_reported, 'nothing was done').toBeNull();
    const ended = await call(surgery, `/${ours}/cancel`, { status_reason }, 1);
    expect([ended.body.status, ended.body.to_confirm]).toEqual(['cancelled', []]);
    expect((await call(refuge, `/${theirs}`)).body.death_reported.told_by).toBe('Somebody');
  });

  it('cannot be reported after the end, but can be confirmed then', async () => {
    const [ours, theirs] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    const { version } = (await call(surgery, `/${ours}`)).body;
    for (const path of ['died', 'died/confirm', 'died/undo']) {
      const stale = await call(surgery, `/${ours}/${path}`, path === 'died' ? told : {}, version - 1);
      expect([path, stale.status]).toEqual([path, 412]);
    }
    expect((await call(surgery, `/${ours}/died/confirm`, {}, version)).status).toBe(200);
    const again = await call(surgery, `/${ours}/died/confirm`, {});
    expect([again.status, again.body.detail]).toEqual([
      409,
      'It is cancelled, and somebody confirmed the death before: nothing was done.',
    ]);
    const late = await call(surgery, `/${ours}/died`, told);
    expect([late.status, late.body.detail]).toEqual([409, expect.stringContaining('so nothing was done')]);

    const full = { status_reason: { code: 'no-capacity', text: 'Full.' } };
    const { body } = await call(provider, `/${theirs}`);
    expect((await call(provider, `/${theirs}/reject`, full, body.version)).status).toBe(200);
    const settled = await call(refuge, `/${theirs}/died/confirm`, {});
    expect([settled.status, settled.body.status, settled.body.version]).toEqual([
      200,
      'rejected',
      body.version + 2,
    ]);
    const { items } = (await call(refuge, `/${theirs}/history`)).body;
    expect(items.at(-1)).toMatchObject({ kind: 'death-confirmed', from: 'rejected', to: 'rejected' });
  });

  it('reported by mistake, changes nothing; what waited is sent', async () => {
    const [ours, theirs] = await referredTwice();
    await call(provider, `/${ours}/accept`, {}, 1);
    const before = (await call(surgery, `/${ours}`)).body;
    await call(provider, `/${ours}/died`, told);
    await call(surgery, `/${ours}/died/confirm`, {});
    const undone = await call(provider, `/${ours}/died/undo`, {});
    expect(undone.body).toMatchObject({
      status: 'accepted',
      status_reason: null,
      next_date: before.next_date,
      death_reported: null,
    });
    expect((await call(refuge, `/${theirs}`)).body.death_reported).toBeNull();
    const { body } = await call(provider, `/${ours}/history`);
    expect(
      body.items.slice(-4).map(({ kind, to }: Record<'kind' | 'to', string>) => `${kind} ${to}`),
    ).toEqual(['death-reported accepted', 'status cancelled', 'status accepted', 'death-undone accepted']);
    expect((await call(provider, `/${ours}/died/undo`, {})).status).toBe(409);
    // The person is referred on as if nothing had happened.
    expect((await call(provider, `/${ours}/start`, {}, undone.body.version)).status).toBe(200);
  });

  it('is taken back by those who reported it, not by others', async () => {
    const [ours, theirs] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    const refused = await call(provider, `/${ours}/died/undo`, {});
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      expect.stringContaining('Only the organisation'),
    ]);
    // Not even one that has confirmed it for its own referral, unless it is the service.
    await call(refuge, `/${theirs}/died/confirm`, {});
    expect((await call(refuge, `/${theirs}/died/undo`, {})).status).toBe(403);
    expect((await call(provider, `/${ours}`)).body.death_reported).toMatchObject({
      reported_by: { name: 'Test Person', organisation: 'Moor Surgery' },
      may_undo: false,
    });
    expect((await call(provider, `/${ours}/died/undo`, {})).status).toBe(403);
    const { headers: colleague } = await aTokenHolder(site.deps, { organisation: { name: 'Moor Surgery' } });
    expect((await call(colleague, `/${ours}`)).body.death_reported.may_undo).toBe(true);
    const url = `/api/referrals/${ours}/died/undo`;
    const undone = await site.app.inject({ method: 'POST', url, headers: colleague });
    expect(undone.statusCode, 'also without a body').toBe(200);
    expect((await call(refuge, `/${theirs}`)).body.status).toBe('requested');
  });

  it('reported by others is lifted by a side that knows better', async () => {
    const [theirs, victims] = await referredTwice('urgent');
    const strangers = await call(surgery, `/${theirs}/died`, { told_by: 'Her husband' });
    expect(strangers.status).toBe(200);
    const [held] = await mailsTo(site, operatorEmail);
    expect(held!.subject).toMatch(
      /^Urgent: a reported death has stopped referrals of other organisations: 1/,
    );
    expect(held!.text).toContain(`/referrals/${victims}`);
    expect(held!.text).not.toMatch(/Moor Surgery|Larkspur|husband|Person/);

    expect((await call(provider, `/${victims}`)).body.death_reported.may_undo).toBe(true);
    const alive = await call(provider, `/${victims}/died/undo`, {});
    expect([alive.status, alive.body.death_reported]).toEqual([200, null]);
    const [living] = await mailsTo(site, operatorEmail);
    expect(living!.subject).toContain('is said to be alive');
    await runJobs();
    expect((await statusesOf(victims))[0], 'what was held is sent').not.toContain('queued');
    expect((await call(provider, `/${victims}/accept`, {}, alive.body.version)).status).toBe(200);
    // The organisation that reported it sees nothing of that.
    const seen = [await call(surgery, `/${theirs}`), await call(surgery, `/${theirs}/history`)];
    expect(seen[0]!.body.death_reported).toMatchObject({ told_by: 'Her husband' });
    expect(seen[1]!.body.items.at(-1).kind).toBe('death-reported');
    await call(surgery, `/${theirs}/died/undo`, {});
    expect((await call(provider, `/${victims}`)).body.status).toBe('accepted');
  });

  it('reported by others is lifted from all referrals at once', async () => {
    const [theirs, victims] = await referredTwice();
    const { patient } = (await call(refuge, `/${victims}`)).body;
    const again = { ...aReferral(serviceId), patient, allow_duplicate: true };
    const second = (await call(refuge, '', again)).body.id as string;
    await call(surgery, `/${theirs}/died`, told);
    const before = (await mailsTo(site, operatorEmail)).length;
    expect((await call(refuge, `/${victims}/died/undo`, {})).status).toBe(200);
    for (const [who, id, isHeld] of [
      [refuge, victims, false],
      [refuge, second, false],
      [surgery, theirs, true],
    ] as const)
      expect((await call(who, `/${id}`)).body.death_reported !== null, id).toBe(isHeld);
    const mails = (await mailsTo(site, operatorEmail)).slice(0, -before);
    expect(mails.map(({ text }) => [text.includes(victims), text.includes(second)])).toEqual([[true, true]]);
    await call(surgery, `/${theirs}/died/undo`, {});
  });

  it('is taken back by the service that confirmed it', async () => {
    const [ours, theirs] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    await call(provider, `/${theirs}/died/confirm`, {});
    expect((await call(provider, `/${ours}/died/undo`, {})).status, 'not where it did not').toBe(403);
    expect((await call(provider, `/${theirs}/died/undo`, {})).status).toBe(200);
    expect((await call(surgery, `/${ours}`)).body.death_reported).toBeNull();
  });

  it('is taken back by an operator, whose reason the audit keeps', async () => {
    const [ours, theirs] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    const { headers: operator, id } = await aTokenHolder(site.deps, { role: 'operator' });
    const named = `Person ${people} was seen on Monday.`;
    for (const body of [{}, { reason: 'test' }, { reason: named }]) {
      const refused = await call(operator, `/${theirs}/died/undo`, body);
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/reason']);
    }
    const reason = 'The ward rang: two patients were mixed up.';
    expect((await call(operator, `/${theirs}/died/undo`, { reason })).status).toBe(200);
    for (const [who, referral] of [[surgery, ours] as const, [refuge, theirs] as const]) {
      const [entry] = await storedEntries(site.deps.db, {
        action: 'referral.death_undone',
        subjectId: referral,
      });
      expect(entry).toMatchObject({ actor_id: id, details: { reason } });
      const { items } = (await call(who, `/${referral}/history`)).body;
      expect(items.at(-1)).toMatchObject({ kind: 'death-undone', by: { organisation: null } });
    }
  });

  it('taken back while another referral is being ended ends none', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [ours, theirs] = await referredTwice();
      await call(surgery, `/${ours}/died`, told);
      const answers = await Promise.all([
        call(provider, `/${theirs}/died/confirm`, {}),
        call(surgery, `/${ours}/died/undo`, {}),
      ]);
      expect([200, 409]).toContain(answers[0]!.status);
      expect(answers[1]!.status).toBe(200);
      for (const [who, id] of [[surgery, ours] as const, [refuge, theirs] as const]) {
        const { status, status_reason, death_reported } = (await call(who, `/${id}`)).body;
        expect([status, status_reason, death_reported]).toEqual(['requested', null, null]);
      }
    }
  });

  it('may be reported on two of the person’s referrals at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [ours, theirs] = await referredTwice();
      const answers = await Promise.all([
        call(refuge, `/${theirs}/died`, told),
        call(surgery, `/${ours}/died`, told),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const undone = await Promise.all([
        call(refuge, `/${theirs}/died/undo`, {}),
        call(surgery, `/${ours}/died/undo`, {}),
      ]);
      // The first to report it takes it back for both, the other for its own at most.
      expect(undone.map(({ status }) => status)).toContain(200);
      for (const [who, id] of [[surgery, ours] as const, [refuge, theirs] as const])
        expect((await call(who, `/${id}`)).body.death_reported).toBeNull();
    }
  });

  it('reported by mistake leaves the reason for waiting as it was', async () => {
    const [ours] = await referredTwice();
    await call(provider, `/${ours}/accept`, {}, 1);
    const status_reason = { code: 'no-capacity', text: 'Full until spring.' };
    const wait = { status_reason, expected_date: '2027-03-01' };
    expect((await call(provider, `/${ours}/hold`, wait, 2)).status).toBe(200);
    await changeService(site.deps.db, serviceId, { status: 'inactive' });
    await updatePrompts(site.deps);
    const [prompt] = (await call(surgery, `/${ours}`)).body.prompts;
    await call(surgery, `/${ours}/prompts/${prompt.id}/dismiss`, {});
    const before = (await call(surgery, `/${ours}`)).body;
    await call(surgery, `/${ours}/died`, told);
    await call(surgery, `/${ours}/died/confirm`, {});
    // The job that looks after prompts drops those of referrals that have ended.
    await updatePrompts(site.deps);
    await call(surgery, `/${ours}/died/undo`, {});
    await updatePrompts(site.deps);
    const after = (await call(surgery, `/${ours}`)).body;
    await changeService(site.deps.db, serviceId, { status: 'active' });
    const kept = [
      'status',
      'status_reason',
      'expected_date',
      'next_date',
      'due_at',
      'seen',
      'prompts',
      'urgency',
    ];
    for (const field of kept) expect(after[field], field).toEqual(before[field]);
    expect(after).toMatchObject({ status: 'on-hold', status_reason, prompts: [] });
  });

  it('reported by mistake, has an urgent referral watched again', async () => {
    const [ours] = await referredTwice('urgent');
    await call(surgery, `/${ours}/died`, told);
    await call(surgery, `/${ours}/died/confirm`, {});
    site.clock.moveOn(3 * dayMs);
    await signInAgain();
    // The watch drops what has ended.
    await escalateWatches(site.deps);
    await call(surgery, `/${ours}/died/undo`, {});
    const toldOfIt = async () =>
      (await storedEntries(site.deps.db, { action: 'referral.unseen_told', subjectId: ours })).length;
    await escalateWatches(site.deps);
    expect(await toldOfIt()).toBe(0);
    site.clock.moveOn(3 * dayMs);
    await signInAgain();
    await escalateWatches(site.deps);
    expect(await toldOfIt()).toBe(1);
  });

  it('reported by mistake, brings each email back once', async () => {
    const [ours] = await referredTwice();
    const { reference } = (await call(provider, `/${ours}`)).body;
    await call(provider, `/${ours}/accept`, {}, 1);
    site.clock.moveOn(30 * dayMs);
    await signInAgain();
    await call(surgery, `/${ours}/died`, told);
    await call(provider, `/${ours}/died/confirm`, {});
    await sendNotifications(site.deps);
    await call(surgery, `/${ours}/died/undo`, {});
    const mailsOf = async (email: string) =>
      (await mailsTo(site, email))
        .filter(({ text }) => text.includes(reference))
        .map(({ subject }) => subject.split(/:| –/)[0]!);
    const before = await mailsOf(staffEmail);
    for (const _ of [1, 2, 3]) {
      await sendNotifications(site.deps);
      await remindOverdue(site.deps);
      await escalateWatches(site.deps);
    }
    const after = (await mailsOf(staffEmail)).slice(0, -before.length);
    expect(after.toSorted()).toEqual([expect.stringMatching(/overdue/), 'A referral is open again']);
  });

  it('reported by mistake, sends all letters but those that say so', async () => {
    const [ours] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    await call(surgery, `/${ours}/died/confirm`, {});
    await call(surgery, `/${ours}/died/undo`, {});
    await runJobs();
    expect(await statusesOf(ours)).toEqual([
      'service referral suppressed',
      'gp_practice referral suppressed',
      'gp_practice outcome suppressed',
      'service referral received',
      'gp_practice referral sent',
    ]);
    // Nobody was told of the death, so nobody is told that it was a mistake.
    const { body } = await call(surgery, `/${ours}`);
    const copy = body.deliveries.at(-1).id;
    const referral = (await findReferral(site.deps.db, ours))!;
    const message = await messageOf(site.deps, copy, referral);
    expect(JSON.stringify(message.writtenLetter().letter)).not.toContain('That was a mistake');
  });

  it('lets what waited go at once if it is settled or a mistake', async () => {
    const [ours, theirs] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    await runJobs();
    expect((await statusesOf(theirs))[0]).toBe('service referral queued');
    await call(surgery, `/${ours}/died/undo`, {});
    await runJobs();
    for (const id of [ours, theirs])
      expect((await statusesOf(id)).filter((each) => each.endsWith('queued'))).toEqual([]);
    const { version } = (await call(provider, `/${ours}`)).body;
    await call(provider, `/${ours}/accept`, {}, version);
    await call(surgery, `/${ours}/died`, told);
    const outcome = { outcome: { code: 'goals-met', text: 'She came every week.' } };
    await call(provider, `/${ours}/complete`, outcome, version + 2);
    await runJobs();
    expect((await statusesOf(ours)).at(-1)).toBe('gp_practice outcome queued');
    await call(surgery, `/${ours}/died/confirm`, {});
    await runJobs();
    expect((await statusesOf(ours)).at(-1)).toBe('gp_practice outcome sent');
  });

  it('is told once, by both sides at the same moment', async () => {
    const [ours] = await referredTwice();
    const answers = await Promise.all([
      call(surgery, `/${ours}/died`, told),
      call(provider, `/${ours}/died`, told),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await call(surgery, `/${ours}/history`);
    expect(body.items.filter(({ kind }: { kind: string }) => kind === 'death-reported')).toHaveLength(1);
  });

  it('is not that of somebody else who has the same NHS number', async () => {
    const [alive] = await referredTwice();
    const { patient } = (await call(surgery, `/${alive}`)).body;
    const mismatch_override = { reason: 'The number was checked twice.' };
    const other = { given_name: 'Quite', family_name: 'Another', birth_date: '1940-01-01' };
    const made = async (given: object) =>
      (
        await call(refuge, '', {
          ...aReferral(serviceId),
          patient: { ...patient, ...given },
          mismatch_override,
          allow_duplicate: true,
        })
      ).body.id as string;
    const dead = await made(other);
    // One person, whose first name and birth date were written in two ways.
    const sameName = await made({ given_name: 'Q.', family_name: 'Another', birth_date: '1940-01-10' });
    await call(refuge, `/${dead}/died`, told);
    const reported = async (who: Record<string, string>, id: string) =>
      (await call(who, `/${id}`)).body.death_reported !== null;
    expect([await reported(surgery, alive), await reported(refuge, sameName)]).toEqual([false, true]);
    // A new referral of the living person is not refused, even where the death is known.
    const again = { ...aReferral(serviceId), patient, mismatch_override, allow_duplicate: true };
    expect((await call(refuge, '', again)).status).toBe(201);
    // Nor does a mistake about the one take back the death of the other.
    await call(surgery, `/${alive}/died`, told);
    await call(surgery, `/${alive}/died/undo`, {});
    expect([await reported(surgery, alive), await reported(refuge, dead)]).toEqual([false, true]);
  });

  it('is not that of a twin with the same NHS number', async () => {
    const [twin] = await referredTwice();
    const { patient } = (await call(surgery, `/${twin}`)).body;
    const override = {
      mismatch_override: { reason: 'The number was checked twice.' },
      allow_duplicate: true,
    };
    const named = (given_name: string) => ({
      ...aReferral(serviceId),
      ...override,
      patient: { ...patient, given_name },
    });
    // Also one whose name begins with the same letter.
    const sameLetter = (await call(surgery, '', named('Rosalind'.replace('osalind', 'uth')))).body.id;
    const dead = (await call(surgery, '', named('Rosalind'))).body.id;
    const shortened = (await call(surgery, '', named('R.'))).body.id;
    const report = await call(surgery, `/${dead}/died`, told);
    expect(report.body.referrals.map(({ id }: { id: string }) => id).sort()).toEqual(
      [dead, shortened].sort(),
    );
    for (const id of [twin, sameLetter])
      expect((await call(surgery, `/${id}`)).body.death_reported).toBeNull();
  });

  it('clearly answers a new referral of those who were told', async () => {
    const [ours] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    const patient = (await call(surgery, `/${ours}`)).body.patient;
    const again = { ...aReferral(serviceId), patient, allow_duplicate: true };
    const refused = await call(surgery, '', again);
    expect([refused.status, refused.body.type.split('/').at(-1), refused.body.referral_id]).toEqual([
      409,
      'death-reported',
      ours,
    ]);
    const draft = await call(surgery, '', { ...again, status: 'draft' });
    expect((await call(surgery, `/${draft.body.id}/request`, { allow_duplicate: true }, 1)).status).toBe(409);
    // Also once it is confirmed, and with the name alone; not for somebody with another number.
    await call(surgery, `/${ours}/died/confirm`, {});
    const { nhs_number: _, ...named } = patient;
    expect((await call(surgery, '', { ...again, patient: named })).status).toBe(409);
    people += 1;
    const namesake = { ...named, nhs_number: aTestNhsNumber(people) };
    expect((await call(surgery, '', { ...again, patient: namesake })).status).toBe(201);
    const death_override = { reason: 'Her cousin, who has the same name.' };
    const meant = await call(surgery, '', { ...again, patient: named, death_override });
    expect([meant.status, meant.body.death_override]).toEqual([201, death_override]);
    await call(surgery, `/${ours}/died/undo`, {});
    expect((await call(surgery, '', again)).status).toBe(201);
  });

  it('is revealed by a new referral only to a service that knows', async () => {
    const [ours] = await referredTwice();
    await call(surgery, `/${ours}/died`, told);
    const patient = (await call(surgery, `/${ours}`)).body.patient;
    const elsewhere = await aService(site.deps);
    const organisation = {
      libraryOrganizationId: elsewhere.organizationId,
      name: elsewhere.organizationName,
    };
    const { headers: stranger } = await aTokenHolder(site.deps, { organisation: { name: 'A third one' } });
    const { headers: otherStaff } = await aTokenHolder(site.deps, { role: 'provider', organisation });
    const { headers: operator } = await aTokenHolder(site.deps, { role: 'operator' });
    const made = await call(stranger, '', { ...aReferral(serviceId), patient });
    const madeElsewhere = await call(stranger, '', { ...aReferral(elsewhere.serviceId), patient });
    await runJobs();
    people += 1;
    const { body: plain } = await call(stranger, '', {
      ...aReferral(elsewhere.serviceId),
      patient: { ...patient, family_name: 'Other', nhs_number: aTestNhsNumber(people) },
    });
    for (const { status, body } of [made, madeElsewhere]) {
      expect([status, Object.keys(body)]).toEqual([201, Object.keys(plain)]);
      const seen = (await call(stranger, `/${body.id}`)).body;
      expect([seen.prompts, seen.death_reported, seen.status]).toEqual([[], null, 'requested']);
    }
    const sees = async (who: Record<string, string>, { body: { id } }: typeof made) =>
      (await call(who, `/${id}`)).body.prompts.map(
        ({ kind, side }: Record<'kind' | 'side', string>) => `${kind} ${side}`,
      );
    expect(await sees(provider, made)).toEqual(['may-have-died provider']);
    expect(await sees(otherStaff, madeElsewhere)).toEqual([]);
    expect(await sees(operator, madeElsewhere)).toEqual(['may-have-died operators']);
    expect(JSON.stringify((await call(provider, `/${made.body.id}/history`)).body)).not.toContain('daughter');
    await call(surgery, `/${ours}/died/undo`, {});
    await runJobs();
    expect([await sees(provider, made), await sees(operator, madeElsewhere)]).toEqual([[], []]);
  });

  it('told again after an undo is left to an operator for others', async () => {
    const [ours, theirs] = await referredTwice();
    const { email, headers: operator } = await aTokenHolder(site.deps, { role: 'operator' });
    const held = async () =>
      Promise.all(
        [ours, theirs].map(async (id) => (await findReferral(site.deps.db, id))!.deathReportedAt !== null),
      );
    await call(surgery, `/${ours}/died`, told);
    expect(await held()).toEqual([true, true]);
    await call(refuge, `/${theirs}/died/undo`, {});
    await call(surgery, `/${ours}/died/undo`, {});
    const again = await call(surgery, `/${ours}/died`, told);
    expect([again.status, again.body.referrals.length, await held()]).toEqual([200, 1, [true, false]]);
    const mail = (await mailsTo(site, email)).find(({ subject }) => subject.includes('reported again'))!;
    expect([mail.text.includes(theirs), mail.text.includes('Moor Surgery')]).toEqual([true, false]);
    await runJobs();
    const prompts = async (who: Record<string, string>) =>
      (await call(who, `/${theirs}`)).body.prompts.map(
        ({ kind, side }: Record<'kind' | 'side', string>) => `${kind} ${side}`,
      );
    expect([await prompts(refuge), await prompts(operator)]).toEqual([[], ['may-have-died operators']]);
    // An operator has found out that it is true.
    expect((await call(operator, `/${theirs}/died`, { told_by: 'Her GP practice' })).status).toBe(200);
    expect(await held()).toEqual([true, true]);
    expect((await call(refuge, `/${theirs}/died/confirm`, {})).body.status).toBe('cancelled');
  });

  it.each([
    [{}, 400, '/told_by'],
    [{ told_by: ' ' }, 400, '/told_by'],
    [{ told_by: 'Her son', date: '2026-02-30' }, 400, '/date'],
    [{ told_by: 'Her son', date: '2030-01-01' }, 422, '/date'],
  ])('is refused as %j', async (body, status, pointer) => {
    const [ours] = await referredTwice();
    const refused = await call(surgery, `/${ours}/died`, body);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([status, pointer]);
  });

  it('is not told or confirmed by strangers, or before it is told', async () => {
    const [ours] = await referredTwice();
    expect((await call(refuge, `/${ours}/died`, told)).status).toBe(404);
    expect((await call(surgery, `/${ours}/died/confirm`, {})).status).toBe(409);
    const { headers: operator } = await aTokenHolder(site.deps, { role: 'operator' });
    expect((await call(operator, `/${ours}/died`, told)).status).toBe(403);
  });
});
