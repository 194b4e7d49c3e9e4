import { describe, expect, it } from 'vitest';
import { disableAccount } from '../../../test/accounts/stored.ts';
import { anAccount, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { setServiceAddress } from '../../../test/delivery/receivers.ts';
import { listAsFailed } from '../../../test/delivery/worklist.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { attachPdf } from '../../../test/referrals/attach-pdf.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { sendDigests, storeDigestsAndSplit } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { setOwner } from '../casework/casework-store.ts';
import { sendNotifications } from './send-notifications.ts';
import { digestRules } from './still-true.ts';

const fixture = await referralLifeFixture();
const { site, place, elsewhere, referrer, colleague, provider, operator } = fixture;
const { call, get, post, later, aPerson, makeReferral, reason, deliveriesOf } = fixture;

/** The subjects of the emails about a referral that somebody got so far, the oldest first. */
async function told({ email }: { email: string }, about: { reference: string }): Promise<string[]> {
  await sendNotifications(site.deps);
  const mails = await mailsTo(site, email);
  return mails
    .filter(({ text }) => text.includes(about.reference))
    .map(({ subject }) => subject.replace(' – Onward test site', ''))
    .reverse();
}

async function choose(who: { email: string }, choices: Record<string, string>) {
  const browser = plainBrowser(site.app);
  await browser.signIn(who.email);
  return browser.post('/account/emails', choices);
}

/** The referral's letter to its service could not be delivered. */
async function fail({ id }: { id: string }): Promise<void> {
  const [delivery] = await deliveriesOf(id);
  await listAsFailed(site.deps, delivery.id);
}

const changed = async (id: string, action: string, who = provider, body: object = {}) => {
  const { version } = (await get(who, `/${id}`)).body;
  const answer = await post(who, `/${id}/${action}`, body, version);
  expect(answer.status).toBe(200);
};

describe('news of a referral', () => {
  it('reach the other side by kind, with only reference and link', async () => {
    const made = await makeReferral();
    const { id, reference } = made;
    expect(await told(provider, made)).toEqual([`You have a new referral: ${reference}`]);
    await changed(id, 'accept');
    expect(await told(referrer, made)).toEqual([`A referral you made has been answered: ${reference}`]);
    await post(referrer, `/${id}/messages`, { text: 'She prefers mornings.' });
    await post(referrer, `/${id}/messages`, { text: 'And no dogs.' });
    expect((await told(provider, made)).slice(1)).toEqual([
      `You have a message about a referral: ${reference}`,
    ]);
    await changed(id, 'hold', provider, reason);
    await changed(id, 'cancel', referrer, { status_reason: { code: 'other', text: 'She moved.' } });
    expect((await told(referrer, made)).slice(1)).toEqual([
      `A referral you made has been answered: ${reference}`,
    ]);
    expect((await told(provider, made)).slice(2)).toEqual([
      `A referral to your service was cancelled: ${reference}`,
    ]);
    const [mail] = await mailsTo(site, provider.email);
    expect(mail!.text).toContain(`http://localhost:8080/referrals/${id}`);
    for (const { text, subject } of [
      ...(await mailsTo(site, provider.email)),
      ...(await mailsTo(site, referrer.email)),
    ])
      for (const detail of ['Margaret', 'Person', 'mornings', place.serviceName, place.organizationName])
        expect(subject + text).not.toContain(detail);
    expect(await told(colleague, made)).toEqual([]);
  });

  it('is one email about several referrals at once', async () => {
    await sendNotifications(site.deps);
    const before = (await mailsTo(site, provider.email)).length;
    const made = [await makeReferral(), await makeReferral(), await makeReferral()];
    await Promise.all([sendNotifications(site.deps), sendNotifications(site.deps)]);
    await sendNotifications(site.deps);
    const mails = await mailsTo(site, provider.email);
    expect(mails.length - before).toBe(1);
    expect(mails[0]!.subject).toBe('You have 3 new referrals – Onward test site');
    for (const { reference } of made) expect(mails[0]!.text).toContain(reference);
  });

  it('names the urgent ones first, and says how many there are', async () => {
    const made = [await makeReferral()];
    for (const urgency of ['urgent', 'routine']) {
      await later(1000);
      made.push(await makeReferral({ urgency }));
    }
    await sendNotifications(site.deps);
    for (const { id } of made) await changed(id, 'accept');
    await sendNotifications(site.deps);
    const [mail] = await mailsTo(site, referrer.email);
    expect(mail!.subject).toBe('3 referrals you made have been answered (1 urgent) – Onward test site');
    expect(mail!.text).toContain('3 referrals you made have been answered (1 urgent).\n');
    const [first, urgent, last] = made.map(({ id, reference }) => ({ id, reference }));
    const line = ({ id }: { id: string }) => `: http://localhost:8080/referrals/${id}`;
    expect(mail!.text).toContain(
      `${urgent!.reference} (urgent)${line(urgent!)}\n${first!.reference}${line(first!)}\n${last!.reference}${line(last!)}`,
    );
  });

  it('says that a declined one is urgent, unless the person died', async () => {
    const [declined, died] = [
      await makeReferral({ urgency: 'urgent' }),
      await makeReferral({ urgency: 'urgent' }),
    ];
    await changed(declined.id, 'reject', provider, reason);
    expect(await told(referrer, declined)).toEqual([
      `Urgent: a referral you made has been answered: ${declined.reference}`,
    ]);
    await post(colleague, `/${died.id}/died`, { told_by: 'Her daughter' });
    await post(colleague, `/${died.id}/died/confirm`);
    expect(await told(referrer, died)).toContain(`A referral you made has ended: ${died.reference}`);
  });

  it('says that it is urgent, in an email of its own', async () => {
    const urgent = (await post(referrer, '', { ...aPerson(), urgency: 'urgent' })).body;
    const routine = (await post(referrer, '', aPerson())).body;
    expect(await told(provider, urgent)).toEqual([`Urgent: you have a new referral: ${urgent.reference}`]);
    expect(await told(provider, routine)).toEqual([`You have a new referral: ${routine.reference}`]);
  });

  it('tells of a decline, a completion and a death', async () => {
    const declined = await makeReferral();
    await changed(declined.id, 'reject', provider, reason);
    expect(await told(referrer, declined)).toEqual([
      `A referral you made has been answered: ${declined.reference}`,
    ]);
    const died = await makeReferral();
    await sendNotifications(site.deps);
    await post(referrer, `/${died.id}/died`, { told_by: 'Her daughter' }, 1);
    expect(await told(provider, died)).toEqual([
      `You have a new referral: ${died.reference}`,
      `Do not contact a person before you have read this: ${died.reference}`,
    ]);
    await post(referrer, `/${died.id}/died/undo`, {});
    expect((await told(provider, died)).at(-1)).toBe(`A referral goes on: ${died.reference}`);
  });

  it('reach its maker if a colleague changes or ends it', async () => {
    const made = await makeReferral();
    const { id, reference } = made;
    await changed(id, 'agreement-changed', colleague, { share_with_gp: false });
    await changed(id, 'agreement-changed', colleague, { referral: false });
    // One run of the job writes both emails, so their order may vary.
    expect((await told(referrer, made)).toSorted()).toEqual([
      `A referral you made has ended: ${reference}`,
      `Details of a referral were changed: ${reference}`,
    ]);
    const ended = (await mailsTo(site, referrer.email)).find(({ text }) => text.includes('has ended'));
    expect(ended!.text).toContain('by the link in an email, you can check it for 24 hours');
    expect(await told(colleague, made)).toEqual([]);
    const died = await makeReferral();
    await post(colleague, `/${died.id}/died`, { told_by: 'Her daughter' });
    expect(await told(referrer, died)).toHaveLength(1);
    await post(colleague, `/${died.id}/died/confirm`);
    expect(await told(referrer, died)).toHaveLength(2);
  });

  it('reach the colleagues of a referrer who has left', async () => {
    const gone = await aTokenHolder(site.deps, { organisation: { name: 'Infirmary Lane Surgery' } });
    const { body: made } = await post(gone, '', aPerson());
    await disableAccount(site.deps.db, gone.id);
    await changed(made.id, 'accept');
    expect(await told(referrer, made)).toHaveLength(1);
    expect(await told(colleague, made)).toHaveLength(1);
    expect(await told(gone, made)).toEqual([]);
  });

  it('reach a service without accounts at its referral address', async () => {
    const { serviceId } = elsewhere;
    const email = 'referrals@elsewhere.example.org';
    await setServiceAddress(site.deps.db, { serviceId, channel: 'answer_email', address: email });
    const { body: made } = await post(referrer, '', aPerson(serviceId));
    expect(await told({ email }, made)).toEqual([`You have a new referral: ${made.reference}`]);
  });

  it('tells a service without accounts that a referral was erased', async () => {
    const bare = await aService(site.deps);
    const email = 'desk@bare.example.org';
    await setServiceAddress(site.deps.db, { serviceId: bare.serviceId, channel: 'email', address: email });
    const { body: made } = await post(referrer, '', aPerson(bare.serviceId));
    await changed(made.id, 'cancel', referrer, { status_reason: { code: 'other', text: 'Not wanted.' } });
    const told = { who_was_told: 'The manager of the desk', when: site.clock.now().toISOString() };
    const why = { ground: 'consent-withdrawn', reason: 'The person asked for it by letter.', told };
    expect((await post(operator, `/${made.id}/erase`, why)).status).toBe(200);
    await sendNotifications(site.deps);
    const mail = (await mailsTo(site, email)).find(({ subject }) => subject.includes('erased'))!;
    expect(mail.text).toContain(made.reference);
  });

  it('tells a service without accounts of danger, and whom to ring', async () => {
    const bare = await aService(site.deps);
    const email = 'crisis@elsewhere.example.org';
    await setServiceAddress(site.deps.db, { serviceId: bare.serviceId, channel: 'email', address: email });
    const inDanger = 'She says she will kill herself tonight.';
    const messageOf = async (text: string) => {
      const { body } = await post(referrer, '', aPerson(bare.serviceId));
      await post(referrer, `/${body.id}/messages`, { text });
      return body;
    };
    const fileOf = async (name: string) => {
      const { body } = await post(referrer, '', aPerson(bare.serviceId));
      await attachPdf(site, referrer, body.id, name);
      return body;
    };
    for (const made of [await messageOf(inDanger), await fileOf('she will kill herself tonight')]) {
      await sendNotifications(site.deps);
      const mail = (await mailsTo(site, email)).find(
        ({ subject, text }) => subject.startsWith('Urgent') && text.includes(made.reference),
      )!;
      expect(mail.text).toContain('Somebody may be in danger.');
      expect(mail.text).toContain('Ring the referrer on 01632 960001 now');
      expect(mail.text).toContain('If somebody is in danger now, call 999.');
      expect(mail.text).not.toMatch(/kill/);
    }
    for (const made of [await messageOf('She has moved house.'), await fileOf('letter')]) {
      await sendNotifications(site.deps);
      const mail = (await mailsTo(site, email)).find(({ text }) => text.includes(made.reference))!;
      expect(mail.text).not.toContain('999');
    }
  });

  it('tells the referrer and the owning operator what failed', async () => {
    const made = await makeReferral();
    await fail(made);
    await fail(made);
    expect(await told(referrer, made)).toEqual([
      `A message about a referral you made could not be delivered: ${made.reference}`,
    ]);
    expect(await told(operator, made)).toEqual([
      `A message about a referral needs action: ${made.reference}`,
    ]);
  });
});

describe('an end that is taken back', () => {
  const confirmed = async (made: { id: string }) => {
    await post(referrer, `/${made.id}/died`, { told_by: 'Her daughter' });
    await post(provider, `/${made.id}/died/confirm`, {});
  };

  it('is left out if nobody was told; both hear that it is open', async () => {
    const made = await makeReferral();
    await told(provider, made);
    await post(colleague, `/${made.id}/died`, { told_by: 'Her daughter' });
    await post(colleague, `/${made.id}/died/confirm`, {});
    await post(colleague, `/${made.id}/died/undo`, {});
    const open = `A referral is open again: ${made.reference}`;
    expect((await told(provider, made)).slice(1)).toEqual([open]);
    expect(await told(referrer, made)).toEqual([open]);
    const mails = await mailsTo(site, provider.email);
    expect(mails.find(({ subject }) => subject.startsWith(open))!.text).toContain(
      'Contact the person as before.',
    );
  });

  it('is told to both in its own words if both heard of the end', async () => {
    const made = await makeReferral({ urgency: 'urgent' });
    await confirmed(made);
    expect(await told(referrer, made)).toContain(`A referral you made has ended: ${made.reference}`);
    await post(colleague, `/${made.id}/died/undo`, {});
    const open = `Urgent: a referral is open again: ${made.reference}`;
    expect((await told(referrer, made)).at(-1)).toBe(open);
    expect((await told(provider, made)).at(-1)).toBe(open);
  });

  it('is not in the email of the next morning', async () => {
    await choose(referrer, { ended: 'daily', reopened: 'daily' });
    const [undone, holds] = [await makeReferral(), await makeReferral()];
    await confirmed(undone);
    await confirmed(holds);
    await sendNotifications(site.deps);
    await post(colleague, `/${undone.id}/died/undo`, {});
    await sendNotifications(site.deps);
    await sendDigests(site.deps, digestRules);
    const [digest] = await mailsTo(site, referrer.email);
    expect(digest!.text).toContain(`A referral you made has ended:\n${holds.reference}`);
    expect(digest!.text).toContain(`A referral is open again:\n${undone.reference}`);
    await choose(referrer, {});
  });

  it('is not called open if it ends again before the email leaves', async () => {
    const made = await makeReferral();
    await confirmed(made);
    await told(referrer, made);
    await post(colleague, `/${made.id}/died/undo`, {});
    await post(colleague, `/${made.id}/died`, { told_by: 'The hospital' });
    expect((await told(referrer, made)).join()).not.toContain('open again');
    expect((await told(provider, made)).join()).not.toContain('open again');
  });
});

describe('somebody who chose', () => {
  it('no emails of a kind gets none; once a day has all of a day', async () => {
    expect((await choose(provider, { 'new-referral': 'off', message: 'daily' })).statusCode).toBe(303);
    const [made, another] = [await makeReferral(), await makeReferral({ urgency: 'urgent' })];
    await post(referrer, `/${made.id}/messages`, { text: 'A question.' });
    await post(referrer, `/${made.id}/messages`, { text: 'Another.' });
    await post(referrer, `/${another.id}/messages`, { text: 'A third.' });
    expect(await told(provider, made)).toEqual([]);
    await sendDigests(site.deps, digestRules);
    await sendDigests(site.deps, digestRules);
    expect(await told(provider, made)).toEqual(['News of 2 referrals since yesterday (1 urgent)']);
    const [mail] = await mailsTo(site, provider.email);
    const first = `http://localhost:8080/referrals/${another.id}`;
    expect(mail!.text).toContain(
      `You have messages about 2 referrals (1 urgent):\n${another.reference} (urgent): ${first}\n${made.reference}: `,
    );
    await choose(provider, {});
  });

  it('no new referrals gets urgent ones if no colleague does', async () => {
    await choose(provider, { 'new-referral': 'off' });
    const [routine, urgent] = [await makeReferral(), await makeReferral({ urgency: 'urgent' })];
    expect(await told(provider, routine)).toEqual([]);
    expect(await told(provider, urgent)).toEqual([`Urgent: you have a new referral: ${urgent.reference}`]);
    await choose(provider, {});
  });

  it('once a day gets an email a day, even after very much news', async () => {
    await choose(referrer, { message: 'daily' });
    const made = await makeReferral();
    const referrals = Array.from({ length: 17_000 }, () => ({ ...made, isUrgent: false }));
    const news = { kind: 'message', people: [referrer], referrals } as const;
    await inTransaction(site.deps.db, (trx) => storeDigestsAndSplit(trx, site.deps, [news]));
    await sendDigests(site.deps, digestRules);
    const [mail] = await mailsTo(site, referrer.email);
    expect(mail!.text).toContain(made.reference);
    await choose(referrer, {});
  });

  it('fewer emails is told at once if a referral becomes urgent', async () => {
    await choose(provider, { 'new-referral': 'off', changed: 'daily', 'became-urgent': 'daily' });
    await choose(referrer, { changed: 'off', 'became-urgent': 'off' });
    const news = (made: { reference: string }) => [`A referral has become urgent: ${made.reference}`];
    const [worse, corrected, seenByService] = [
      await makeReferral(),
      await makeReferral(),
      await makeReferral(),
    ];
    for (const made of [worse, corrected, seenByService]) expect(await told(provider, made)).toEqual([]);
    const urgent = { text: 'She is worse.', urgency: 'urgent' };
    await post(referrer, `/${worse.id}/things-have-changed`, urgent);
    expect(await told(provider, worse)).toEqual(news(worse));
    await call(referrer, 'PATCH', `/${corrected.id}`, { body: { urgency: 'urgent' }, version: 1 });
    expect(await told(provider, corrected)).toEqual(news(corrected));
    await post(provider, `/${seenByService.id}/things-have-changed`, urgent);
    expect(await told(referrer, seenByService)).toEqual(news(seenByService));
    const [mail] = await mailsTo(site, provider.email);
    expect(mail!.text).not.toContain('/account/emails');
    await post(referrer, `/${worse.id}/things-have-changed`, { text: 'She is better.' });
    expect(await told(provider, worse)).toEqual(news(worse));
    await choose(provider, {});
    await choose(referrer, {});
  });

  it('fewer emails is told of a crisis at once, as “Urgent”', async () => {
    for (const who of [provider, referrer])
      await choose(who, { message: 'off', changed: 'off', declined: 'off', 'new-referral': 'off' });
    const text = 'She says that she wants to die.';
    const urgent = (what: string, { reference }: { reference: string }) => [`Urgent: ${what}: ${reference}`];
    const ofMessage = (made: { reference: string }) =>
      urgent('a message about a referral needs you today', made);
    const ofNews = (made: { reference: string }) => urgent('news about a referral needs you today', made);
    const [asked, answered, changed, logged, declined] = [
      await makeReferral(),
      await makeReferral(),
      await makeReferral(),
      await makeReferral(),
      await makeReferral(),
    ];
    await post(referrer, `/${asked.id}/messages`, { text });
    expect(await told(provider, asked)).toEqual(ofMessage(asked));
    await post(provider, `/${answered.id}/messages`, { text });
    expect(await told(referrer, answered)).toEqual(ofMessage(answered));
    await post(referrer, `/${changed.id}/things-have-changed`, { text });
    expect(await told(provider, changed)).toEqual(ofNews(changed));
    await post(provider, `/${logged.id}/accept`, {}, 1);
    const before = await told(referrer, logged);
    await post(provider, `/${logged.id}/contacts`, { kind: 'telephone', reached: true, note: text });
    const [mail] = (await told(referrer, logged)).slice(before.length);
    expect(mail).toContain('Urgent: news about a referral needs you today');
    await post(provider, `/${declined.id}/reject`, { status_reason: { code: 'other', text } }, 1);
    expect(await told(referrer, declined)).toEqual(ofNews(declined));
    await post(referrer, `/${asked.id}/messages`, { text: 'She prefers mornings.' });
    expect(await told(provider, asked)).toHaveLength(1);
    for (const who of [provider, referrer]) await choose(who, {});
  });

  it('cannot be the last to switch off what somebody must know', async () => {
    const alone = await anAccount(site.deps, { role: 'provider' });
    const refused = await choose(alone, { overdue: 'off' });
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('Somebody in your organisation must get these emails');
    expect((await choose(alone, { message: 'off' })).statusCode).toBe(303);
  });

  it('no emails of a kind still has urgent ones a colleague gets', async () => {
    expect((await choose(referrer, { undelivered: 'off' })).statusCode).toBe(303);
    expect((await choose(colleague, { undelivered: 'off' })).statusCode).toBe(422);
    const [routine, urgent] = [await makeReferral(), await makeReferral({ urgency: 'urgent' })];
    await fail(routine);
    expect(await told(referrer, routine)).toEqual([]);
    await fail(urgent);
    expect(await told(referrer, urgent)).toHaveLength(1);
    await choose(referrer, {});
  });

  it('sees the choice again on the page', async () => {
    await choose(referrer, { declined: 'daily' });
    const browser = plainBrowser(site.app);
    await browser.signIn(referrer.email);
    const page = (await browser.get('/account/emails')).body;
    expect(page).toMatch(/name="declined"[\s\S]*?<option value="daily" selected>/);
    expect(page).not.toContain('name="new-referral"');
  });
});

describe('a colleague who opens a referral to a sensitive service', () => {
  const why = 'She rang, and Rashid is on leave.';

  it('is told to referrer and owner once a day, not which service', async () => {
    const refuge = await aService(site.deps, { serviceName: 'Safe Haven' });
    await markSensitive(site.deps.db, refuge.serviceId);
    const owner = await aTokenHolder(site.deps, {
      organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
    });
    const made = (await post(referrer, '', aPerson(refuge.serviceId))).body;
    const subject = `A colleague gave a reason and opened a referral you made: ${made.reference}`;
    await inTransaction(site.deps.db, (trx) => setOwner(trx, made.id, 'referrer', owner.id));
    const open = async (who: typeof referrer) =>
      (await post(who, `/${made.id}/open`, { reason: why })).status;
    expect([await open(colleague), await open(colleague)]).toEqual([200, 403]);
    expect(await told(referrer, made)).toEqual([subject]);
    expect(await told(owner, made)).toEqual([subject]);
    const [mail] = await mailsTo(site, referrer.email);
    for (const hidden of ['Safe Haven', 'Person', refuge.organizationName, why, 'restricted'])
      expect(mail!.text).not.toContain(hidden);
    // An operator may be looking into what somebody there did.
    expect(await open(operator)).toBe(200);
    expect(await told(referrer, made)).toEqual([subject]);
    expect(await told(colleague, made)).toEqual([]);
  });
});
