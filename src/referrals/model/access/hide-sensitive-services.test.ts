import { describe, expect, it } from 'vitest';
import { renameOrganisation } from '../../../../test/accounts/stored.ts';
import { aTokenHolder } from '../../../../test/app/builders.ts';
import { markSensitive } from '../../../../test/library/stored.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { referralLifeFixture } from '../../../../test/referrals/life-fixture.ts';
import { withoutNames } from './hide-sensitive-services.ts';

const {
  site,
  place,
  elsewhere,
  referrer,
  colleague,
  provider,
  operator,
  call,
  get,
  post,
  aPerson,
  makeReferral,
  reason,
} = await referralLifeFixture();
await markSensitive(site.deps.db, place.serviceId);

const surgery = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
const restricted = {
  service_id: null,
  service: { name: 'A restricted service', organization_id: null, organization_name: null },
};
const whole = { service_id: place.serviceId, service: { name: place.serviceName } };
const cover = { reason: 'I cover for a colleague this week.' };
const names = new RegExp(`${place.serviceName}|${place.organizationName}|${place.serviceId}`);

describe('the name of a sensitive service', () => {
  it('is hidden from colleagues of the referrer and from operators', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    await post(provider, `/${id}/messages`, { text: 'We ring her on Monday.' });
    for (const who of [referrer, provider]) expect((await get(who, `/${id}`)).body).toMatchObject(whole);
    for (const who of [colleague, operator])
      expect((await get(who, `/${id}`)).body).toMatchObject(restricted);
    const seen = [
      '',
      '?status=accepted',
      `/${id}`,
      `/${id}/history`,
      `/${id}/messages`,
      `/${id}/attachments`,
    ];
    for (const path of seen) {
      const { body } = await get(colleague, path);
      expect(JSON.stringify(body), path).not.toMatch(names);
    }
    const why = 'Asked for by letter; ticket 311.';
    const person = {
      family_name: (await get(referrer, `/${id}`)).body.patient.family_name,
      birth_date: '1947-03-09',
    };
    for (const [who, more] of [
      [colleague, {}],
      [operator, { reason: why }],
    ] as const)
      expect((await post(who, '/search', { ...person, ...more })).body.items).toMatchObject([restricted]);
    const seenBy = [await get(colleague, `/${id}/history`), await get(colleague, `/${id}/messages`)];
    expect(JSON.stringify(seenBy.map(({ body }) => body))).not.toContain('We ring her on Monday');
    expect(seenBy[1]!.body.items[0].by).toEqual({ name: 'Staff of the service', organisation: null });
    const letter = await get(colleague, `/${id}/letter.pdf`);
    expect(letter.status).toBe(403);
  });

  it('hides what staff wrote of the end, agreement and practice', async () => {
    const words = 'We moved her to 1 Secret Road.';
    const cancelled = await makeReferral();
    await post(provider, `/${cancelled.id}/accept`, {}, 1);
    await post(
      provider,
      `/${cancelled.id}/cancel`,
      { status_reason: { code: 'moved-away', text: words } },
      2,
    );
    const completed = await makeReferral();
    await post(provider, `/${completed.id}/accept`, {}, 1);
    const hetty = await aTokenHolder(site.deps, {
      role: 'provider',
      name: 'Hetty Hawthorn',
      organisation: { name: place.organizationName, libraryOrganizationId: place.organizationId },
    });
    const agreed = await post(hetty, `/${completed.id}/agreement-changed`, {
      share_with_gp: 'codes_only',
      said_by: { basis: 'best_interests', decided_by: 'Hetty, at 1 Secret Road' },
    });
    expect(agreed.status).toBe(200);
    const { version } = (await get(provider, `/${completed.id}`)).body;
    const outcome = { code: 'goals-met', text: words };
    const gp_actions = [{ text: words, asked_by: 'Hetty, 01632 960 777' }];
    const done = await post(provider, `/${completed.id}/complete`, { outcome, gp_actions }, version);
    expect(done.status).toBe(200);
    for (const { id } of [cancelled, completed]) {
      const { body } = await get(colleague, `/${id}`);
      expect(JSON.stringify(body)).not.toMatch(/Secret Road|Hetty/);
      expect(
        (await get(colleague, '?limit=200')).body.items.map((each: object) => JSON.stringify(each)).join(),
      ).not.toMatch(/Secret Road|Hetty/);
    }
    const seen = (await get(colleague, `/${completed.id}`)).body;
    expect(seen.consent.recorded_by).toBe('Somebody who is not named here');
    expect((await get(referrer, `/${completed.id}`)).body.gp_actions[0].text).toBe(words);
  });

  it('hides who judged, decided or was asked, and their words', async () => {
    const words = 'the worker of 1 Secret Road';
    const { body: made } = await post(referrer, '', {
      ...aPerson(),
      agreement: { basis: 'best_interests', decided_by: words, consulted: words },
      consent: { referral: true, share_with_gp: false, wording: `May ${words} help you?` },
    });
    await post(referrer, `/${made.id}/agreement-changed`, {
      share_with_gp: true,
      wording: `May ${words} tell your GP?`,
      said_by: { basis: 'best_interests', decided_by: words },
      reason: `Asked by ${words}.`,
    });
    const { body: seen } = await get(colleague, `/${made.id}`);
    const { body: history } = await get(colleague, `/${made.id}/history`);
    expect(JSON.stringify([seen, history])).not.toContain('Secret Road');
    expect([seen.agreement, seen.consent.said_by]).toEqual([
      { basis: 'best_interests' },
      { basis: 'best_interests' },
    ]);
    const browser = await signedInBrowser(site, { organisation: surgery, name: 'Colin Colleague' });
    for (const path of ['', '/agreement'])
      expect((await browser.open(`/referrals/${made.id}${path}`)).text).not.toContain('Secret Road');
    const reader = await aTokenHolder(site.deps, { organisation: surgery });
    await post(reader, `/${made.id}/open`, cover);
    expect(JSON.stringify((await get(reader, `/${made.id}`)).body.consent)).toContain('Secret Road');
  });

  it('hides reasons and support until a colleague gives a reason', async () => {
    const told = 'Her husband beats her.';
    const person = aPerson();
    const { body: made } = await post(referrer, '', {
      ...person,
      reasons: [{ text: told }],
      needs: ['bereavement'],
      goals: [{ text: told }],
      what_matters: told,
      safety_notes: told,
      support_offered: told,
      reasonable_adjustments: ['hearing'],
      contact: { safe: 'no', who_must_not_know: 'Her husband' },
    });
    const { id } = made;
    await post(provider, `/${id}/accept`, {}, 1);
    const inADay = new Date(site.clock.now().getTime() + 86_400_000).toISOString();
    await post(provider, `/${id}/appointments`, { at: inADay, kind: 'in-person', place: 'The back room' });
    await post(provider, `/${id}/contacts`, { kind: 'telephone', reached: true, note: told });
    const score = { code: 'ons4-anxiety', stage: 'start', value: 9, by: 'person' };
    await post(provider, `/${id}/measures`, { measures: [score] });
    const corrected = await call(referrer, 'PATCH', `/${id}`, {
      body: { safety_notes: `${told} Still.` },
      version: 2,
    });
    expect(corrected.status).toBe(200);
    await post(referrer, `/${id}/messages`, { text: told });
    const changed = await post(referrer, `/${id}/things-have-changed`, { text: told });
    expect(changed.status).toBe(201);
    const browser = await signedInBrowser(site, { organisation: surgery });
    const shownTo = async () => {
      const answers = await Promise.all(
        ['', '/history', '/messages', '/things-have-changed'].map((path) => get(colleague, `/${id}${path}`)),
      );
      const list = (await get(colleague, '?limit=200')).body.items.filter(
        (each: { id: string }) => each.id === id,
      );
      return JSON.stringify([
        answers.map(({ body }) => body),
        list,
        (await browser.open(`/referrals/${id}`)).text,
      ]);
    };
    const before = await shownTo();
    expect(before).not.toMatch(/beats|bereavement|back room|ons4|Anxi/i);
    const { body } = await get(colleague, `/${id}`);
    for (const field of [
      'reasons',
      'needs',
      'goals',
      'appointments',
      'contacts',
      'measures',
      'measure_changes',
    ])
      expect(body, field).not.toHaveProperty(field);
    expect(body).toMatchObject({
      patient: { family_name: person.patient.family_name },
      status: 'accepted',
      contact: { safe: 'no' },
      reasonable_adjustments: ['hearing'],
    });
    const reader = await aTokenHolder(site.deps, { organisation: surgery });
    await post(reader, `/${id}/open`, cover);
    expect((await get(reader, `/${id}`)).body).toMatchObject({
      reasons: [{ text: told }],
      needs: ['bereavement'],
    });
  });

  it('asks a colleague to ask the referrer before any contact', async () => {
    const secret = { safe: 'only_at', only_at: 'at school', who_must_not_know: 'Her husband' };
    const browser = await signedInBrowser(site, { organisation: surgery });
    for (const contact of [secret, { safe: 'yes' }]) {
      const person = aPerson();
      const { body: made } = await post(referrer, '', { ...person, contact });
      const { family_name, birth_date } = person.patient;
      const answers = [
        (await get(colleague, `/${made.id}`)).body,
        (await get(colleague, '?limit=200')).body.items.find((each: { id: string }) => each.id === made.id),
        (await post(colleague, '/search', { family_name, birth_date })).body.items[0],
      ];
      expect(answers.map((each) => each.contact)).toEqual([{ safe: 'no' }, { safe: 'no' }, { safe: 'no' }]);
      const csv = await browser.open('/referrals.csv?view=made');
      const list = (await browser.open('/referrals?view=made')).text;
      const pages = [(await browser.open(`/referrals/${made.id}`)).text, csv.page.textContent];
      for (const text of pages)
        expect(text).toContain('Do not contact this person before you have asked who referred them.');
      for (const text of [...pages, list]) expect(text).not.toMatch(/Her husband|at school/);
    }
  });

  it('does not tell the referrer where an appointment is', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    const at = new Date(site.clock.now().getTime() + 86_400_000).toISOString();
    await post(provider, `/${id}/appointments`, { at, kind: 'in-person', place: '1 Secret Road' });
    const [theirs] = (await get(provider, `/${id}`)).body.appointments;
    expect(theirs.place).toBe('1 Secret Road');
    const { place: _place, ...rest } = theirs;
    expect((await get(referrer, `/${id}`)).body.appointments).toEqual([rest]);
  });

  it('hides staff’s words though they bear the referrer’s name', async () => {
    const { id } = await makeReferral();
    const namesake = await aTokenHolder(site.deps, {
      role: 'provider',
      name: 'Nora Namesake',
      organisation: { name: surgery.name, libraryOrganizationId: place.organizationId },
    });
    await post(namesake, `/${id}/accept`, {}, 1);
    await post(namesake, `/${id}/messages`, { text: 'She lives at 1 Secret Road.' });
    const seen = [await get(colleague, `/${id}/history`), await get(colleague, `/${id}/messages`)];
    expect(JSON.stringify(seen.map(({ body }) => body))).not.toMatch(/Secret Road|Nora/);
  });

  it('names a colleague of a renamed organisation, not their words', async () => {
    const { id } = await makeReferral();
    const text = 'She will be at her sister’s on Friday.';
    const reader = await aTokenHolder(site.deps, { organisation: surgery });
    await renameOrganisation(site.deps.db, surgery.name, 'Infirmary Lane Centre');
    await post(referrer, `/${id}/messages`, { text });
    await renameOrganisation(site.deps.db, 'Infirmary Lane Centre', 'Infirmary Lane Health Centre');
    const { body } = await get(reader, `/${id}/messages`);
    await renameOrganisation(site.deps.db, 'Infirmary Lane Health Centre', surgery.name);
    expect(body.items[0].by.organisation).toMatch(/^Infirmary Lane/);
    expect(body.items[0].text).toMatch(/^Not shown/);
  });

  it('is not told by the list of one service', async () => {
    const { id } = await makeReferral();
    const listed = async (who: typeof colleague) =>
      (await get(who, `?service_id=${place.serviceId}`)).body.items.map((each: { id: string }) => each.id);
    expect(await listed(referrer)).toContain(id);
    for (const who of [colleague, operator])
      for (const query of ['', '&limit=1', '&status=requested'])
        expect((await get(who, `?service_id=${place.serviceId}${query}`)).body).toEqual({
          items: [],
          next_cursor: null,
        });
  });

  it('is not told by the pages of a list of one service', async () => {
    const own = [];
    for (let count = 0; count < 2; count += 1) {
      await makeReferral();
      // Ids begin with their moment, and so have the order in which they were made.
      site.clock.moveOn(1);
      own.push((await post(colleague, '', aPerson())).body.id);
      site.clock.moveOn(1);
      await makeReferral();
    }
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await get(
        colleague,
        `?service_id=${place.serviceId}&limit=1${cursor && `&cursor=${cursor}`}`,
      );
      pages.push(body.items.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    // Neither an empty page nor one more cursor says that there are others between them.
    expect(pages).toEqual([[own[1]], [own[0]]]);
    const counts = await get(colleague, `?service_id=${place.serviceId}&limit=200`);
    expect([counts.body.items.length, counts.answer.headers['x-total-count']]).toEqual([2, undefined]);
  });

  it('is not told by a draft, nor by its form', async () => {
    const draft = (await post(referrer, '', { ...aPerson(), status: 'draft' })).body;
    expect((await get(colleague, `/${draft.id}`)).body).toMatchObject(restricted);
    const browser = await signedInBrowser(site, { organisation: surgery });
    const page = await browser.open(`/referrals/${draft.id}`);
    expect(page.text).toContain('A restricted service');
    expect((await browser.open(`/referrals/${draft.id}/edit`)).status).toBe(303);
  });

  it('is not told by the answer to a change of a draft', async () => {
    const { body: draft } = await post(colleague, '', {
      ...aPerson(),
      service_id: elsewhere.serviceId,
      status: 'draft',
    });
    expect(draft.service.name).not.toBe(restricted.service.name);
    const changed = await call(referrer, 'PUT', `/${draft.id}`, { body: aPerson(), version: 1 });
    expect([changed.status, changed.body.service]).toEqual([200, restricted.service]);
  });

  it('is not told by a refused duplicate; only the service hears', async () => {
    const person = aPerson();
    const { body: theirs } = await post(referrer, '', person);
    const { status, body: made } = await post(colleague, '', person);
    expect(status).toBe(201);
    const { body: draft } = await post(colleague, '', {
      ...aPerson(),
      patient: person.patient,
      status: 'draft',
    });
    expect((await post(colleague, `/${made.id}/cancel`, reason, 1)).status).toBe(200);
    expect((await post(colleague, `/${draft.id}/request`, {}, 1)).status).toBe(200);
    const named = { id: theirs.id, reference: theirs.reference };
    expect((await get(provider, `/${draft.id}`)).body.possible_duplicates).toEqual([named]);
    // One’s own, and one that the colleague has opened, are known to them.
    for (const who of [referrer, colleague]) expect((await post(who, '', person)).status).toBe(409);
    await post(colleague, `/${draft.id}/cancel`, reason, 2);
    await post(colleague, `/${theirs.id}/open`, cover);
    expect((await post(colleague, '', person)).body.reference).toBe(theirs.reference);
  });

  it('is not revealed by acting: a colleague must give a reason', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    const news = { text: `She has moved in with us, ${place.serviceName}.` };
    const { body: change } = await post(provider, `/${id}/things-have-changed`, news);
    const { version } = (await get(referrer, `/${id}`)).body;
    const attempts = [
      await post(colleague, `/${id}/things-have-changed/${change.id}/confirm`),
      await post(colleague, `/${id}/messages`, { text: 'hi' }),
      await post(colleague, `/${id}/things-have-changed`, { text: 'She is worse.' }),
      await post(colleague, `/${id}/cancel`, reason, version),
      await call(colleague, 'PATCH', `/${id}`, { body: { urgency: 'urgent' }, version }),
      await post(colleague, `/${id}/died`, { told_by: 'Her sister' }),
      await post(colleague, `/${id}/cancel`, { status_reason: { code: 'died', text: 'Rang.' } }, version),
    ];
    for (const { status, body } of attempts) {
      expect([status, body.detail]).toEqual([403, expect.stringContaining('POST /api/referrals/{id}/open')]);
      expect(JSON.stringify(body)).not.toMatch(names);
    }
    expect((await get(referrer, `/${id}`)).body.death_reported).toBeNull();
    // A wish does not wait for a reason, and its answer tells nothing.
    const wish = await post(colleague, `/${id}/agreement-changed`, { share_with_gp: false });
    expect(wish.status).toBe(200);
    expect(JSON.stringify(wish.body)).not.toMatch(names);
    expect((await get(colleague, `/${id}`)).body).toMatchObject(restricted);
    const { body: told } = await get(referrer, `/${id}/things-have-changed`);
    expect(told.items).toMatchObject([{ id: change.id, confirmed: null }]);
    expect((await get(referrer, `/${id}/openings`)).body.items).toEqual([]);
    expect((await post(colleague, `/${id}/open`, { reason: 'aaaa aaaaaa' })).status).toBe(422);
    await post(colleague, `/${id}/open`, cover);
    const confirmed = await post(colleague, `/${id}/things-have-changed/${change.id}/confirm`);
    expect(confirmed.body).toMatchObject(news);
    expect((await get(referrer, `/${id}/openings`)).body.items).toMatchObject([cover]);
  });

  it('need not be known to be told of a death', async () => {
    const referral = aPerson();
    const { id } = (await post(referrer, '', referral)).body;
    const known = (await post(colleague, '', { ...referral, service_id: elsewhere.serviceId })).body;
    const told = await post(colleague, `/${known.id}/died`, { told_by: 'Her sister' });
    expect([told.status, told.body.referrals.length]).toEqual([200, 2]);
    expect(JSON.stringify(told.body)).not.toMatch(names);
    for (const who of [referrer, provider])
      expect((await get(who, `/${id}`)).body.death_reported.told_by).toBe('Her sister');
    expect((await post(colleague, `/${id}/died/confirm`)).status).toBe(403);
    // It is taken back where it was told, for both.
    expect((await post(colleague, `/${known.id}/died/undo`)).status).toBe(200);
    expect((await get(referrer, `/${id}`)).body.death_reported).toBeNull();
  });

  it('stops colleagues from telling more, or ending it, unasked', async () => {
    const { id } = await makeReferral();
    const said_by = { basis: 'person' };
    await post(colleague, `/${id}/agreement-changed`, { share_with_gp: false });
    await post(referrer, `/${id}/died`, { told_by: 'Her sister' });
    const browser = await signedInBrowser(site, { organisation: surgery, name: 'Carol Colleague' });
    const { version } = (await get(referrer, `/${id}`)).body;
    for (const [path, body] of [
      ['agreement-changed', { share_with_gp: true, said_by }],
      ['agreement-changed', { share_with_gp: 'codes_only', said_by }],
      ['agreement-changed', { referral: false }],
      ['died/confirm', {}],
      ['died/undo', {}],
    ] as const) {
      const refused = await post(colleague, `/${id}/${path}`, body);
      expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('/open')]);
    }
    const typed = { share_with_gp: 'yes', agreement_basis: 'person' };
    expect((await browser.send(`/referrals/${id}/agreement`, typed)).status).toBe(403);
    expect((await browser.send(`/referrals/${id}/died/confirm`, {})).status).toBe(403);
    const form = await browser.open(`/referrals/${id}/agreement`);
    expect(form.text).toContain('you can only choose that the practice is told less');
    const shown = await browser.open(`/referrals/${id}`);
    expect(shown.text).toContain('To confirm it or take it back, open the referral with a reason first');
    expect(shown.page.querySelector('form[action*="/died/"]')).toBeNull();
    expect((await get(colleague, `/${id}`)).body.death_reported.may_undo).toBe(false);
    expect((await get(referrer, `/${id}`)).body).toMatchObject({ version, status: 'requested' });
    await post(colleague, `/${id}/open`, cover);
    expect((await post(colleague, `/${id}/agreement-changed`, { share_with_gp: true, said_by })).status).toBe(
      200,
    );
    expect((await post(colleague, `/${id}/died/confirm`)).body.status).toBe('cancelled');
  });

  it('is not revealed by a form: the page asks for a reason', async () => {
    const { id } = await makeReferral();
    const browser = await signedInBrowser(site, { organisation: surgery });
    const page = await browser.open(`/referrals/${id}`);
    const formsOf = ({ page: shown }: Awaited<ReturnType<typeof browser.open>>) =>
      shown.querySelectorAll('main form').map((form) => form.getAttribute('action'));
    expect(formsOf(page)).toEqual([`/referrals/${id}/open`]);
    expect(page.text).toContain('If the person has died, open the referral first');
    expect((await browser.open(`/referrals/${id}/died`)).location).toBe(`/referrals/${id}`);
    await browser.send(`/referrals/${id}/open`, cover);
    expect(formsOf(await browser.open(`/referrals/${id}`))).toContain(`/referrals/${id}/messages`);
  });

  it('is seen by an operator who gave a reason', async () => {
    const { id } = await makeReferral();
    await post(operator, `/${id}/open`, { reason: 'The service asked for help; ticket 12.' });
    expect((await get(operator, `/${id}`)).body).toMatchObject(whole);
  });

  it('is seen by a colleague who gave a reason, with staff’s words', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    await post(provider, `/${id}/messages`, { text: 'We ring her on Monday.' });
    const browser = await signedInBrowser(site, { organisation: surgery, name: 'Cilla Cover' });
    const before = await browser.open(`/referrals/${id}`);
    expect(before.text).toContain('restricted service');
    expect(before.text).not.toMatch(names);
    expect(before.text).not.toContain('We ring her on Monday');
    expect((await browser.send(`/referrals/${id}/open`, { reason: 'x' })).status).toBe(422);
    await browser.send(`/referrals/${id}/open`, { reason: 'I cover for her this week.' });
    const after = await browser.open(`/referrals/${id}`);
    expect(after.text).toContain(place.serviceName);
    expect(after.text).toContain('We ring her on Monday');
    const { body } = await get(referrer, `/${id}/openings`);
    expect(body.items).toMatchObject([{ by: { name: 'Cilla Cover' }, reason: 'I cover for her this week.' }]);
    expect((await post(referrer, `/${id}/open`, { reason: 'I made this one myself.' })).status).toBe(403);
  });
});

describe('words that name a sensitive service', () => {
  it.each([
    'Drop-in refuge',
    'Women+ (Ledbury)',
    'SAFE / STAY',
    'A&E [nights] $5.50 ^*?|',
  ])('lose its name: %s', (name) => {
    const typed = name.toUpperCase().replaceAll(' ', '\n ');
    expect(withoutNames(new Set([name]), `She went to ${typed}, and not to ${name}s.`)).toMatch(
      /^She went to a restricted service, and not to /,
    );
  });
});
