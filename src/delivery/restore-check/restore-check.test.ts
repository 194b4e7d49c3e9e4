import { afterAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTestNhsNumber, aTokenHolder } from '../../../test/app/builders.ts';
import { takeJobs } from '../../../test/app/jobs.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { isRowLocked, waitingForLocks } from '../../../test/database/locks.ts';
import { stubChannel } from '../../../test/delivery/fixture.ts';
import { confirmCheck, everythingRecorded } from '../../../test/delivery/restore-check.ts';
import { makeOrdinary, markSensitive } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { beginRestoreCheck, findRestoreCheck } from '../../platform/restore-check/index.ts';
import { findReferral } from '../../referrals/index.ts';
import { jobHandlers } from '../../worker.ts';
import type { Channel } from '../channels/channel.ts';
import { lockDelivery } from '../follow-up/follow-up-store.ts';
import { holdDelivery, releaseHeldBy } from '../held/hold-delivery.ts';
import { holdAllUnsent } from '../held/hold-for-check.ts';
import { listDeliveriesOf } from '../model/deliveries-store.ts';
import { deliver } from '../send/deliver.ts';
import { restoreDeliveryJobs } from '../send/restore-jobs.ts';

// A site that was restored does not know what it sent after the backup, so it sends nothing before a person has looked.

const site = await makeApp({ env: { ONWARD_REMIND_AFTER_DAYS: '5', ONWARD_REJECT_AFTER_DAYS: '10' } });
afterAll(site.close);
const { app, deps, database, clock } = site;
const referrer = await aTokenHolder(deps);
const operator = await signedInBrowser(site, { role: 'operator' });
/** Signed in just now: confirming asks for that. */
const anOperator = () => signedInBrowser(site, { role: 'operator' });
const other = await signedInBrowser(site, { role: 'referrer' });
const { serviceId } = await aService(deps);

let made = 0;
async function refer() {
  made += 1;
  const payload = aReferral(serviceId);
  payload.patient.nhs_number = aTestNhsNumber(made);
  payload.patient.family_name = `Example${made}`;
  const answer = await app.inject({
    method: 'POST',
    url: '/api/referrals',
    headers: referrer.headers,
    payload,
  });
  expect(answer.statusCode).toBe(201);
  const service = async () => {
    const all = await listDeliveriesOf(deps.db, answer.json().id);
    return all.find(({ leg }) => leg === 'service')!;
  };
  return { id: answer.json().id as string, service, answer };
}

/** What a restore does at its end. */
async function restore() {
  const backupMadeAt = clock.now();
  clock.moveOn(60_000);
  return inTransaction(deps.db, async (trx) => {
    const waiting = await holdAllUnsent(trx, clock.now());
    await beginRestoreCheck(trx, { backupMadeAt, at: clock.now() });
    return waiting;
  });
}

/** Runs all jobs of deliveries, as the worker would. */
async function runJobs() {
  const handlers = jobHandlers(deps) as Record<string, (payload: unknown) => Promise<void>>;
  for (;;) {
    const jobs = await takeJobs(database.pool, { isDue: true });
    const own = jobs.filter(({ name }) => name.startsWith('deliver'));
    if (own.length === 0) return;
    for (const { name, payload } of own) await handlers[name]!(payload);
  }
}

const path = '/operator/check-first';

describe('a restored site', () => {
  it('sends nothing before an operator has confirmed what was sent', async () => {
    const before = await refer();
    expect(await restore()).toBeGreaterThan(0);
    await runJobs();
    expect(await before.service()).toMatchObject({ status: 'queued', attempts: [] });

    const after = await refer();
    await runJobs();
    clock.moveOn(600_000);
    await restoreDeliveryJobs(deps);
    await runJobs();
    expect(await after.service()).toMatchObject({
      status: 'queued',
      detail: expect.stringContaining('restored from a backup'),
    });

    const shown = await operator.open(path);
    expect(shown.page.querySelectorAll('input[value=hold][name^=message-]').length).toBeGreaterThanOrEqual(2);
    expect((await confirmCheck(operator)).status).toBe(303);
    await runJobs();
    for (const { service } of [before, after]) expect((await service()).status).toBe('received');
    const entries = await storedEntries(deps.db, { action: 'site.checked_after_restore' });
    expect(entries.at(-1)).toMatchObject({ details: { kept_back: 0, arrived: 0 } });
    expect((await operator.send(`${path}/confirm`, {})).status).toBe(409);
  });

  it('says so on every page and in every answer until confirmed', async () => {
    await restore();
    const answer = () => app.inject({ url: '/api/referrals', headers: referrer.headers });
    await expect.poll(async () => (await answer()).headers['onward-check-first']).toBeDefined();
    const banner = '[aria-label="Check first"]';
    const shown = await other.open('/referrals');
    expect(shown.page.querySelector(banner)!.text).toContain('no message is sent until an operator');
    const metrics = await app.inject({ url: '/metrics', headers: { host: 'localhost' } });
    expect(metrics.body).toContain('onward_check_first 1');
    expect((await other.open(path)).status).toBe(403);
    await confirmCheck(operator);
    await expect.poll(async () => (await answer()).headers['onward-check-first']).toBeUndefined();
    expect((await other.open('/referrals')).page.querySelector(banner)).toBeNull();
  });

  it('holds what an operator does not send, to be resolved', async () => {
    const [kept, sent] = [await refer(), await refer()];
    await restore();
    const { id } = await kept.service();
    await confirmCheck(operator, { [`message-${id}`]: 'hold' });
    await runJobs();
    clock.moveOn(600_000);
    await restoreDeliveryJobs(deps);
    await runJobs();
    expect(await kept.service()).toMatchObject({ status: 'queued', detail: expect.stringContaining('held') });
    expect((await sent.service()).status).toBe('received');
    expect((await operator.open('/operator/deliveries')).text).toContain('held this message');
    await operator.send(`/operator/deliveries/${id}/retry`, {});
    await runJobs();
    expect((await kept.service()).status).toBe('received');
  });

  it('locks all messages in order before it decides about one', async () => {
    const made = [await refer(), await refer()];
    const ids = await Promise.all(made.map(async ({ service }) => (await service()).id));
    const [first, second] = ids.sort() as [string, string];
    await restore();
    const confirmer = await anOperator();
    let confirming: ReturnType<typeof confirmCheck> | undefined;
    await inTransaction(deps.db, async (trx) => {
      await lockDelivery(trx, first);
      confirming = confirmCheck(confirmer, {
        [`message-${second}`]: 'arrived',
        [`message-${first}`]: 'hold',
      });
      await until(async () => (await waitingForLocks(deps.db)) === 1);
      expect(await isRowLocked(deps.db, 'deliveries', 'id', second)).toBe(false);
    });
    expect((await confirming!).status).toBe(303);
  });

  it('also holds what a job is about to send at that moment', async () => {
    const { service } = await refer();
    await restore();
    await takeJobs(database.pool);
    const { id } = await service();
    const signedIn = await signedInBrowser(site, { role: 'operator' });
    let sent = 0;
    // The job has read the delivery, and asks next whether the site is still being checked.
    const systemToCall: Channel['systemToCall'] = async (db) => {
      if (!db.isTransaction)
        expect((await confirmCheck(signedIn, { [`message-${id}`]: 'hold' })).status).toBe(303);
      return undefined;
    };
    const send: Channel['send'] = async () => {
      sent += 1;
      return { status: 'sent', detail: 'It is on its way.' };
    };
    const acting = (name: string) => stubChannel(name, { systemToCall, send });
    const channels = {
      outgoing: ['document', 'inbox', 'mesh'].map(acting),
      capturing: ({ name }: Channel) => acting(name),
    };
    await deliver({ ...deps, channels }, { delivery_id: id });
    expect([sent, await service()]).toEqual([
      0,
      expect.objectContaining({ status: 'queued', detail: expect.stringContaining('held') }),
    ]);
    await signedIn.send(`/operator/deliveries/${id}/retry`, {});
    await runJobs();
    expect((await service()).status).toBe('received');
  });

  it('does not send again what an operator says has arrived', async () => {
    const { id, service } = await refer();
    await restore();
    const operator = await anOperator();
    const delivery = await service();
    await confirmCheck(operator, { [`message-${delivery.id}`]: 'arrived' });
    await runJobs();
    expect(await service()).toMatchObject({ status: 'received', channel: null });
    expect(await storedEntries(deps.db, { subjectId: id, action: 'delivery.checked-after-restore' })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          details: { delivery: delivery.id, decided: 'arrived before the restore' },
        }),
      ]),
    );
  });

  it('does not name a sensitive service there', async () => {
    await refer();
    await restore();
    expect((await operator.open(path)).text).toContain('Tuesday walking group');
    await markSensitive(deps.db, serviceId);
    const { text } = await operator.open(path);
    expect(text).toContain('A restricted service');
    expect(text).not.toContain('Tuesday walking group');
    await confirmCheck(operator);
    await makeOrdinary(deps.db, serviceId);
    await runJobs();
  });

  it('asks about what waits for another reason, too', async () => {
    const [arrived, kept, sent] = [await refer(), await refer(), await refer()];
    const ids = await Promise.all([arrived, kept, sent].map(async ({ service }) => (await service()).id));
    const held = {
      by: 'message-exchange',
      reason: 'The exchange refuses this site.',
      at: clock.now(),
    } as const;
    await inTransaction(deps.db, async (trx) => {
      for (const id of ids) await holdDelivery(trx, id, held);
    });
    await restore();
    const operator = await anOperator();
    const { page, text } = await operator.open(path);
    for (const id of ids) expect(page.querySelector(`#message-${id}-send`), 'it is listed').not.toBeNull();
    expect(text).toContain('It also waits for another reason: The exchange refuses this site.');
    const answers = Object.fromEntries(
      ids.map((id, index) => [`message-${id}`, ['arrived', 'hold', 'send'][index]!]),
    );
    expect((await confirmCheck(operator, { 'all-backup': 'each' })).status, 'without an answer').toBe(422);
    expect((await confirmCheck(operator, answers)).status).toBe(303);
    await runJobs();
    expect(await arrived.service()).toMatchObject({
      status: 'received',
      attempts: [{ outcome: 'received' }],
    });
    expect(await kept.service()).toMatchObject({
      status: 'queued',
      detail: expect.stringContaining('held this message'),
    });
    // The exchange is asked first whether it has the message.
    expect(await sent.service()).toMatchObject({ status: 'uncertain', detail: held.reason });
    await inTransaction(deps.db, (trx) => releaseHeldBy(trx, 'message-exchange', clock.now()));
    await runJobs();
    expect((await sent.service()).status).toBe('received');
    expect((await kept.service()).status).toBe('queued');
  });

  it('changes nothing while an answer is missing; keeps choices', async () => {
    const [one, two] = [await refer(), await refer()];
    await restore();
    const operator = await anOperator();
    const [first, second] = [(await one.service()).id, (await two.service()).id];
    const chosen = { [`message-${first}`]: 'arrived', 'all-backup': '', recorded: ['deaths', 'pages'] };
    const refused = await confirmCheck(operator, chosen);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Tick “agreements that people withdrew or changed”');
    expect(refused.text).not.toContain('Tick “deaths”');
    expect(refused.text).toMatch(/Choose what to do with \d+ messages? that waited when the backup was made/);
    const checked = refused.page.querySelectorAll('input[checked]').map((input) => input.getAttribute('id'));
    expect(checked).toEqual(
      expect.arrayContaining([`message-${first}-arrived`, 'recorded-deaths', 'recorded-pages']),
    );
    expect(checked.some((id) => id?.startsWith(`message-${second}`))).toBe(false);
    await runJobs();
    expect((await one.service()).status).toBe('queued');
    expect(await findRestoreCheck(deps.db)).toBeDefined();
    await confirmCheck(operator);
    await runJobs();
  });

  it('needs each lost record ticked, even where no message waits', async () => {
    await restore();
    const operator = await anOperator();
    for (const left of everythingRecorded) {
      const recorded = everythingRecorded.filter((each) => each !== left);
      expect((await confirmCheck(operator, { recorded })).status, left).toBe(422);
    }
    expect((await confirmCheck(operator)).status).toBe(303);
  });

  it('takes an answer for all only for as many as the page said', async () => {
    await refer();
    await restore();
    const operator = await anOperator();
    const { page } = await operator.open(path);
    const count = Number(page.querySelector('input[name=count-backup]')!.getAttribute('value'));
    const refused = await confirmCheck(operator, { 'count-backup': String(count - 1) });
    expect(refused.text).toContain('1 of them came after you opened this page');
    // What was made meanwhile was never sent before, and goes.
    const meanwhile = async () => {
      clock.moveOn(1000);
      await refer();
      await runJobs();
    };
    const after = await confirmCheck(operator, {}, meanwhile);
    expect(after.status).toBe(303);
    await runJobs();
  });

  it('rejects no referral by itself before it was checked', async () => {
    const { id } = await refer();
    await restore();
    const remind = jobHandlers(deps)['remind-overdue'] as () => Promise<void>;
    const status = async () => (await findReferral(deps.db, id))!.status;
    clock.moveOn(60 * 86_400_000);
    await remind();
    expect(await status()).toBe('requested');
    const later = await signedInBrowser(site, { role: 'operator' });
    await confirmCheck(later);
    // The service is warned first.
    await remind();
    expect(await status()).toBe('requested');
    clock.moveOn(8 * 86_400_000);
    await remind();
    expect(await status()).toBe('rejected');
  });
});
