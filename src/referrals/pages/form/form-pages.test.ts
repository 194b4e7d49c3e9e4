import { Readable } from 'node:stream';
import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { aPractice, aService } from '../../../../test/app/builders.ts';
import { markSensitive } from '../../../../test/library/stored.ts';
import {
  answersOfUrgency,
  type Browser,
  type Form,
  referralPagesFixture,
} from '../../../../test/referrals/pages-fixture.ts';
import { storedReferral } from '../../../../test/referrals/stored.ts';
import { siteActor } from '../../../audit/index.ts';
import { importPostcodes, importServices } from '../../../exchange/index.ts';

// Filling in the form: the practice, drafts, files.

const { site, place, browser, referrer, provider, aPerson, anOpenForm, withoutQuery, aReferralPage } =
  await referralPagesFixture();

const fieldOf = ({ page }: Awaited<ReturnType<Browser['open']>>, name: string) =>
  page.querySelector(`[name=${name}]`)?.getAttribute('value');

function offered(page: Awaited<ReturnType<Browser['open']>>['page']): string[] {
  return page
    .querySelectorAll('input[name=gp_choice]')
    .map((each) => `${each.getAttribute('value')}${each.hasAttribute('checked') ? ' chosen' : ''}`);
}

/** What the page says that a form to send leads to. */
async function checkPageFor(given: Form, who = referrer) {
  const { right_person: _, ...typed } = aPerson();
  const sent = await who.send('/referrals/new', { ...(await anOpenForm(who)), ...typed, ...given });
  expect([sent.status, sent.location]).toEqual([
    303,
    expect.stringMatching(/^\/referrals\/[0-9a-f-]{36}\/check$/),
  ]);
  return {
    ...(await who.open(sent.location)),
    path: sent.location,
    name: given.family_name ?? typed.family_name!,
  };
}

/** Presses the button of the page that asks whether it is the right person. */
async function sayYes(path: string, who = referrer) {
  const { page } = await who.open(path);
  const version = page.querySelector('[name=version]')?.getAttribute('value') ?? '';
  return who.send(path, { version, ...answersOfUrgency(page) });
}

describe('before a referral is sent', () => {
  it('keeps the needs and adjustments, and shows them on top', async () => {
    const typed = new URLSearchParams({
      ...(await anOpenForm()),
      ...aPerson(),
      ethnic_category: 'C',
      source: 'hospital',
      episode: 'continuing',
    });
    for (const need of ['stress', 'caring']) typed.append('needs', need);
    for (const each of ['hearing', 'low-noise']) typed.append('reasonable_adjustments', each);
    const { headers } = await site.app.inject({
      method: 'POST',
      url: '/referrals/new',
      payload: `${typed}`,
      headers: {
        cookie: referrer.cookie,
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
    });
    const path = withoutQuery((await sayYes(String(headers.location))).location);
    const { text, page } = await provider.open(path);
    expect(page.querySelector('.onward-case__top')?.structuredText).toContain(
      'The person needs: Help with hearing; a quiet place',
    );
    for (const words of [
      'Stress, Caring for somebody',
      'Any other White background',
      'Hospital',
      'Continues',
    ])
      expect(text).toContain(words);
    const ticked = (await provider.open(`${path}/correct`)).page.querySelectorAll('[name=needs][checked]');
    expect(ticked.map((each) => each.getAttribute('value'))).toEqual(['stress', 'caring']);
  });

  it('the page asks whether it is the right person before it sends', async () => {
    const asked = await checkPageFor({ nhs_number: '999 000 0026', birth_year: '1951', title: 'Mrs' });
    for (const words of [
      'Is this the right person?',
      `Mrs Margaret ${asked.name}`,
      '9 March 1951, 75 years old',
      '999 000 0026',
      'Infirmary Lane Surgery (Z99001)',
    ])
      expect(asked.text).toContain(words);
    expect(asked.page.querySelector('h1')?.text).toContain('Check before you send');
    expect(asked.page.querySelectorAll('main button').map(({ text }) => text.trim())).toEqual([
      'Send the referral',
    ]);
    const back = asked.page
      .querySelectorAll('main a')
      .find(({ text }) => text.includes('Go back to the form'));
    const form = await referrer.open(back!.getAttribute('href')!);
    expect(form.page.querySelector('#reasons')?.text).toBe('She is lonely.');
    expect((await provider.open('/referrals')).text).not.toContain(asked.name);
    const made = await sayYes(asked.path);
    expect(made.location).toContain('done=sent');
    const page = await provider.open(made.location);
    expect(page.text).toContain('It is safe to contact the person.');
    expect(page.text).toContain(`Mrs Margaret ${asked.name}`);
  });

  it('asks about a more careful answer in another referral', async () => {
    const other = await aService(site.deps, { serviceName: 'Lunch Club' });
    const { right_person: _, ...person } = aPerson();
    const known = await checkPageFor({ ...person, contact_safe: 'no', contact_secret: 'her husband' });
    expect(known.page.querySelector('#contact-elsewhere')).toBeNull();
    await sayYes(known.path);
    const { page } = await referrer.open(`/referrals/new?service=${other.serviceId}`);
    const hidden = page.querySelectorAll('main form input[type=hidden]');
    const form = Object.fromEntries(
      hidden.map((each) => [each.getAttribute('name'), each.getAttribute('value')]),
    ) as Form;
    const { location } = await referrer.send('/referrals/new', { ...form, ...person });
    const asked = await referrer.open(location);
    expect(asked.page.querySelector('#contact-elsewhere')?.text).toMatch(
      /Your organisation has another open referral of this person \(\S+\)\. It says: Do not tell: her husband\. It is not safe/,
    );
    const version = asked.page.querySelector('[name=version]')!.getAttribute('value')!;
    const refused = await referrer.send(location, { version });
    const link = refused.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href');
    expect([refused.status, link]).toEqual([422, '#contact_reason']);
    const contact_reason = 'She told me today that he has moved out.';
    const sent = await referrer.send(location, { version, contact_reason });
    expect(sent.location).toContain('done=sent');
    expect((await referrer.open(sent.location)).text).toContain(contact_reason);
  });

  it('leads on to the referral once sent, after Back and a reload', async () => {
    const asked = await checkPageFor({});
    const version = asked.page.querySelector('[name=version]')!.getAttribute('value')!;
    const [one, two] = await Promise.all([
      referrer.send(asked.path, { version }),
      referrer.send(asked.path, { version }),
    ]);
    expect([one.status, two.location]).toEqual([303, one.location]);
    const back = await referrer.open(asked.path);
    expect(back.text).toMatch(/This referral was sent at \d{1,2}(:\d\d)?(am|pm)\./);
    expect(back.page.querySelector('main form')).toBeNull();
    expect(back.page.querySelector('main a')?.getAttribute('href')).toBe(withoutQuery(one.location));
    expect((await referrer.send(asked.path, { version })).location).toBe(one.location);
  });

  it('shows again a draft that was changed meanwhile', async () => {
    const asked = await checkPageFor({});
    const version = asked.page.querySelector('[name=version]')!.getAttribute('value')!;
    const { right_person: _, ...changed }: Form = { ...aPerson(), family_name: 'Laterwood' };
    await referrer.send(asked.path.replace('/check', '/edit'), { ...changed, version });
    const again = await referrer.send(asked.path, { version });
    expect([again.status, again.text]).toEqual([412, expect.stringContaining('This draft was changed')]);
    expect(again.text).toContain('Laterwood');
    expect((await provider.open('/referrals')).text).not.toContain('Laterwood');
  });

  it('the page that asks sends nobody on whose form has a gap', async () => {
    const { location } = await referrer.send('/referrals/new', {
      ...(await anOpenForm()),
      given_name: 'Halfway',
      save_draft: 'yes',
    });
    const draft = withoutQuery(location);
    expect((await referrer.open(`${draft}/check`)).location).toBe(`${draft}/edit`);
    const stranger = await browser({ role: 'referrer', organisation: { name: 'Stranger surgery' } });
    expect((await stranger.open(`${draft}/check`)).status).toBe(404);
  });

  it('shows the answers that matter most, with links to change', async () => {
    const { text, page, path } = await checkPageFor({
      risk: 'yes',
      risk_told: 'Anna Smith, duty social worker',
      risk_told_at: '2026-11-20T10:30',
      urgency: 'urgent',
      share_with_gp: 'codes_only',
    });
    expect(page.querySelector('.nhsuk-tag--red')?.text).toBe('Yes');
    for (const words of [
      'You told Anna Smith, duty social worker on 20 November 2026 at 10:30am',
      'Urgent',
      'The person agreed.',
      'It is safe to contact the person.',
      'Coded entry only',
    ])
      expect(text).toContain(words);
    const edit = path.replace('/check', '/edit');
    const form = await referrer.open(edit);
    const links = page
      .querySelectorAll('.nhsuk-summary-list__actions a')
      .map((link) => link.getAttribute('href')!);
    for (const field of ['risk', 'urgency', 'agreement_basis', 'share_with_gp', 'contact_safe', 'given_name'])
      expect(links).toContain(`${edit}#${field}`);
    for (const link of links) expect(form.page.querySelector(link.replace(edit, '')), link).not.toBeNull();
  });

  it('shows all that will be sent, with address and reason', async () => {
    const { text, page, path } = await checkPageFor({
      address_line_1: '12 Orchard Row',
      reasons: 'She has nobody to talk to.',
      needs: 'social-connection',
      safety_notes: 'A dog at home.',
      safety_notes_for_practice: 'yes',
      carer_name: 'Ian Carer',
      interpreter: 'Polish',
      what_matters: 'Her garden.',
      support_offered: 'A lunch club.',
      on_behalf_of: 'Dr Best',
      source: 'self',
    });
    for (const words of [
      '12 Orchard Row',
      'She has nobody to talk to.',
      'Company and connection',
      'A dog at home.',
      'Ian Carer',
      'Polish',
      'Her garden.',
      'A lunch club.',
      'Dr Best',
    ])
      expect(text, words).toContain(words);
    const form = await referrer.open(path.replace('/check', '/edit'));
    for (const link of page.querySelectorAll('.nhsuk-summary-list__actions a')) {
      const [, field] = link.getAttribute('href')!.split('#');
      expect(form.page.querySelector(`#${field}`), field).not.toBeNull();
    }
  });

  it('its errors are listed in the order of its fields', async () => {
    const { page } = await referrer.send('/referrals/new', await anOpenForm());
    const listed = page
      .querySelectorAll('.nhsuk-error-summary a')
      .map((link) => link.getAttribute('href')!.slice(1));
    const onPage = page.querySelectorAll('#referral [id]').map(({ id }) => id);
    expect(listed.length).toBeGreaterThan(8);
    expect(listed).toEqual(listed.toSorted((one, other) => onPage.indexOf(one) - onPage.indexOf(other)));
  });

  it.each([
    'HR4 9DG',
    'LE1 1AA',
  ])('an area in words leaves out %s, which the site does not know', async (postcode) => {
    const serviceId = place.serviceId.replace(/^.{8}/, '00000000');
    const service = {
      id: serviceId,
      name: 'Valley visitors',
      status: 'active',
      organization: { id: place.organizationId, name: place.organizationName },
      service_areas: [
        { name: 'Valley', description: 'The town only: postcodes starting with ZT1, ZT2, ZT3 and ZT4.' },
      ],
    };
    const another = { ...service, id: `${serviceId}-2`, name: 'Valley callers' };
    const lines = [service, another].map((each) => `${JSON.stringify(each)}\n`);
    const file = Readable.from([Buffer.from(lines.join(''))]);
    await importServices(site.deps, siteActor, file);
    const open = await referrer.open(
      `/referrals/new?service=${serviceId}&postcode=${encodeURIComponent(postcode)}`,
    );
    expect(open.page.querySelector('.onward-beside__facts')?.text).toContain('Outside its area');
    const { right_person: _, ...person }: Form = { ...aPerson(), service: serviceId, postcode };
    const asked = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...person });
    expect([asked.status, asked.text]).toEqual([
      422,
      expect.stringContaining('Postcode is outside the area that the service serves'),
    ]);
    const listed = asked.page.querySelectorAll('.nhsuk-error-summary a').map((a) => a.getAttribute('href'));
    expect(listed).toEqual(['#postcode', '#fit_reason']);
    expect(asked.text).toContain('The service covers Valley. The town only: postcodes starting with ZT1');
    expect(asked.text).not.toContain('of other ages');
    const onPage = asked.page.querySelectorAll('#referral [id]').map(({ id }) => id);
    expect(onPage.indexOf('fit_reason')).toBeLessThan(onPage.indexOf('contact_safe'));
    const fit_misfits = asked.page.querySelector('[name=fit_misfits]')!.getAttribute('value')!;
    const answered = await checkPageFor({ ...person, fit_misfits, fit_reason: 'She moves there in May.' });
    expect(answered.text).toMatch(/Outside its area.*She moves there in May\./s);
    const sent = await sayYes(answered.path);
    expect((await referrer.open(sent.location)).text).toContain('She moves there in May.');
    const url = withoutQuery(sent.location);
    await provider.send(`${url}/reject`, {
      version: '2',
      reason_code: 'out-of-area',
      reason_text: 'Too far.',
    });
    const others = await referrer.open(`${url}/reroute`);
    expect(others.text).toMatch(/Valley callers.*Outside its area/s);
  });

  it('what only the checks find is said before the page asks', async () => {
    const first = aPerson();
    await referrer.send('/referrals/new', { ...(await anOpenForm()), ...first });
    const { right_person: _, ...person } = first;
    const ask = async (given: Form) =>
      referrer.send('/referrals/new', { ...(await anOpenForm()), ...person, ...given });
    const risk = await ask({ risk: 'yes' });
    expect([risk.status, risk.text]).toEqual([422, expect.stringContaining('call 999')]);
    const nobody = await ask({ risk: 'yes', risk_told: 'Nobody', risk_told_at: '2026-11-20T10:30' });
    expect([nobody.status, nobody.text]).toEqual([422, expect.stringContaining('Act on the risk first')]);
    const twice = await ask({});
    expect([twice.status, twice.page.querySelector('#allow_duplicate')]).toEqual([409, expect.anything()]);
    const meant = await checkPageFor({ ...person, allow_duplicate: 'yes' });
    expect(meant.text).toContain('You chose to send this one as well');
    expect((await sayYes(meant.path)).location).toContain('done=sent');
  });

  it('crisis words make the page ask about risk again', async () => {
    const ask = (given: Form) => checkPageFor({ reasons: 'She says that she wants to die.', ...given });
    const warned = (await ask({ risk: 'could_not_ask' })).page.querySelector('#danger')?.structuredText;
    for (const words of [
      'Your answer is “I could not ask”, but the reason for referral has words of a crisis.',
      'call 999',
      'safeguarding',
    ])
      expect(warned).toContain(words);
    const asked = await ask({ risk: 'no', what_matters: 'Not to be hit by her husband.' });
    expect(asked.page.querySelector('#danger')?.structuredText).toContain(
      'the reason for referral and what matters to the person have words of a crisis',
    );
    expect((await ask({ reasons: 'She is lonely.' })).page.querySelector('#danger')).toBeNull();
    const made = await sayYes(asked.path);
    expect(made.status, 'the person can go on').toBe(303);
    expect((await provider.open(made.location)).text).toContain(
      'The answer was “no”, but the reason for referral and what matters to the person may say otherwise: read it.',
    );
  });

  it('asks if it is really routine where harm may come', async () => {
    const urgencyOf = async (given: Form) => {
      const { page } = await checkPageFor({ urgency: 'routine', ...given });
      const row = page
        .querySelectorAll('.nhsuk-summary-list__row')
        .find((each) => each.querySelector('dt')?.text === 'How urgent')!;
      const links = row.querySelectorAll('a').map((each) => each.getAttribute('href')!);
      expect(links.filter((each) => each.startsWith('#') && !page.querySelector(each))).toEqual([]);
      return [row.structuredText, links.at(-1), links[0]] as const;
    };
    const question = 'Is it really routine?';
    const [words, href, toQuestion] = await urgencyOf({ reasons: 'She took an overdose last week.' });
    expect(words).toContain(question);
    expect(toQuestion).toBe('#urgency_decision');
    expect(href).toMatch(/\/edit#urgency$/);
    const told = { risk_told: 'Anna Smith, duty social worker', risk_told_at: '2026-11-20T10:30' };
    expect((await urgencyOf({ risk: 'yes', ...told }))[0]).toContain(question);
    expect((await urgencyOf({ reasons: 'She is lonely.' }))[0]).not.toContain(question);
    expect((await urgencyOf({ reasons: 'She wants to die.', urgency: 'urgent' }))[0]).not.toContain(question);
  });

  it('demands a decision on urgency where harm may come', async () => {
    const ask = () => checkPageFor({ reasons: 'She took an overdose last week.' });
    const { page, path } = await ask();
    expect(page.querySelectorAll('[name=urgency_decision]')).toHaveLength(2);
    expect(page.querySelector('[name=urgency_decision][checked]')).toBeNull();
    const version = page.querySelector('[name=version]')!.getAttribute('value')!;
    const send = (given: Form) => referrer.send(path, { version, ...given });
    const refused = async (given: Form) => {
      const answer = await send(given);
      return [answer.status, answer.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')];
    };
    expect(await refused({})).toEqual([422, '#urgency_decision']);
    expect(await refused({ urgency_decision: 'routine' })).toEqual([422, '#routine_reason']);
    const routine_reason = 'The crisis team saw her today.';
    const routine = await send({ urgency_decision: 'routine', routine_reason });
    expect((await provider.open(routine.location)).text).toContain(routine_reason);
    const other = await ask();
    const decided = { version: other.page.querySelector('[name=version]')!.getAttribute('value')! };
    const urgent = await referrer.send(other.path, { ...decided, urgency_decision: 'urgent' });
    const seen = await provider.open(urgent.location);
    expect(seen.page.querySelector('.onward-case__top .nhsuk-tag--red')!.text).toBe('Urgent');
  });

  it('says if codes alone tell the practice nothing of a risk', async () => {
    const asked = await checkPageFor({ reasons: 'She wants to die.', share_with_gp: 'codes_only' });
    expect(asked.page.querySelector('#practice-untold')?.structuredText).toContain(
      'Tell it by telephone if the person agrees, or if somebody is in danger.',
    );
    const { location } = await sayYes(asked.path);
    expect((await referrer.open(location)).text).toContain(
      'The GP practice gets codes only, and is told nothing of the risk.',
    );
    for (const given of [{ reasons: 'She wants to die.' }, { share_with_gp: 'codes_only' }])
      expect((await checkPageFor(given)).page.querySelector('#practice-untold')).toBeNull();
  });

  it('names at once all that is wrong, words of a crisis first', async () => {
    const own = await aService(site.deps, { minimumAge: 55 });
    const { share_with_gp: _, right_person: __, ...person } = aPerson();
    const child = { ...person, birth_year: '2014', reasons: 'She wants to kill herself.' };
    const form = { ...(await anOpenForm()), ...child, service: own.serviceId };
    const { page, status } = await referrer.send('/referrals/new', form);
    const links = page.querySelectorAll('.nhsuk-error-summary a').map((each) => each.getAttribute('href'));
    expect([status, links]).toEqual([
      422,
      ['#crisis', '#birth_day', '#share_with_gp', '#agreement_basis', '#fit_reason'],
    ]);
    const box = page.querySelector('[name=fit_misfits]')!.parentNode!.structuredText;
    expect(box).toMatch(/^\s*The service takes people aged \d+ and over\./);
    expect(box).toContain('Leave it blank to correct the date of birth instead');
    expect(box).not.toMatch(/area|postcode/);
    const facts = page.querySelector('.onward-beside__facts')!.text;
    expect(facts).toMatch(/Outside its ages: 1\d years old/);
    const misfits = page
      .querySelector('[name=fit_misfits]')!
      .getAttribute('value')!
      .replaceAll('&quot;', '"');
    const answers = { share_with_gp: 'no', agreement_basis: 'parental_responsibility' };
    const reason = { fit_reason: 'Her aunt runs it.', fit_misfits: misfits };
    const action = page.querySelector('#referral')!.getAttribute('action')!;
    const version = page.querySelector('[name=version]')!.getAttribute('value')!;
    const again = await referrer.send(action, { ...form, ...answers, ...reason, version });
    expect([again.status, again.location]).toEqual([303, expect.stringMatching(/check$/)]);
  });

  it('crisis words are pointed out on the form, before it is sent', async () => {
    const danger = { reasons: 'She wants to die.', risk: 'no' };
    const form = { ...(await anOpenForm()), ...aPerson() };
    const shown = await referrer.send('/referrals/new', { ...form, ...danger, given_name: '' });
    const crisis = shown.page.querySelector('#crisis');
    expect([crisis?.hasAttribute('hidden'), crisis?.structuredText]).toEqual([
      false,
      expect.stringContaining('If anybody is in danger now, call 999.'),
    ]);
    const calm = await referrer.send('/referrals/new', { ...form, given_name: '' });
    expect(calm.page.querySelector('#crisis')?.hasAttribute('hidden')).toBe(true);
  });

  it('asks to ring a service without an account about a danger', async () => {
    const { serviceId: service } = await aService(site.deps);
    const ring = async (given: Form) =>
      (await checkPageFor(given)).page.querySelector('#ring-service')?.structuredText;
    expect(await ring({ service, safety_notes: 'Her husband reads her post.' })).toContain('Ring them now');
    expect(await ring({ service })).toBeUndefined();
    expect(await ring({ safety_notes: 'Her husband reads her post.' })).toBeUndefined();
  });

  it('leaves urgency open until it is answered, also in a draft', async () => {
    const { urgency: _, ...typed }: Form = aPerson();
    const form = await referrer.open(`/referrals/new?service=${place.serviceId}`);
    expect(form.page.querySelector('[name=urgency][checked]')).toBeNull();
    const missing = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    expect(missing.page.querySelector('.nhsuk-error-summary')?.text).toContain(
      'Select how urgent the referral is',
    );
    const draft = { ...(await anOpenForm()), ...typed, save_draft: 'yes' };
    const { location } = await referrer.send('/referrals/new', draft);
    const edited = await referrer.open(`${withoutQuery(location)}/edit`);
    expect(edited.page.querySelector('#reasons')?.text).toBe('She is lonely.');
    expect(edited.page.querySelector('[name=urgency][checked]')).toBeNull();
  });

  it('answers that do not fit a choice are pointed out, not lost', async () => {
    const typed: Form = {
      ...aPerson(),
      contact_safe: 'yes',
      contact_only_at: 'weekdays before three',
      risk: 'no',
      risk_told: 'Her sister',
      agreement_basis: 'person',
      agreement_decided_by: 'Her son',
      gp_needed: 'no',
      gp_1_text: 'Check her blood pressure.',
    };
    const shown = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    const links = shown.page
      .querySelectorAll('.nhsuk-error-summary a')
      .map((link) => link.getAttribute('href'));
    expect(links.sort()).toEqual(['#agreement_basis', '#contact_safe', '#gp_needed', '#risk']);
    expect(shown.text).toContain('Select “Only at certain times or places”, or clear that field');
    expect(shown.page.querySelector('#contact_only_at')?.getAttribute('value')).toBe('weekdays before three');
  });

  it.each([
    ['nobody was told', {}],
    ['the time is missing', { risk_told: 'The police' }],
    ['the time is to come', { risk_told: 'The police', risk_told_at: '2999-01-01T10:00' }],
  ])('whom to call is shown where %s', async (_, told) => {
    const typed: Form = { ...aPerson(), risk: 'yes', ...told, right_person: 'yes' };
    const helpFor = async (form: Form) => {
      const shown = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...form });
      expect(shown.status).toBe(422);
      return shown.page.querySelector('.nhsuk-warning-callout')?.structuredText;
    };
    expect(await helpFor(typed)).toContain('call 999');
    // A time that is to come is found when the rest is right.
    const untold = { ...typed, risk_told_at: '', given_name: '', reasons: '' };
    expect(await helpFor(untold)).toContain('call 999');
  });

  it('keeps a task for the practice although “No” was selected', async () => {
    const id = (await aReferralPage()).split('/').at(-1)!;
    await provider.send(`/referrals/${id}/accept`, { version: '2' });
    const shown = await provider.send(`/referrals/${id}/complete`, {
      version: '3',
      outcome_code: 'goals-met',
      outcome_text: 'She sings.',
      gp_needed: 'no',
      gp_1_text: 'Check her blood pressure.',
    });
    expect(shown.status).toBe(422);
    expect(shown.text).toContain(
      'You entered what the practice has to do. Select “Yes”, or empty those fields',
    );
  });

  it('a task for the GP practice needs all its parts', async () => {
    const asks = {
      gp_needed: 'yes',
      gp_1_text: 'Check her blood pressure.',
      gp_1_asked_by: 'Jo, 01632 960 200',
    };
    const half = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...aPerson(), ...asks });
    expect(
      half.page.querySelectorAll('.nhsuk-error-summary a').map((link) => link.getAttribute('href')),
    ).toEqual(['#gp_1_day', '#gp_1_told']);
    expect(half.page.querySelector('#gp_1_text')?.text).toContain('Check her blood pressure.');
    const due = { gp_1_day: '1', gp_1_month: '3', gp_1_year: '2027', gp_1_told: 'yes' };
    const sent = { ...(await anOpenForm()), ...aPerson(), ...asks, ...due };
    const page = await provider.open((await referrer.send('/referrals/new', sent)).location);
    for (const words of ['Check her blood pressure.', '1 March 2027', 'Jo, 01632 960 200'])
      expect(page.text).toContain(words);
  });

  it('the form asks if contact is safe, and who agreed for a child', async () => {
    const { contact_safe: _, ...typed }: Form = { ...aPerson(), birth_year: '2015' };
    const missing = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    expect([
      missing.status,
      missing.text.includes('Select whether it is safe to contact the person'),
    ]).toEqual([422, true]);
    const { agreement_basis: __, ...unanswered } = typed;
    const form = await referrer.open(`/referrals/new?service=${place.serviceId}`);
    expect(form.page.querySelector('[name=agreement_basis][checked]'), 'no answer is preselected').toBeNull();
    const unsaid = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...unanswered });
    expect(unsaid.page.querySelector('.nhsuk-error-summary')?.text).toContain(
      'Select whether the person agrees, or who agreed for them',
    );
    const own = {
      ...typed,
      contact_safe: 'only_at',
      contact_only_at: 'school',
      contact_secret: 'his father',
    };
    const refused = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...own });
    expect([refused.status, refused.text.includes('The person is under 16')]).toEqual([422, true]);
    const judged = { agreement_judged_by: 'Dr Hale', agreement_when: '2026-11-20T10:00' };
    const whole = { ...own, ...judged, agreement_basis: 'other', agreement_other: 'competent_child' };
    const { location } = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...whole });
    const { text } = await provider.open(location);
    expect(text).toMatch(/Before you contact the person.*Do not tell: his father\..*school/s);
    expect(text).toContain('judged able to decide this: judged by Dr Hale on 20 November 2026');
    expect((await provider.open('/referrals')).text).toContain('Contact with care');
  });

  it('asks once whether the person agrees, with nothing ticked', async () => {
    const { page, text } = await referrer.open(`/referrals/new?service=${place.serviceId}`);
    expect(text.match(/Does the person agree/g)).toHaveLength(1);
    expect(text).not.toContain('Who agreed');
    expect(
      page.querySelectorAll('#referral input[checked]').map(({ attributes }) => attributes.name),
    ).toEqual([]);
    const buttons = page.querySelectorAll('.onward-send button').map((each) => each.text.trim());
    expect(buttons).toEqual(['Continue', 'Save as a draft']);
  });

  it('shows and keeps what was typed for another answer', async () => {
    const judged = { agreement_judged_by: 'Dr Hale', agreement_when: '2026-11-20T10:00' };
    const typed = { ...aPerson(), ...judged, agreement_basis: 'person', agreement_other: 'competent_child' };
    const refused = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('You entered who judged or decided');
    const chosen = (page: typeof refused.page, name: string) =>
      page.querySelector(`[name=${name}][checked]`)?.getAttribute('value');
    expect([chosen(refused.page, 'agreement_basis'), chosen(refused.page, 'agreement_other')]).toEqual([
      'person',
      'competent_child',
    ]);
    expect(fieldOf(refused, 'agreement_judged_by')).toBe('Dr Hale');
    const draft = refused.page.querySelector('#referral')!.getAttribute('action')!;
    const again = await referrer.open(draft);
    expect(fieldOf(again, 'agreement_judged_by'), 'the draft has it').toBe('Dr Hale');
    expect(chosen(again.page, 'agreement_basis')).toBe('person');
  });

  it('asks who it was if somebody else agreed, and keeps it', async () => {
    const typed = { ...aPerson(), agreement_basis: 'other' };
    const refused = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    expect([refused.status, refused.text.includes('Select who agreed')]).toEqual([422, true]);
    expect(refused.page.querySelector('[name=agreement_basis][checked]')?.getAttribute('value')).toBe(
      'other',
    );
  });

  it('saves no draft that would lose what was typed', async () => {
    const typed = { ...aPerson(), contact_safe: 'yes', contact_only_at: 'weekdays', save_draft: 'yes' };
    const refused = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    expect([refused.status, refused.text.includes('You entered when or where it is safe')]).toEqual([
      422,
      true,
    ]);
    expect(fieldOf(refused, 'contact_only_at')).toBe('weekdays');
    const { contact_only_at: _, ...clear } = typed;
    const saved = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...clear });
    expect(saved.status).toBe(303);
  });

  it('lets no child under 10 agree alone, and flags one of 11', async () => {
    const judged = {
      agreement_basis: 'competent_child',
      agreement_judged_by: 'Dr Hale',
      agreement_when: '2026-11-20T10:00',
    };
    const sent = async (birth_year: string) =>
      referrer.send('/referrals/new', { ...(await anOpenForm()), ...aPerson(), ...judged, birth_year });
    const refused = await sent('2018');
    expect([refused.status, refused.text.includes('The child was under 10 when that was judged')]).toEqual([
      422,
      true,
    ]);
    const { location } = await sent('2015');
    expect((await provider.open(location)).text).toMatch(
      /A young child agreed\s+The child was judged competent at age 11 by Dr Hale\./,
    );
    expect((await provider.open((await sent('2011')).location)).text).not.toContain('A young child agreed');
  });

  it('a practice is told of a sensitive service only if chosen', async () => {
    const { serviceId } = await aService(site.deps, { serviceName: 'Larkspur House' });
    const chosen = async () => {
      const { page } = await referrer.open(`/referrals/new?service=${serviceId}`);
      return page.querySelector('[name=share_with_gp][checked]')?.getAttribute('value');
    };
    expect(await chosen()).toBeUndefined();
    await markSensitive(site.deps.db, serviceId);
    expect(await chosen()).toBe('no');
    const hidden = await referrer.open(`/referrals/new?service=${serviceId}`);
    expect(hidden.page.querySelector('title')!.text, 'titles stay in the history').not.toContain('Larkspur');
    const key = hidden.page.querySelector('[name=idempotency_key]')!.getAttribute('value')!;
    const form = { ...aPerson(), service: serviceId, idempotency_key: key, share_with_gp: 'yes' };
    const { location } = await referrer.send('/referrals/new', form);
    expect((await referrer.open(location)).text).toMatch(/GP practice.*Infirmary Lane Surgery/s);
  });

  it('tells a practice of sensitive services only if chosen', async () => {
    const refuge = await aService(site.deps);
    const organisation = {
      name: refuge.organizationName,
      libraryOrganizationId: refuge.organizationId,
    };
    const worker = await browser({ role: 'referrer', organisation });
    const asked = async () => {
      const { page, text } = await worker.open(`/referrals/new?service=${place.serviceId}`);
      return [page.querySelector('[name=share_with_gp][checked]')?.getAttribute('value'), text] as const;
    };
    expect((await asked())[0]).toBeUndefined();
    await markSensitive(site.deps.db, refuge.serviceId);
    const [chosen, text] = await asked();
    expect(chosen).toBe('no');
    expect(text).toContain('the copy names your organisation');
  });

  it('people cannot refer themselves', async () => {
    const email = 'own.address@example.org';
    const holder = await browser({ email, organisation: { name: 'Own Surgery' } });
    const sent = await holder.send('/referrals/new', { ...(await anOpenForm(holder)), ...aPerson(), email });
    expect(sent.status).toBe(422);
    expect(sent.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe('#email');
    expect(sent.text).toContain('ask a colleague to refer you');
  });
});

describe('the practice on the form', () => {
  it('is found by its name and chosen; nothing typed is lost', async () => {
    await aPractice(site.deps, 'Z99011', 'Spindle Hill Surgery');
    await aPractice(site.deps, 'Z99012', 'Spindle Lane Practice');
    const typed = { ...aPerson(), gp_ods_code: ' spindel ', family_name: '' };
    const asked = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    expect(asked.status).toBe(422);
    const summary = asked.page.querySelectorAll('.nhsuk-error-summary a');
    expect(summary.map((link) => link.getAttribute('href'))).toEqual(['#family_name', '#gp_choice']);
    for (const link of summary) expect(asked.page.querySelector(link.getAttribute('href')!)).not.toBeNull();
    expect(offered(asked.page)).toEqual(['Z99011', 'Z99012']);
    expect(asked.text).toContain('1 High Street, Sarrowby, ZT1 1AA (Z99011)');
    expect(asked.page.querySelector('#gp_ods_code')?.getAttribute('value')).toBe(' spindel ');
    expect(asked.page.querySelector('#reasons')?.text).toBe('She is lonely.');

    const choice = { ...typed, gp_choice: 'Z99012', gp_offered_for: 'spindel' };
    const again = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...choice });
    expect(again.page.querySelectorAll('.nhsuk-error-summary a')).toHaveLength(1);
    expect(offered(again.page)).toEqual(['Z99011', 'Z99012 chosen']);
    const made = await referrer.send('/referrals/new', {
      ...(await anOpenForm()),
      ...choice,
      family_name: 'Found',
    });
    expect(made.status).toBe(303);
    expect((await referrer.open(made.location)).text).toContain('Spindle Lane Practice');
  });

  it('is never taken from a name without a choice for that name', async () => {
    await aPractice(site.deps, 'Z99021', 'Ravensett Practice');
    const typed = { ...aPerson(), gp_ods_code: 'ravensett practice' };
    const alone = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...typed });
    expect(alone.status).toBe(422);
    expect(offered(alone.page)).toEqual(['Z99021']);
    for (const wrong of [
      { gp_choice: 'Z99001', gp_offered_for: 'infirmary lane' },
      { gp_choice: 'Z99021', gp_offered_for: '' },
      { gp_choice: 'X0-', gp_offered_for: 'ravensett practice' },
    ]) {
      const { status, page } = await referrer.send('/referrals/new', {
        ...(await anOpenForm()),
        ...typed,
        ...wrong,
      });
      expect(status).toBe(422);
      expect(offered(page)).toEqual(['Z99021']);
    }
  });

  it('is asked of staff of a practice; its error names the field', async () => {
    const organisation = { name: 'Infirmary Lane Practice', odsCode: 'Z99001' };
    const receptionist = await browser({ role: 'referrer', organisation });
    const { page } = await receptionist.open(`/referrals/new?service=${place.serviceId}`);
    expect(page.querySelector('label[for=gp_ods_code]')!.text.trim()).toBe('Name or code of the GP practice');
    const form = { ...(await anOpenForm(receptionist)), ...aPerson(), gp_ods_code: '' };
    const errors = async (given: object) => {
      const sent = await receptionist.send('/referrals/new', { ...form, ...given });
      const links = sent.page.querySelectorAll('.nhsuk-error-summary a');
      return links.map((link) => [link.getAttribute('href'), link.text.trim()]);
    };
    expect(await errors({})).toEqual([
      ['#gp_from', 'Select which GP practice the person is with, or “Not known, or none”'],
    ]);
    expect(await errors({ gp_from: 'other' })).toEqual([
      ['#gp_ods_code', 'Enter the name or code of the GP practice'],
    ]);
    expect(await errors({ gp_from: 'none' })).toEqual([]);
  });

  it('if unknown, asks nothing more, and a draft keeps that', async () => {
    const organisation = { name: 'Weir Lane Practice', odsCode: 'Z99001' };
    const receptionist = await browser({ role: 'referrer', organisation });
    const { share_with_gp: _, right_person: __, ...person } = aPerson();
    const form = { ...(await anOpenForm(receptionist)), ...person, gp_ods_code: '', gp_asked: 'yes' };
    const chosen = async (path: string) => {
      const { page } = await receptionist.open(path);
      const ticked = page.querySelectorAll('[name=gp_from][checked], [name=share_with_gp][checked]');
      return ticked.map((each) => each.getAttribute('value'));
    };
    const { location } = await receptionist.send('/referrals/new', { ...form, gp_from: 'none' });
    expect(location).toMatch(/\/check$/);
    const path = location.replace(/\/check$/, '');
    expect(await chosen(`${path}/edit`)).toEqual(['none']);
    const { page } = await receptionist.open(location);
    const version = page.querySelector('[name=version]')!.getAttribute('value')!;
    expect((await receptionist.send(location, { version })).location).toContain('done=sent');
    const { content } = (await storedReferral(site.deps.db, path.split('/').at(-1)!)) as never as {
      content: { consent: { share_with_gp: unknown; wording: string }; no_practice?: true };
    };
    expect([content.consent.share_with_gp, content.no_practice]).toEqual([false, undefined]);
    expect(content.consent.wording).not.toContain('May their GP practice be told?');
  });

  it('is found by a button that sends nothing', async () => {
    const waiting = async () =>
      (await referrer.open('/referrals?view=made&tab=unanswered')).page.querySelector('tbody')?.text;
    const before = await waiting();
    const find = async (form: Form) =>
      referrer.send('/referrals/new', { ...(await anOpenForm()), ...form, find_practice: 'yes' });
    const empty = await find({ given_name: 'Early', gp_ods_code: 'infirmary' });
    expect(empty.status).toBe(200);
    expect(empty.page.querySelector('.nhsuk-error-summary')).toBeNull();
    expect(offered(empty.page)).toEqual(['Z99001']);
    expect(empty.page.querySelector('#given_name')?.getAttribute('value')).toBe('Early');
    const complete = await find(aPerson());
    expect(complete.status).toBe(200);
    expect(offered(complete.page)).toEqual(['Z99001 chosen']);
    for (const [text, says] of [
      ['', 'Enter the name or code of the GP practice'],
      ['xyzzyq', 'No GP practice like that'],
      ['?', 'No GP practice like that'],
      ['& | ! :*', 'No GP practice like that'],
      ['infirmary '.repeat(500), 'No GP practice like that'],
    ] as const) {
      const none = await find({ ...aPerson(), gp_ods_code: text });
      expect(none.status).toBe(422);
      expect(none.text).toContain(says);
      expect(none.page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe('#gp_ods_code');
    }
    expect(await waiting()).toBe(before);
  });
});

describe('a draft on the form', () => {
  it('is saved, continued and sent, and told what is missing', async () => {
    const { given_name, family_name } = aPerson() as { given_name: string; family_name: string };
    const begun = { given_name, family_name, what_matters: 'To sing.' };
    const saved = await referrer.send('/referrals/new', {
      ...(await anOpenForm()),
      ...begun,
      save_draft: 'yes',
    });
    expect(saved.status).toBe(303);
    const draft = await referrer.open(saved.location);
    expect(draft.text).toContain('The draft was saved.');
    expect(draft.text).toContain('Only your organisation sees this draft');
    const missing = draft.page.querySelectorAll('.onward-missing a');
    const path = withoutQuery(saved.location);
    expect(missing.map((link) => [link.getAttribute('href'), link.text])).toEqual(
      expect.arrayContaining([
        [`${path}/edit#birth_day`, 'Enter the person’s date of birth'],
        [`${path}/edit#urgency`, 'Select how urgent the referral is'],
      ]),
    );
    expect((await provider.open(saved.location)).status).toBe(404);
    const url = withoutQuery(saved.location);
    const edit = `${url}/edit`;
    const form = await referrer.open(edit);
    expect(form.page.querySelector('#what_matters')?.text.trim()).toBe('To sing.');
    const early = await referrer.send(edit, { ...begun, version: '1', ethnicity: 'White Polish' });
    expect([early.status, early.page.querySelector('#ethnicity')?.getAttribute('value')]).toEqual([
      422,
      'White Polish',
    ]);
    const version = early.page.querySelector('[name=version]')?.getAttribute('value') ?? '';
    expect(version).toBe('2');
    const stale = await referrer.send(edit, { ...aPerson(), version: '1' });
    expect([stale.status, stale.text.includes('This draft was changed somewhere else')]).toEqual([412, true]);
    const whole = await referrer.send(edit, { ...aPerson(), version, save_draft: 'yes' });
    expect((await referrer.open(whole.location)).text).toContain('Nothing is missing');
    expect((await referrer.send(edit, { ...aPerson(), version: '3' })).location).toBe(`${url}?done=sent`);
    expect((await provider.open(saved.location)).text).toContain('Waiting for you to answer');
    expect((await referrer.open(edit)).location).toBe(url);
  });

  it('is kept only once something is said of the person', async () => {
    const worker = await browser({ role: 'referrer', organisation: { name: 'Orchard Surgery' } });
    const drafts = async () =>
      (await worker.open('/referrals?view=made')).page.querySelectorAll('tbody tr').length;
    const empty = { ...(await anOpenForm(worker)), postcode: 'ZT1 3GH', urgency: 'routine' };
    expect((await worker.send('/referrals/new', empty)).status).toBe(422);
    expect((await worker.send('/referrals/new', { ...empty, autosave: 'yes' })).status).toBe(204);
    const refused = await worker.send('/referrals/new', { ...empty, save_draft: 'yes' });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('To save a draft, enter the person’s name or why you are referring them'),
    ]);
    expect(await drafts()).toBe(0);
    const begun = { ...empty, given_name: 'M', autosave: 'yes' };
    expect((await worker.send('/referrals/new', begun)).status).toBe(200);
    for (const given_name of ['Ma', 'Margaret']) {
      const form = { ...empty, given_name };
      expect((await worker.send('/referrals/new', { ...form, save_draft: 'yes' })).status).toBe(303);
      expect((await worker.send('/referrals/new', form)).status).toBe(422);
    }
    expect(await drafts()).toBe(1);
  });

  it('is made of a form that comes back, and offered again', async () => {
    const worker = await browser({ role: 'referrer', organisation: { name: 'Meadow Surgery' } });
    const form = { ...(await anOpenForm(worker)), family_name: 'Lovel', nhs_number: '999' };
    const returned = await worker.send('/referrals/new', form);
    expect(returned.status).toBe(422);
    expect(returned.page.querySelector('#nhs_number')?.getAttribute('value')).toBe('999');
    const edit = returned.page.querySelector('#referral')?.getAttribute('action');
    expect(edit).toMatch(/^\/referrals\/[0-9a-f-]{36}\/edit$/);
    const again = await worker.open(`/referrals/new?service=${place.serviceId}`);
    expect(again.page.querySelector('#begun a')?.getAttribute('href')).toBe(edit);
    const draft = await worker.open(edit!);
    expect(draft.page.querySelector('#family_name')?.getAttribute('value')).toBe('Lovel');
    const colleague = await referrer.open(`/referrals/new?service=${place.serviceId}`);
    expect(colleague.page.querySelector('#begun a')?.getAttribute('href')).not.toBe(edit);
  });

  it('keeps the searched age and its links after an error', async () => {
    const { page } = await referrer.open(`/referrals/new?service=${place.serviceId}&age=78`);
    const hidden = page.querySelectorAll('#referral input[type=hidden]');
    const form = Object.fromEntries(
      hidden.map((each) => [each.getAttribute('name'), each.getAttribute('value')]),
    ) as Form;
    const expectBoth = ({ text, status }: { text: string; status: number }) => {
      expect([status, text]).toEqual([422, expect.stringContaining('Born in 1947 or 1948')]);
      expect(text).toContain('Refer somebody you referred before');
    };
    expectBoth(await referrer.send('/referrals/new', form));
    const saved = await referrer.send('/referrals/new', { ...form, given_name: 'Ada', save_draft: 'yes' });
    const edit = `${withoutQuery(saved.location)}/edit`;
    expectBoth(await referrer.send(edit, { ...form, given_name: 'Ada', version: '1' }));
  });
});

describe('the form for a file', () => {
  it('asks for a file, and says which kinds it may be', async () => {
    const url = await aReferralPage();
    const attach = async (name: string, content: string) => {
      const head = `content-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream`;
      const answer = await site.app.inject({
        method: 'POST',
        url: `${url}/attachments`,
        headers: {
          cookie: referrer.cookie,
          'sec-fetch-site': 'same-origin',
          'content-type': 'multipart/form-data; boundary=edge',
        },
        payload: `--edge\r\n${head}\r\n\r\n${content}\r\n--edge--\r\n`,
      });
      return parse(answer.body).querySelector('.nhsuk-error-summary a')?.text.trim();
    };
    expect(await attach('', '')).toBe('Choose a file');
    expect(await attach('notes.txt', 'She is shy.')).toBe('The file must be a PDF, PNG or JPEG');
  });
});

describe('a postcode that the site does not know', () => {
  it('is to be checked before it counts as outside the area', async () => {
    const csv = 'postcode,latitude,longitude\nZT1 3GH,54,-2\nHR4 9DG,52,-2\n';
    await importPostcodes(site.deps, siteActor, Readable.from([Buffer.from(csv)]));
    const serviceId = place.serviceId.replace(/^.{8}/, '00000001');
    const service = {
      id: serviceId,
      name: 'Valley readers',
      status: 'active',
      organization: { id: place.organizationId, name: place.organizationName },
      service_areas: [{ name: 'Valley', description: 'Postcodes starting with ZT1 and ZT2.' }],
    };
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(`${JSON.stringify(service)}\n`)]));
    const errorsFor = async (postcode: string) => {
      const { right_person: _, ...person }: Form = { ...aPerson(), service: serviceId, postcode };
      const { page } = await referrer.send('/referrals/new', { ...(await anOpenForm()), ...person });
      return page.querySelectorAll('.nhsuk-error-summary a').map(({ text }) => text.trim());
    };
    const hint = 'If that is right, say why you are referring them all the same';
    expect(await errorsFor('ZZ99 9ZZ')).toEqual([
      'We do not know this postcode: check it. As it is, it is outside the area that the service serves',
      hint,
    ]);
    expect(await errorsFor('HR4 9DG')).toEqual([
      'Postcode is outside the area that the service serves',
      hint,
    ]);
  });
});
