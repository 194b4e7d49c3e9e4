import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { renameOrganisation } from '../../../test/accounts/stored.ts';
import { aReferral, aService } from '../../../test/app/builders.ts';
import { letterDrawer } from '../../../test/delivery/test-site.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { makeReferralFixture } from '../../../test/people/referral-fixture.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { findReferral } from '../../referrals/index.ts';
import { storeNewAccessToken } from '../../tokens/index.ts';
import { applyReport } from '../follow-up/apply-report.ts';
import { lockDelivery } from '../follow-up/follow-up-store.ts';
import { recordAttempt, startAttempt } from '../model/attempts-store.ts';
import { findDelivery, listDeliveriesOf } from '../model/deliveries-store.ts';
import { referralForReceiver } from '../model/delivery.ts';
import { composeMessage } from './compose-message.ts';
import { deliver } from './deliver.ts';

const { act, completeAll, place, provider, referrer, site, submit } = await makeReferralFixture();
const { db } = site.deps;
afterAll(() => site.close());
beforeEach(() => completeAll());

const referred = '871731000000106';
const declined = '871711000000103';
const gp_practice = { ods_code: 'Z99001' };
const outcome = { code: 'goals-met', text: 'She joined the choir.' };
const action = {
  text: 'Check her blood pressure.',
  by_date: '2027-03-01',
  asked_by: 'Jo',
  patient_told: true,
};

async function made(given = {}): Promise<string> {
  const answer = await submit({ ...aReferral(place.serviceId), gp_practice, ...given });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().id;
}

/** The letters to the practice, each with the message around it; sent, as the worker does within a second. */
async function lettersOf(id: string) {
  const letters = (await listDeliveriesOf(db, id)).filter(
    // One that is suppressed from the start has no letter.
    ({ leg, status }) => leg === 'gp_practice' && status !== 'suppressed',
  );
  for (const each of letters)
    if (each.status === 'queued') await deliver(site.deps, { delivery_id: each.id });
  const referral = (await findReferral(db, id))!;
  return Promise.all(
    letters.map(async (each) => {
      const delivery = (await findDelivery(db, each.id))!;
      const message = composeMessage(
        { ...site.deps, letterDrawer },
        { ...delivery, contactElsewhere: [] },
        await referralForReceiver(db, delivery, referral),
      );
      return {
        ...message,
        text: message.text({ hasLetter: true }),
        words: JSON.stringify(message.writtenLetter().letter),
      };
    }),
  );
}

async function newestLetter(id: string) {
  return (await lettersOf(id)).at(-1)!;
}

async function confirm(deliveryId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const delivery = (await lockDelivery(trx, deliveryId))!;
    await applyReport(trx, delivery, { status: 'acknowledged', detail: '' }, site.clock.now());
  });
}

async function read(id: string) {
  return (await site.app.inject({ url: `/api/referrals/${id}`, headers: referrer.headers })).json();
}

describe('a message around a letter', () => {
  it('names neither the person nor the service', async () => {
    const { patient } = aReferral(place.serviceId);
    const id = await made({ urgency: 'urgent' });
    const read = async () => {
      const referral = (await findReferral(db, id))!;
      const messages = (await listDeliveriesOf(db, id)).map(async (each) => {
        const delivery = { ...(await findDelivery(db, each.id))!, contactElsewhere: [] };
        const message = composeMessage({ ...site.deps, letterDrawer }, delivery, referral);
        return `${message.subject} ${message.text({ hasLetter: true })}`;
      });
      return Promise.all(messages);
    };
    const sent = await read();
    await act(id, 'accept', {});
    await act(id, 'cancel', { status_reason: { code: 'moved-away', text: 'To her son.' } }, 2, referrer);
    const all = [...sent, ...(await read())];
    expect(all.length).toBeGreaterThan(3);
    const names = [patient.family_name, patient.given_name, place.serviceName, place.organizationName];
    for (const each of all) for (const name of names) expect(each).not.toContain(name);
  });
});

describe('the letters of an episode', () => {
  it('carry the code of the referral once', async () => {
    const id = await made();
    expect((await newestLetter(id)).code?.[0]).toBe(referred);
    await act(id, 'accept', {});
    await act(id, 'complete', { outcome, gp_actions: [] }, 2);
    const end = await newestLetter(id);
    expect(end.code).toBeUndefined();
    expect(end.words).not.toContain(`SNOMED CT ${referred}`);
    expect(end.words).toContain('The record should have the code from our letter 1');
    expect(end.words).toContain('If it is missing, add it once.');
    expect(end.words).toContain(`staff of the service, ${place.organizationName}`);
  });

  it('carry it once also when another service takes over', async () => {
    const id = await made();
    await lettersOf(id);
    await act(id, 'reject', { status_reason: { code: 'no-capacity', text: 'Full.' } });
    const again = await made({ reroutes: id });
    const letter = await newestLetter(again);
    expect(letter.code).toBeUndefined();
    const { reference } = await read(id);
    expect(letter.words, 'that brought it').toContain(`reference ${reference}, once: 871731000000106`);
    expect(letter.words).not.toContain(`reference ${letter.referral.reference}, asked`);
  });

  it('carry it at the end if the practice was not told before', async () => {
    const { consent } = aReferral(place.serviceId);
    const id = await made({ consent: { ...consent, share_with_gp: false } });
    const agreement = {
      method: 'POST',
      headers: referrer.headers,
      payload: { share_with_gp: true, said_by: { basis: 'person' } },
    } as const;
    await site.app.inject({ ...agreement, url: `/api/referrals/${id}/agreement-changed` });
    await act(id, 'accept', {}, 2);
    const codes = (await lettersOf(id)).map(({ code }) => code?.[0]);
    expect(codes.filter((each) => each === referred)).toHaveLength(1);
  });

  it('carry “declined” only where staff ticked it', async () => {
    const status_reason = { code: 'client-declined', text: 'She would rather not.' };
    const id = await made();
    await lettersOf(id);
    await act(id, 'reject', { status_reason });
    expect((await newestLetter(id)).words).not.toContain(declined);
    const ticked = await made();
    await lettersOf(ticked);
    await act(ticked, 'reject', { status_reason, declines_social_prescribing: true });
    const letter = await newestLetter(ticked);
    expect(letter.code?.[0]).toBe(declined);
    expect(letter.words).not.toContain(referred);
  });

  it('say since when the referral is as it is', async () => {
    const id = await made();
    await lettersOf(id);
    await act(id, 'accept', {});
    const accepted = site.clock.now();
    site.clock.moveOn(1000);
    expect(await correct(id, { urgency: 'urgent' }, 2)).toBe(200);
    const { words, deliveryId } = await newestLetter(id);
    expect(words).toContain(`accepted on ${dayInWords(accepted)}`);
    const { statusAt } = (await findDelivery(db, deliveryId))!.letterFacts!;
    expect(new Date(statusAt!), 'and not since the correction').toEqual(accepted);
  });

  it('say when it was accepted, also after a death was taken back', async () => {
    const id = await made();
    await lettersOf(id);
    await act(id, 'accept', {});
    const ofDeath = async (step: string, payload: object) => {
      const { version } = (await findReferral(db, id))!;
      expect((await act(id, step, payload, version, referrer)).statusCode).toBe(200);
    };
    const accepted = site.clock.now();
    site.clock.moveOn(1000);
    await ofDeath('died', { told_by: 'Her brother' });
    await ofDeath('died/confirm', {});
    expect((await newestLetter(id)).subject).toMatch(/^For action at once: outcome of referral/);
    site.clock.moveOn(1000);
    await ofDeath('died/undo', {});
    const { words, subject, deliveryId } = await newestLetter(id);
    expect(words).toContain('THE PATIENT IS ALIVE');
    expect(words).toMatch(/Letter 2, of .*, was wrong\./);
    expect(subject).toMatch(/^For action at once: updated copy of referral/);
    const { statusAt } = (await findDelivery(db, deliveryId))!.letterFacts!;
    expect(new Date(statusAt!)).toEqual(accepted);
  });

  const correct = async (id: string, payload: object, version = 1) =>
    (
      await site.app.inject({
        method: 'PATCH',
        url: `/api/referrals/${id}`,
        headers: { ...referrer.headers, 'if-match': `"${version}"` },
        payload,
      })
    ).statusCode;

  it.each([true, 'codes_only'])('ask to hide the earlier one once it must be hidden (%s)', async (share) => {
    const { consent } = aReferral(place.serviceId);
    const id = await made({ consent: { ...consent, share_with_gp: share } });
    await lettersOf(id);
    expect(await correct(id, { do_not_show_online: true })).toBe(200);
    const { words, forAction, text, subject } = await newestLetter(id);
    expect(subject, 'as the box says').toMatch(/^For action at once: /);
    expect(words).toContain('At once: hide this letter, our letter 1 and its code from the online record');
    expect(words).toContain('"hideOnline":true');
    expect([forAction, text.includes('There is something for the practice to do')]).toEqual([true, true]);
    // The one that was hidden from the start, and its own copy, need not be.
    const ofOne = { do_not_show_online: true, consent: { ...consent, share_with_gp: share } };
    const hidden = await made({ ...ofOne, allow_duplicate: true });
    await lettersOf(hidden);
    await act(hidden, 'accept', {});
    await act(hidden, 'complete', { outcome, gp_actions: [] }, 2);
    const outcomeOfHidden = await newestLetter(hidden);
    expect(outcomeOfHidden.subject).toMatch(/^For reception at once: outcome of referral/);
    expect(outcomeOfHidden.text).toContain('Reception has steps to take at once');
    expect(outcomeOfHidden.forAction).toBe(false);
  });

  it('are for the record where an update asks for nothing', async () => {
    const id = await made();
    await lettersOf(id);
    await correct(id, { goals: [{ text: 'To sing' }] });
    const { forAction, subject } = await newestLetter(id);
    expect([forAction, subject]).toEqual([
      false,
      expect.stringMatching(/^Updated: Copy of referral .* for the patient’s record$/),
    ]);
  });

  it('are for a clinician today if the referral became urgent', async () => {
    const id = await made();
    await lettersOf(id);
    await correct(id, { urgency: 'urgent' });
    const { forAction, subject, text } = await newestLetter(id);
    expect([forAction, subject]).toEqual([
      true,
      expect.stringMatching(/^For a clinician to see today: updated copy of referral/),
    ]);
    expect(text).toContain('A clinician should see the attached letter today: it says why at the top.');
  });

  it('name another referral of the day only if its letter is there', async () => {
    const { nhs_number: _, ...patient } = aReferral(place.serviceId).patient as Record<string, unknown>;
    const person = { ...patient, family_name: 'Twiceaday' };
    const first = await made({ patient: person });
    const [{ words: alone } = { words: '' }] = await lettersOf(first);
    site.clock.moveOn(60_000);
    const again = await made({ patient: person, allow_duplicate: true });
    const { reference } = await read(first);
    expect(alone).not.toContain('is about another referral');
    expect((await newestLetter(again)).words).toContain(
      `reference ${reference}: it is about another referral`,
    );
    const namesake = await made({ patient: { ...person, given_name: 'Other' } });
    expect((await newestLetter(namesake)).words).not.toContain('is about another referral');
  });

  it('name no referral that is sensitive or hidden online', async () => {
    const refuge = await aService(site.deps, { serviceName: 'Quiet house' });
    await markSensitive(db, refuge.serviceId);
    for (const [family_name, quiet] of [
      ['Quietday', { do_not_show_online: true }],
      ['Restrictedday', { service_id: refuge.serviceId }],
    ] as const) {
      const { nhs_number: _, ...known } = aReferral(place.serviceId).patient as Record<string, unknown>;
      const patient = { ...known, family_name };
      const first = await made({ patient, ...quiet });
      const { reference } = await read(first);
      expect(await lettersOf(first), family_name).toHaveLength(1);
      site.clock.moveOn(60_000);
      const { words } = await newestLetter(await made({ patient, allow_duplicate: true }));
      expect(words).not.toContain('is about another referral');
      expect(words).not.toContain(reference);
    }
  });

  it('are numbered, with a stopped one that may have arrived', async () => {
    const id = await made();
    const [copy] = (await listDeliveriesOf(db, id)).filter(({ leg }) => leg === 'gp_practice');
    await startAttempt(db, copy!.id, 'email', null, site.clock.now());
    const unclear = { outcome: 'uncertain', detail: 'Nothing was heard.', externalId: null } as const;
    await inTransaction(db, (trx) =>
      recordAttempt(
        trx,
        {
          deliveryId: copy!.id,
          number: 1,
          channel: 'email',
          at: site.clock.now(),
          followUpAt: null,
          ...unclear,
        },
        'uncertain',
      ),
    );
    site.clock.moveOn(60_000);
    expect(await correct(id, { urgency: 'urgent' })).toBe(200);
    expect((await listDeliveriesOf(db, id)).find((each) => each.id === copy!.id)!.status).toBe('suppressed');
    const { words, text } = await newestLetter(id);
    expect(words).toContain('Letter 2 to you about this referral. It replaces letter 1, of');
    expect(text).toContain(', letter 2 to you about this referral');
    await act(id, 'reject', { status_reason: { code: 'no-capacity', text: 'Full.' } }, 2);
    expect((await newestLetter(id)).words).toContain('Letter 3 to you about this referral. Letter 2, of');
  });

  it('ask to remove the earlier one after a mistake, with its date', async () => {
    const id = await made();
    await lettersOf(id);
    await act(id, 'withdraw-as-error', {}, 1, referrer);
    const { subject, text, words, code, forAction } = await newestLetter(id);
    expect([code, forAction]).toEqual([undefined, true]);
    expect(subject).toMatch(/^For action at once: remove referral/);
    expect(text).toContain('sent by mistake');
    expect(words).toMatch(
      /REMOVE FROM RECORD.*our letter 1, headed “Copy of a referral[^”]*”, of \d+ \w+ \d{4} at \d+:\d+[ap]m, reference/,
    );
  });

  it('ask that also without agreement, and then say no more', async () => {
    const withdrawConsent = async (id: string) => {
      const url = `/api/referrals/${id}/agreement-changed`;
      const payload = { share_with_gp: false };
      const answer = await site.app.inject({ method: 'POST', url, headers: referrer.headers, payload });
      expect(answer.statusCode, answer.body).toBe(200);
    };
    const mistake = { status_reason: { code: 'wrong-person', text: 'It was for her sister.' } };
    const id = await made({ gp_actions: [action] });
    await lettersOf(id);
    await withdrawConsent(id);
    await act(id, 'withdraw-as-error', mistake, 2, referrer);
    const { subject, words } = await newestLetter(id);
    expect(subject).toMatch(/^For action at once: remove referral/);
    expect(words).toMatch(
      /REMOVE FROM RECORD.*our letter 1, headed “[^”]*community service”, of \d+ \w+ \d{4}/,
    );
    const { reasons } = aReferral(place.serviceId);
    const secrets = [place.serviceName, action.text, 'her sister', ...reasons.map(({ text }) => text)];
    for (const secret of secrets) expect(words).not.toContain(secret);

    const untold = await made();
    await withdrawConsent(untold);
    await act(untold, 'withdraw-as-error', mistake, 2, referrer);
    const toPractice = (await listDeliveriesOf(db, untold)).filter(({ leg }) => leg === 'gp_practice');
    expect(toPractice.map(({ purpose, status }) => `${purpose} ${status}`)).toEqual(['referral suppressed']);
  });

  describe('after a mistake', () => {
    const factsOf = async (deliveryId: string) => (await findDelivery(db, deliveryId))!.letterFacts!;
    const person = (birth_date: string, given = {}) => ({
      patient: { ...aReferral('').patient, family_name: 'Mendingslip', birth_date, ...given },
    });
    /** The only letter of a referral, with when it was made, as the other letter names it. */
    const letterOf = async (id: string) => {
      const [letter] = await lettersOf(id);
      const { createdAt } = (await findDelivery(db, letter!.deliveryId))!;
      return { ...letter!, named: { at: createdAt, reference: letter!.referral.reference } };
    };
    const inDates = (named: { at: string; reference: string } | null | undefined) =>
      named && { at: new Date(named.at), reference: named.reference };

    it('name the one that was withdrawn, with its date of birth', async () => {
      const nhs_number = '9990055106';
      const wrong = await made(person('1952-04-01', { nhs_number }));
      const { named } = await letterOf(wrong);
      site.clock.moveOn(60_000);
      await act(wrong, 'withdraw-as-error', {}, 1, referrer);
      site.clock.moveOn(60_000);
      const { deliveryId, words } = await letterOf(await made(person('1952-01-04', { nhs_number })));
      const { withdrawnBefore } = await factsOf(deliveryId);
      expect([inDates(withdrawnBefore), withdrawnBefore!.birthDate]).toEqual([named, '1952-04-01']);
      expect(words).toContain(
        'That letter had the wrong date of birth, 1 April 1952. Look for it also in a record of this name with that date',
      );
      expect(words).toContain('if it is in the record, and mark the code filed from it as entered in error');
      // One about another person is not mended by this.
      const other = await made(person('1952-04-01', { given_name: 'Other', nhs_number: undefined }));
      expect((await factsOf((await letterOf(other)).deliveryId)).withdrawnBefore).toBeNull();
    });

    it('name the one with the right details that the practice has', async () => {
      const mended = person('1953-05-02', { nhs_number: undefined });
      const wrong = await made(mended);
      await lettersOf(wrong);
      site.clock.moveOn(60_000);
      const right = await made({ ...mended, allow_duplicate: true });
      const { named, deliveryId } = await letterOf(right);
      expect((await factsOf(deliveryId)).withdrawnBefore, 'nothing was withdrawn yet').toBeNull();
      site.clock.moveOn(60_000);
      await act(wrong, 'withdraw-as-error', {}, 1, referrer);
      const notice = await newestLetter(wrong);
      expect(inDates((await factsOf(notice.deliveryId)).followedBy)).toEqual(named);
      expect(notice.words).toContain(`reference ${named.reference}, has the right details: keep that one.`);
      expect(notice.words).toMatch(new RegExp(`Keep our letter .*reference ${named.reference}`));
    });

    it('name the one that stays of a referral sent twice', async () => {
      const same = person('1955-07-04', { nhs_number: undefined });
      const { named } = await letterOf(await made(same));
      site.clock.moveOn(60_000);
      const second = await made({ ...same, allow_duplicate: true });
      await lettersOf(second);
      site.clock.moveOn(60_000);
      const status_reason = { code: 'sent-twice', text: 'It was sent twice.' };
      await act(second, 'withdraw-as-error', { status_reason }, 1, referrer);
      const notice = await newestLetter(second);
      expect(inDates((await factsOf(notice.deliveryId)).followedBy)).toEqual(named);
      expect(notice.words).toMatch(/once, leave it\. If twice, mark one as entered in error\./);
    });

    it('name no other where somebody else was meant', async () => {
      const mended = person('1954-06-03', { nhs_number: undefined });
      const wrong = await made(mended);
      await lettersOf(wrong);
      site.clock.moveOn(60_000);
      await letterOf(await made({ ...mended, allow_duplicate: true }));
      await act(
        wrong,
        'withdraw-as-error',
        { status_reason: { code: 'wrong-person', text: 'Her sister.' } },
        1,
        referrer,
      );
      const notice = await newestLetter(wrong);
      expect(notice.words).toContain('another person was meant');
      expect((await factsOf(notice.deliveryId)).followedBy).toBeNull();
    });
  });

  it('says what was corrected since the letter that it replaces', async () => {
    const id = await made({ patient: { ...aReferral('').patient, telephone: '01632 960001' } });
    await lettersOf(id);
    const correct = async (patient: object, version: number) => {
      const headers = { ...referrer.headers, 'if-match': `"${version}"` };
      const answer = await site.app.inject({
        method: 'PATCH',
        url: `/api/referrals/${id}`,
        headers,
        payload: { patient },
      });
      expect(answer.statusCode, answer.body).toBe(200);
    };
    await correct({ telephone: '01632 960002' }, 1);
    expect((await newestLetter(id)).words).toContain('["Telephone number","01632 960001 → 01632 960002"]');
    await correct({ preferred_contact: 'in the morning' }, 2);
    const newest = await newestLetter(id);
    expect(newest.words).toContain('["Other wishes about contact","now in the morning"]');
    expect(newest.words).not.toContain('→ 01632');
  });

  it('says “updated” after a copy, “remove” after the end’s letter', async () => {
    const id = await made({ gp_actions: [action] });
    await lettersOf(id);
    const patient = { telephone: '01632 960987' };
    await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${id}`,
      headers: { ...referrer.headers, 'if-match': '"1"' },
      payload: { patient },
    });
    expect((await newestLetter(id)).subject).toMatch(/^For action: updated copy of referral/);
    await act(id, 'accept', {}, 2);
    await act(id, 'complete', { outcome: { code: 'goals-met', text: 'She joined the choir.' } }, 3);
    await lettersOf(id);
    await act(id, 'withdraw-as-error', {}, 4, referrer);
    expect((await newestLetter(id)).subject).toMatch(/^For action at once: remove referral/);
  });
});

describe('a letter about a change of the referrer', () => {
  it('does not call them staff of a renamed organisation’s service', async () => {
    const id = await made();
    await lettersOf(id);
    const { organisation } = (await findReferral(db, id))!.content.referrer;
    await renameOrganisation(db, organisation!, `${organisation} Health Centre`);
    const { text } = await storeNewAccessToken(site.deps, referrer.id, 'apikeys');
    referrer.headers.authorization = `Bearer ${text}`;
    await act(id, 'withdraw-as-error', {}, 1, referrer);
    await renameOrganisation(db, `${organisation} Health Centre`, organisation!);
    const { words } = await newestLetter(id);
    expect(words).toContain(`your colleague Test Person, ${organisation} Health Centre`);
    expect(words).not.toContain('staff of the service');
  });
});

describe('a practice whose patient agrees to share more than before', () => {
  const { consent } = aReferral(place.serviceId);
  const agree = async (id: string, share_with_gp: boolean | 'codes_only') => {
    const url = `/api/referrals/${id}/agreement-changed`;
    const answer = await site.app.inject({
      method: 'POST',
      url,
      headers: referrer.headers,
      payload: { share_with_gp, said_by: { basis: 'person' } },
    });
    expect(answer.statusCode, answer.body).toBe(200);
  };
  const purposesOf = async (id: string) =>
    (await listDeliveriesOf(db, id))
      .filter(({ leg, status }) => leg === 'gp_practice' && status !== 'suppressed')
      .map(({ purpose }) => purpose);
  const codesOnly = { ...consent, share_with_gp: 'codes_only' };
  const notTold = { ...consent, share_with_gp: false };

  it('gets the full copy at once after codes, with no second code', async () => {
    const id = await made({ gp_actions: [action], consent: codesOnly });
    const codes = await newestLetter(id);
    await confirm(codes.deliveryId);
    await agree(id, true);
    expect(await purposesOf(id)).toEqual(['referral', 'referral']);
    const copy = await newestLetter(id);
    expect(copy.words).toContain(action.text);
    expect(copy.words).toContain('Updated: ');
    expect(copy.code).toBeUndefined();
    const statuses = async () => (await read(id)).gp_actions.map(({ status }: { status: string }) => status);
    expect([await statuses(), (await read(id)).gp_actions[0].asked_by_letter]).toEqual([['open'], true]);
    await confirm(copy.deliveryId);
    expect(await statuses()).toEqual(['acknowledged']);
    // Nothing has changed, so nothing more is sent.
    await agree(id, true);
    expect(await purposesOf(id)).toHaveLength(2);
  });

  it('gets the full copy after codes, whatever came between', async () => {
    const id = await made({ consent: codesOnly });
    await lettersOf(id);
    await agree(id, false);
    expect(await purposesOf(id)).toHaveLength(1);
    await agree(id, true);
    expect(await purposesOf(id)).toHaveLength(2);
    await agree(id, 'codes_only');
    expect(await purposesOf(id)).toHaveLength(2);
  });

  it('reads with the next code that an earlier letter may say more', async () => {
    const id = await made();
    await lettersOf(id);
    await agree(id, 'codes_only');
    await act(id, 'accept', {}, 2);
    await act(id, 'complete', { outcome }, 3);
    const narrowed = await newestLetter(id);
    expect(narrowed.words).toContain('The patient now wants you to have only the code, not the details.');
    expect(narrowed.words).toContain('No new code to file.');
    const always = await made({ consent: codesOnly, allow_duplicate: true });
    await lettersOf(always);
    await act(always, 'accept', {});
    await act(always, 'complete', { outcome }, 2);
    expect((await newestLetter(always)).words).not.toContain('now agrees to a code');
  });

  it.each([
    ['nothing', notTold],
    ['codes', codesOnly],
  ])('gets all actions after the end, if it had %s before', async (_, before) => {
    const id = await made({ gp_actions: [action], consent: before });
    await lettersOf(id);
    await act(id, 'accept', {});
    const last = { ...action, text: 'Review her tablets.' };
    await act(id, 'complete', { outcome, gp_actions: [last] }, 2);
    await lettersOf(id);
    const endedOn = dayInWords(site.clock.now());
    site.clock.moveOn(2 * 86_400_000);
    for (const who of [referrer, provider]) {
      const { text } = await storeNewAccessToken(site.deps, who.id, 'apikeys');
      who.headers.authorization = `Bearer ${text}`;
    }
    await agree(id, true);
    const letter = await newestLetter(id);
    expect(letter.purpose).toBe('outcome');
    for (const words of [action.text, last.text, outcome.text, `completed on ${endedOn}`])
      expect(letter.words).toContain(words);
    expect(letter.words).toContain(`Completed by`);
    expect(letter.words).toContain(place.organizationName);
    const open = (await read(id)).gp_actions;
    expect(
      open.map(({ asked_by_letter, status }: Record<'asked_by_letter' | 'status', string>) => [
        asked_by_letter,
        status,
      ]),
    ).toEqual([
      [true, 'open'],
      [true, 'open'],
    ]);
    await confirm(letter.deliveryId);
    expect((await read(id)).gp_actions.map(({ status }: { status: string }) => status)).toEqual([
      'acknowledged',
      'acknowledged',
    ]);
  });

  it('has nothing to remove where it never had a letter', async () => {
    const id = await made({ consent: notTold });
    await act(id, 'withdraw-as-error', {}, 1, referrer);
    await agree(id, true);
    expect(await purposesOf(id)).toEqual([]);
  });
});

describe('something for the practice to do', () => {
  it('is in the subject and text of the message, without naming it', async () => {
    const id = await made({ gp_actions: [action] });
    const { subject, text, forAction } = await newestLetter(id);
    expect(forAction).toBe(true);
    expect(subject).toMatch(/^For action: copy of referral/);
    expect(text).toContain('There is something for the practice to do');
    expect(text).not.toContain(action.text);
    const nothing = await newestLetter(await made({ gp_actions: [], allow_duplicate: true }));
    expect(nothing.forAction).toBe(false);
    expect(nothing.subject).toContain('for the patient’s record');
  });

  it('is “not recorded” in every part if the service was not asked', async () => {
    const says = ({ subject, text, words, forAction }: Awaited<ReturnType<typeof newestLetter>>) => ({
      box: /"heading":"((?:No action|Action) [^"]*)"/.exec(words)?.[1],
      subject: subject.replace(/^.* of referral \S+ /, ''),
      text: /clinician|for the patient’s record|Nothing was asked of the practice/.exec(text)?.[0],
      forAction,
    });
    const unknown = {
      box: 'No action asked for – for the record',
      subject: '– no action for the practice was recorded',
      text: 'Nothing was asked of the practice',
      forAction: false,
    };
    const id = await made({ gp_actions: [] });
    expect(says(await newestLetter(id))).toEqual({
      box: 'No action asked for – for the record',
      subject: 'for the patient’s record: a code to file',
      text: 'for the patient’s record',
      forAction: false,
    });
    await act(id, 'reject', { status_reason: { code: 'no-capacity', text: 'Full.' } });
    expect(says(await newestLetter(id)).box, 'only who completes is asked').toBe(unknown.box);
    const completed = await made({ gp_actions: [], allow_duplicate: true });
    await act(completed, 'accept', {});
    await act(completed, 'complete', { outcome }, 2);
    expect(says(await newestLetter(completed))).toEqual(unknown);
    const silent = await made({ allow_duplicate: true });
    const subject = '– a code to file, no other action was recorded';
    expect(says(await newestLetter(silent))).toEqual({ ...unknown, subject });
    await act(silent, 'accept', {});
    await act(silent, 'complete', { outcome, gp_actions: [] }, 2);
    expect(says(await newestLetter(silent)).box).toBe('No action asked for – for the record');
  });

  it('is for a clinician if nobody was asked and the text alarms', async () => {
    const id = await made({ reasons: [{ text: 'She says that she wants to die.' }] });
    const { subject, text, words, forAction } = await newestLetter(id);
    expect(subject).toMatch(/^For a clinician to read today: copy of referral/);
    expect(text).toContain('A clinician must read the attached letter today, and decide whether');
    expect(words).toContain('A clinician must read this today');
    expect(forAction).toBe(true);
  });

  it('is for a clinician, also if something is asked by name', async () => {
    const id = await made({ gp_actions: [action], reasons: [{ text: 'She wants to die.' }], risk: 'no' });
    const { subject, text } = await newestLetter(id);
    expect(subject).toMatch(/^For a clinician to read today, and for action: copy of referral/);
    expect(text).toContain('It asks for something by name as well.');
  });

  it('lists what is asked in one order everywhere', async () => {
    const later = { ...action, text: 'Review her tablets.', by_date: '2027-04-01' };
    const { by_date: _, ...undated } = { ...action, text: 'Send the hearing test.' };
    const id = await made({ gp_actions: [undated, later, action] });
    const { gpActions, words } = await newestLetter(id);
    const order = [action.text, later.text, undated.text];
    expect(gpActions!.map(({ text }) => text)).toEqual(order);
    const places = order.map((each) => words.indexOf(each));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('is acknowledged with the letter that asks for it', async () => {
    const id = await made({ gp_actions: [action] });
    await act(id, 'accept', {});
    await act(id, 'complete', { outcome, gp_actions: [action] }, 2);
    const [first, last] = await lettersOf(id);
    const statuses = async () => (await read(id)).gp_actions.map(({ status }: { status: string }) => status);
    expect(await statuses()).toEqual(['open', 'open']);
    await confirm(first!.deliveryId);
    expect(await statuses()).toEqual(['acknowledged', 'open']);
    expect((await newestLetter(id)).gpActions).toHaveLength(1);
    await confirm(last!.deliveryId);
    expect(await statuses()).toEqual(['acknowledged', 'acknowledged']);
  });

  it('stays open where the practice gets codes only', async () => {
    const { consent } = aReferral(place.serviceId);
    const id = await made({ gp_actions: [action], consent: { ...consent, share_with_gp: 'codes_only' } });
    const letter = await newestLetter(id);
    expect(letter.forAction).toBe(false);
    expect(letter.words).not.toContain(action.text);
    await confirm(letter.deliveryId);
    expect((await read(id)).gp_actions[0].status).toBe('open');
    const agreement = {
      method: 'POST',
      headers: referrer.headers,
      payload: { share_with_gp: true, said_by: { basis: 'person' } },
    } as const;
    await site.app.inject({ ...agreement, url: `/api/referrals/${id}/agreement-changed` });
    expect((await read(id)).gp_actions[0].status).toBe('open');
  });
});

describe('a risk to act on', () => {
  async function toService(given: object) {
    const id = await made(given);
    const [delivery] = (await listDeliveriesOf(db, id)).filter(({ leg }) => leg === 'service');
    const referral = (await findReferral(db, id))!;
    const full = { ...(await findDelivery(db, delivery!.id))!, contactElsewhere: [] };
    const { subject, text } = composeMessage({ ...site.deps, letterDrawer }, full, referral);
    return { subject, text: text({ hasLetter: true }), reference: referral.reference };
  }

  it.each([
    ['words of a crisis', { reasons: [{ text: 'She wants to die.' }] }],
    ['unsafe contact', { contact: { safe: 'no', who_must_not_know: 'her husband' } }],
  ])('is first in subject and message to the service: %s', async (_, given) => {
    const { subject, text, reference } = await toService({ ...given, allow_duplicate: true });
    expect(subject).toBe(`Urgent: a referral with a risk to act on: ${reference}`);
    expect(text).toContain('There is a risk to act on. Read the referral now');
    for (const detail of ['die', 'husband', place.serviceName]) expect(subject).not.toContain(detail);
  });

  it('is not said of a referral without one', async () => {
    const { subject, text } = await toService({ allow_duplicate: true });
    expect(`${subject} ${text}`).not.toContain('risk to act on');
  });
});
