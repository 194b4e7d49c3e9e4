import { describe, expect, it } from 'vitest';
import { takeJobs } from '../../../../test/app/jobs.ts';
import { dumpDatabase } from '../../../../test/app/secret-watch.ts';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { readSteadily } from '../../../../test/database/locks.ts';
import { fileOfTable } from '../../../../test/database/stored.ts';
import { recordsFixture } from '../../../../test/records/fixture.ts';
import {
  backdateEnd,
  rewriteHistory,
  setReferralStatus,
  storedReferral,
} from '../../../../test/referrals/stored.ts';
import { storedFacts } from '../../../../test/reports/stored.ts';
import { eraseByRule, vacuumErased } from '../../index.ts';

const {
  site,
  place,
  referrer,
  provider,
  operator,
  browser,
  referrerBrowser,
  call,
  get,
  post,
  asSeen,
  why,
  aCompletedReferral,
  makeReferral,
} = await recordsFixture({ ONWARD_RETENTION_YEARS: '8' });

describe('a referral that is erased', () => {
  it('takes along its person’s drafts, and nobody else’s', async () => {
    const { id, patient } = await aCompletedReferral();
    const draftOf = async (given: object) =>
      (await post(referrer, '', { status: 'draft', patient: { ...patient, ...given } })).body.id;
    const draft = await draftOf({});
    const ofAnother = await draftOf({ family_name: 'Someone-Else', birth_date: '1990-01-01' });
    const twin = await draftOf({ given_name: 'Twinette' });
    expect((await post(operator, `/${id}/erase`, { ...why, ground: 'unlawful' })).status).toBe(200);
    const isErased = async (each: string) => (await storedReferral(site.deps.db, each)).erased_at !== null;
    expect([await isErased(draft), await isErased(ofAnother), await isErased(twin)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('leaves reports nothing if it should not have been recorded', async () => {
    const keptAfter = async (ground: string) => {
      const { id } = await aCompletedReferral();
      expect((await post(operator, `/${id}/erase`, { ...why, ground })).status).toBe(200);
      return (await storedFacts(site.deps.db, id)).map((facts) => facts.kept_until_published);
    };
    expect(await keptAfter('consent-withdrawn')).toEqual([true]);
    expect(await keptAfter('unlawful')).toEqual([]);
  });

  it('is in no table, and the history of its statuses is left', async () => {
    const { id, values, mark, patient, said } = await aCompletedReferral();
    await post(operator, `/${id}/open`, { reason: `Because of ${mark}, who rang.` });
    await post(operator, `/${id}/restrict`, why);
    await post(operator, `/${id}/unrestrict`, why);
    expect((await tracesOf(values)).length).toBeGreaterThan(values.length);
    const refused = await browser.send(`/operator/patients/referrals/${id}/erase`, {
      reason: `Asked for by ${patient.family_name}`,
      ground: 'unlawful',
    });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('must not name the person'),
    ]);
    const groundless = await browser.send(`/operator/patients/referrals/${id}/erase`, why);
    expect([groundless.status, groundless.text]).toEqual([
      422,
      expect.stringContaining('Select why it may be erased'),
    ]);
    expect(groundless.text, 'words to send instead').toContain('article 17(3)(c)');
    const form = { ...why, ground: 'unlawful' };
    const done = await browser.send(`/operator/patients/referrals/${id}/erase`, form);
    expect(done.location).toBe(`/operator/patients/referrals/${id}?done=erased`);

    expect(await tracesOf(values)).toEqual([]);
    expect(await storedReferral(site.deps.db, id)).toMatchObject({
      patient_name_key: null,
      patient_number_key: null,
      patient_family_key: null,
      practice_name: null,
    });
    expect((await storedReferral(site.deps.db, id)).content).toEqual({});
    const { body } = await get(referrer, `/${id}`);
    expect(body).toMatchObject({ status: 'completed', service_id: place.serviceId, deliveries: [] });
    expect([body.erased_at === null, body.patient, body.outcome]).toEqual([false, undefined, undefined]);
    const history = (await get(provider, `/${id}/history`)).body.items;
    expect(history.map((line: any) => [line.to, line.reason])).toEqual(
      ['requested', 'accepted', 'on-hold', 'completed'].map((status) => [status, null]),
    );
    for (const path of ['messages', 'attachments'])
      expect((await get(referrer, `/${id}/${path}`)).body.type).toContain('referral-erased');
    for (const action of ['erase', 'restrict', 'open']) {
      const asked = action === 'erase' ? { ...why, ground: 'not-needed' } : why;
      expect((await post(operator, `/${id}/${action}`, asked)).status, action).toBe(409);
    }
    for (const who of [referrerBrowser, browser])
      expect((await who.open(`/referrals/${id}`)).text).toContain('was erased on');
    expect((await browser.open(done.location!)).text).toContain('What it said was erased on');
    // A client that did not get the answer may repeat the request. That must not make the referral again.
    const again = await post(referrer, '', said, { 'idempotency-key': mark });
    expect([again.status, again.body.type]).toEqual([409, expect.stringContaining('referral-erased')]);
    expect(await tracesOf(values)).toEqual([]);
    const gone = await call(operator, 'POST', '/api/patients/export', {
      body: { nhs_number: patient.nhs_number, ...why },
    });
    expect(gone.body.referrals).toEqual([]);
    const [entry] = await storedEntries(site.deps.db, { action: 'referral.erased', subjectId: id });
    expect([entry!.details, entry!.actor_name]).toEqual([form, 'Olive Operator']);
    await expect(rewriteHistory(site.deps.db, id)).rejects.toThrow('append-only');
  });

  it('says who erased it, when and why, and offers nothing', async () => {
    const { id } = await aCompletedReferral();
    const reason = 'Asked by letter 12.';
    await post(operator, `/${id}/erase`, { reason, ground: 'unlawful' });
    const { page, text } = await browser.open(`/referrals/${id}`);
    expect(text).toMatch(/was erased on .+ by Olga Operator\./);
    expect(text).toContain('Why it was erased: It should never have been recorded. Asked by letter 12.');
    expect(page.querySelector('main details.onward-case-more')).toBeNull();
    const record = await browser.open(`/operator/patients/referrals/${id}`);
    expect(record.text).toContain(
      'Why it was erased: It should never have been recorded. Asked by letter 12.',
    );
    // The two sides read the ground, and not what the operator wrote.
    const ofSide = await referrerBrowser.open(`/referrals/${id}`);
    expect(ofSide.text).toContain('by the operators of this site');
    expect(ofSide.text).toContain('Why it was erased: It should never have been recorded.');
    expect(ofSide.text).not.toMatch(/letter 12|Olga/);
    expect(ofSide.page.querySelector('main form')).toBeNull();
  });

  it('has nothing to do for its referrer, also if it was declined', async () => {
    const { id } = await makeReferral();
    await post(
      provider,
      `/${id}/reject`,
      { status_reason: { code: 'no-capacity', text: 'Full.' } },
      asSeen(1),
    );
    const form = { ...why, ground: 'unlawful' };
    expect((await post(operator, `/${id}/erase`, form)).body).toMatchObject({ status: 'rejected' });
    const { page } = await referrerBrowser.open(`/referrals/${id}`);
    expect(page.querySelector('.onward-turn')!.text).toBe('Erased. Nothing to do.');
    const list = (await referrerBrowser.open('/referrals')).page;
    const row = list.querySelector(`a[href^="/referrals/${id}"]`)!.closest('tr')!;
    expect(row.text).toContain('Erased. Nothing to do');
    expect(row.text).not.toContain('Find another service');
  });

  it('has ended: an open one is refused', async () => {
    const { id } = await makeReferral();
    const groundless = await post(operator, `/${id}/erase`, why);
    expect([groundless.status, groundless.body.errors[0].pointer]).toEqual([422, '/ground']);
    expect((await post(operator, `/${id}/erase`, { ...why, ground: 'not-needed' })).body.type).toContain(
      'wrong-state',
    );
    const page = await browser.open(`/operator/patients/referrals/${id}`);
    expect(page.text).toContain('Somebody has still to act on this referral');
  });

  it('is erased automatically long after its end, a child’s later', async () => {
    const ended = async (
      ago: string,
      birthDate = '1950-01-01',
      status: 'draft' | 'accepted' | 'completed' = 'completed',
    ) => {
      const { id, values, reference } = await makeReferral();
      await backdateEnd(site.deps.db, id, ago, { status, birthDate, now: site.clock.now() });
      return { id, values, reference };
    };
    const year = site.clock.now().getUTCFullYear();
    const old = await ended('8 years 1 day');
    const oldDraft = await ended('9 years', '1950-01-01', 'draft');
    const grownUp = await ended('10 years', `${year - 27}-01-01`);
    const kept = [
      await ended('7 years 364 days'),
      await ended('9 years', '1950-01-01', 'accepted'),
      // Sixteen when it ended, and not yet 25; seventeen, and not yet 26.
      await ended('8 years 6 months', `${year - 25}-12-31`),
      await ended('8 years 1 month', `${year - 26}-12-31`),
    ];
    const restricted = await ended('9 years');
    await post(operator, `/${restricted.id}/restrict`, why);
    const preview = await browser.open('/operator/patients/erasure');
    expect(preview.text).toContain('Next night: 3 referrals');
    for (const { reference } of [old, oldDraft, grownUp]) expect(preview.text).toContain(reference);

    await Promise.all([eraseByRule(site.deps), eraseByRule(site.deps)]);
    await eraseByRule(site.deps);
    expect(await tracesOf([old, oldDraft, grownUp].flatMap(({ values }) => values))).toEqual([]);
    for (const { values } of [...kept, restricted]) expect(await tracesOf(values)).not.toEqual([]);
    const entries = await storedEntries(site.deps.db, { action: 'referral.erased', actorName: 'the site' });
    const erased = [old, oldDraft, grownUp].map(({ id }) => [id, { after_years: 8 }]);
    expect(entries.map(({ subject_id, details }) => [subject_id, details]).sort()).toEqual(erased.sort());
    const byRule = (await browser.open(`/referrals/${old.id}`)).text;
    expect(byRule).toContain('by this site');
    expect(byRule).toContain('Why it was erased: The time for which it had to be kept is over.');
    expect((await browser.open('/operator/patients/erasure')).text).toContain('Nothing is old enough');
  });

  it('is erased although another cannot be, and the log says so', async () => {
    const [stuck, other] = [await makeReferral(), await makeReferral()];
    const end = { status: 'rejected', now: site.clock.now() } as const;
    await backdateEnd(site.deps.db, stuck.id, '9 years 1 day', end);
    await backdateEnd(site.deps.db, other.id, '9 years', end);
    const { roomsAbove } = site.deps;
    const failing: typeof roomsAbove = {
      ...roomsAbove,
      async onRecordChange(trx, change) {
        if (change.referral.id === stuck.id) throw new Error('it cannot be told');
        await roomsAbove.onRecordChange(trx, change);
      },
    };
    await expect(eraseByRule({ ...site.deps, roomsAbove: failing })).rejects.toThrow('1 could not be erased');
    expect(await tracesOf(other.values)).toEqual([]);
    expect(site.logLines.join('')).toContain(`"id":"${stuck.id}"`);
    await eraseByRule(site.deps);
    expect(await tracesOf(stuck.values)).toEqual([]);
  });
});

describe('the file of a table', () => {
  it('has no word of an erased person after the job', async () => {
    const made: Awaited<ReturnType<typeof makeReferral>>[] = [];
    for (let n = 0; n < 12; n++) made.push(await makeReferral());
    const inFile = async () => {
      const file = await fileOfTable(site.database, 'referrals');
      return made.filter(({ patient }) => file.includes(patient.family_name)).length;
    };
    expect(await inFile()).toBe(12);
    for (const { id } of made) await setReferralStatus(site.deps.db, id, 'completed');
    for (const { id } of made) expect((await eraseThough(id)).status).toBe(200);
    expect(await inFile()).toBeGreaterThan(0);
    expect(await takeJobs(site.deps.pool, { name: 'vacuum-erased' })).toHaveLength(1);
    // While a backup reads, VACUUM would keep what the backup may still see.
    const endReading = await readSteadily(site.deps.pool, 'referrals');
    await setReferralStatus(site.deps.db, made[0]!.id, 'completed');
    await vacuumErased(site.deps, 0);
    expect(await takeJobs(site.deps.pool, { name: 'vacuum-erased' })).toHaveLength(1);
    await endReading();
    await expect.poll(() => afterJob(inFile)).toBe(0);
  });

  it.each([
    ['referral_deaths' as const, 'died', (words: string) => ({ told_by: words })],
    [
      'referral_changes' as const,
      'things-have-changed',
      (words: string) => ({ text: words, urgency: 'routine' }),
    ],
  ])('has no word of what was told of them after the job (%s)', async (table, path, told) => {
    const { id } = await makeReferral();
    const words = `Her neighbour Quillon ${id}`;
    expect((await post(referrer, `/${id}/${path}`, told(words))).status).toBeLessThan(300);
    await setReferralStatus(site.deps.db, id, 'completed');
    const isInFile = async () => (await fileOfTable(site.database, table)).includes(words);
    expect(await isInFile()).toBe(true);
    expect((await eraseThough(id)).status).toBe(200);
    expect(await isInFile()).toBe(true);
    await expect.poll(() => afterJob(isInFile)).toBe(false);
  });

  /** Although its letters wait, and nobody has read what was told of it. */
  function eraseThough(id: string) {
    const told = { who_was_told: 'The duty manager', when: site.clock.now().toISOString() };
    return post(operator, `/${id}/erase`, { ...why, ground: 'not-needed', told });
  }

  /** Polled: on a busy machine PostgreSQL’s own autovacuum launcher may still read as of before; no session can see that it does. */
  async function afterJob<T>(look: () => Promise<T>): Promise<T> {
    await vacuumErased(site.deps);
    return look();
  }
});

/** Where in the database something that was said of the person still stands. */
async function tracesOf(values: readonly string[]): Promise<string[]> {
  const text = await dumpDatabase(site.deps.db);
  const forms = values.flatMap((value) => [value, Buffer.from(value).toString('hex')]);
  return forms.filter((form) => text.includes(form));
}
