import { beforeAll, describe, expect, it } from 'vitest';
import { storedEntries } from '../../../../test/audit/stored.ts';
import { outlineServiceArea } from '../../../../test/library/stored.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { storedReferral } from '../../../../test/referrals/stored.ts';
import { savePostcodes } from '../../../library/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';

const fixture = await referralPagesFixture();

const { aPerson, anOpenForm, site, place, referrer, provider, aReferralPage, filledCorrection } = fixture;
const { withoutQuery } = fixture;

describe('corrections on the pages', () => {
  it('both sides see the old and the new telephone number', async () => {
    const url = await aReferralPage();
    const form = await filledCorrection(referrer, url);
    expect(form).toMatchObject({ address_line_1: '4 Mill Lane', urgency: 'routine', version: '2' });
    const wrong = await referrer.send(`${url}/correct`, { ...form, telephone: 'none' });
    expect([wrong.status, wrong.text.includes('Enter a telephone number')]).toEqual([422, true]);
    const changed = { ...form, telephone: '01632 960987', urgency: 'urgent', safety_notes: 'A dog.' };
    const { location } = await referrer.send(`${url}/correct`, changed);
    expect((await referrer.open(location)).text).toContain('The corrections were saved');
    const { text } = await provider.open(url);
    expect(text).toMatch(/Urgent.*Details corrected.*Telephone number: 01632 960987 \(before: nothing\)/s);
    expect(text).not.toContain('Address: ');
  });

  it('begin with closed parts; the case links to each field', async () => {
    const url = await aReferralPage({
      needs: 'benefits-debt',
      carer_name: 'Ian',
      telephone: '01632 960001',
      contact_channel: 'telephone',
    });
    for (const who of [referrer, provider]) {
      const { page } = await who.open(`${url}/correct`);
      expect(page.querySelectorAll('main form details[open]')).toEqual([]);
      const inside = page.querySelectorAll('.onward-fold__holds').map((each) => each.text);
      expect(inside).toEqual(
        ['Telephone only', 'Benefits or debt', 'Ian'].map((words) => `, filled in: ${words}`),
      );
      const jumps = page.querySelectorAll('.onward-jump a').map((each) => each.getAttribute('href')!);
      const { page: ofCase } = await who.open(url);
      const ofRows = ofCase.querySelectorAll('.onward-correct').map((each) => each.getAttribute('href')!);
      expect(ofRows).toEqual(
        ['needs', 'address_line_1', 'telephone', 'carer_name'].map((field) => `${url}/correct#${field}`),
      );
      const fields = [...jumps, ...ofRows.map((href) => href.replace(/^.*#/, '#'))];
      for (const field of fields) expect(page.querySelector(field), field).not.toBeNull();
    }
    const { page: failed } = await referrer.send(`${url}/correct`, {
      ...(await filledCorrection(referrer, url)),
      carer_telephone: 'none',
    });
    expect(failed.querySelectorAll('main form details[open] summary').map((each) => each.text)).toEqual([
      expect.stringContaining('Carer'),
    ]);
    await provider.open(url);
    await referrer.send(`${url}/cancel`, { version: '2', reason_code: 'moved-away' });
    expect((await referrer.open(url)).page.querySelectorAll('.onward-correct')).toEqual([]);
  });

  it('write one reading to the audit if a correction is refused', async () => {
    const url = await aReferralPage();
    const form = await filledCorrection(referrer, url);
    const looks = async () =>
      (await storedEntries(site.deps.db, { action: 'referral.read', subjectId: url.split('/').at(-1)! }))
        .length;
    const before = await looks();
    await referrer.send(`${url}/correct`, { ...form, telephone: 'none' });
    expect(await looks()).toBe(before + 1);
  });

  it('are shown again as typed if the version is older', async () => {
    const url = await aReferralPage();
    const form = await filledCorrection(referrer, url);
    await referrer.send(`${url}/correct`, { ...form, telephone: '01632 960987' });
    const late = await referrer.send(`${url}/correct`, { ...form, telephone: '01632 960111' });
    expect(late.status).toBe(412);
    expect(late.text).toContain('The referral has changed since you opened this page');
    expect(late.page.querySelector('#telephone')?.getAttribute('value')).toBe('01632 960111');
    expect(late.page.querySelector('[name=version]')?.getAttribute('value')).toBe('3');
  });

  it('undo nothing that others put right while a page was open', async () => {
    const url = await aReferralPage();
    const form = await filledCorrection(referrer, url);
    const theirs = await filledCorrection(provider, url);
    await provider.send(`${url}/correct`, { ...theirs, contact_safe: 'no', contact_secret: 'her husband' });
    const late = await referrer.send(`${url}/correct`, { ...form, preferred_contact: 'letter' });
    expect([late.status, late.page.querySelector('#contact_secret')?.getAttribute('value')]).toEqual([
      412,
      'her husband',
    ]);
    expect(late.page.querySelector('#preferred_contact')?.getAttribute('value')).toBe('letter');
    const before = late.page.querySelector('[name=before]')!.getAttribute('value')!;
    const again = { ...form, contact_safe: 'no', contact_secret: 'her husband', version: '3', before };
    await referrer.send(`${url}/correct`, { ...again, preferred_contact: 'letter' });
    const { text } = await provider.open(url);
    expect(text).toMatch(
      /Do not tell: her husband\. It is not safe to contact the person.*Other wishes about contact\s+letter/s,
    );
  });

  it('let staff of the service change only how to reach them', async () => {
    const url = await aReferralPage();
    const { page, text } = await provider.open(`${url}/correct`);
    expect(page.querySelector('#safety_notes, #gp_ods_code, [name=urgency]')).toBeNull();
    expect(text).toContain('write to the organisation that made the referral');
    const form = await filledCorrection(provider, url);
    await provider.send(`${url}/correct`, { ...form, email: 'margaret@example.org', urgency: 'urgent' });
    expect((await referrer.open(url)).text).toMatch(/^(?!.*Urgent).*Email address: margaret@example.org/s);
  });

  it('an unknown practice is refused, and the old one stays', async () => {
    const url = await aReferralPage();
    const form = await filledCorrection(referrer, url);
    const unknown = await referrer.send(`${url}/correct`, { ...form, gp_ods_code: 'Nowhere' });
    expect([unknown.status, unknown.text.includes('No GP practice like that')]).toEqual([422, true]);
    await referrer.send(`${url}/correct`, { ...form, gp_ods_code: '' });
    expect((await referrer.open(url)).text).toMatch(/GP practice\s+None was named/);
  });
});

describe('a correction of the postcode on the pages', () => {
  /** The service says that it takes people around the first postcode, and not the second. */
  beforeAll(async () => {
    await inTransaction(site.deps.db, (trx) =>
      savePostcodes(trx, [
        { postcode: 'ZT1 3GH', latitude: 52.1, longitude: -2.7 },
        { postcode: 'ZT9 9ZZ', latitude: 53.1, longitude: -2.7 },
        { postcode: 'ZT9 9ZY', latitude: 53.1, longitude: -2.7 },
      ]),
    );
    await outlineServiceArea(site.deps.db, place.serviceId, '((-2.8,52),(-2.6,52),(-2.6,52.2),(-2.8,52.2))');
  });

  it('tells its maker that it is out of the area, and asks why', async () => {
    const url = await aReferralPage();
    const form = await filledCorrection(referrer, url);
    const moved = { ...form, address_line_1: '1 Far Road', postcode: 'ZT9 9ZZ' };
    const asked = await referrer.send(`${url}/correct`, moved);
    expect(asked.status).toBe(422);
    expect(asked.page.querySelector('.nhsuk-error-summary')!.text).toContain(
      'Postcode is outside the area that the service serves',
    );
    expect((await referrer.open(url)).text).not.toContain('1 Far Road');
    const fit_reason = 'She goes there by bus, and they agreed.';
    const { location } = await referrer.send(`${url}/correct`, { ...moved, fit_reason });
    expect((await referrer.open(location)).text).toContain('The corrections were saved');
    expect((await provider.open(url)).text).toMatch(/1 Far Road.*She goes there by bus/s);
    // The next correction begins without a reason that somebody gave for another place.
    expect((await filledCorrection(referrer, url)).fit_reason).toBeUndefined();
  });

  it('asks again why the referral stays if it is another one', async () => {
    const url = await aReferralPage();
    const form = await filledCorrection(referrer, url);
    const asked = await referrer.send(`${url}/correct`, { ...form, postcode: 'ZT9 9ZZ' });
    const fit_misfits = asked.page.querySelector('[name=fit_misfits]')!.getAttribute('value')!;
    const answered = { ...form, fit_misfits, fit_reason: 'She goes there by bus, and they agreed.' };
    const other = await referrer.send(`${url}/correct`, { ...answered, postcode: 'ZT9 9ZY' });
    expect([other.status, other.page.querySelector('#fit_reason')!.text.trim()]).toEqual([422, '']);
    expect((await referrer.send(`${url}/correct`, { ...answered, postcode: 'ZT9 9ZZ' })).status).toBe(303);
  });

  it('asks again for a draft, too, that has an older reason', async () => {
    const away = { ...(await anOpenForm()), ...aPerson(), postcode: 'ZT9 9ZZ' };
    const asked = await referrer.send('/referrals/new', away);
    const fit_misfits = asked.page.querySelector('[name=fit_misfits]')!.getAttribute('value')!;
    const why = { fit_misfits, fit_reason: 'She goes there by bus, and they agreed.' };
    const { location } = await referrer.send('/referrals/new', { ...away, ...why, save_draft: 'yes' });
    const draft = `${withoutQuery(location)}/edit`;
    const again = { ...away, ...why, version: '2', postcode: 'ZT9 9ZY' };
    const refused = await referrer.send(draft, again);
    expect([refused.status, refused.page.querySelector('#fit_reason')!.text.trim()]).toEqual([422, '']);
    const version = refused.page.querySelector('[name=version]')!.getAttribute('value')!;
    const sent = await referrer.send(draft, { ...again, version, postcode: 'ZT9 9ZZ' });
    expect(sent.location).toContain('sent');
  });

  it('is taken once confirmed if the site does not know it', async () => {
    const url = await aReferralPage();
    const form = await filledCorrection(provider, url);
    const unknown = { ...form, postcode: 'ZT5 5AB' };
    const asked = await provider.send(`${url}/correct`, unknown);
    expect([asked.status, asked.text.includes('We do not know this postcode')]).toEqual([422, true]);
    const box = asked.page.querySelector('[name=postcode_confirmed]')!.getAttribute('value')!;
    const confirmed = { ...unknown, postcode_confirmed: box };
    const mistyped = await provider.send(`${url}/correct`, { ...confirmed, postcode: 'ZT5 5AC' });
    expect(mistyped.status).toBe(422);
    expect((await provider.send(`${url}/correct`, confirmed)).status).toBe(303);
    const { right_person: _, ...typed } = aPerson();
    const { location } = await referrer.send('/referrals/new', {
      ...(await anOpenForm()),
      ...typed,
      postcode: 'ZT5 5AB',
    });
    const shown = await referrer.open(location);
    expect(shown.text).toMatch(/Is this the right person.*We do not know this postcode/s);
    for (const text of [shown.text, (await provider.open(url)).text])
      expect(text).toContain('We could not check whether the service covers this postcode');
    expect((await provider.open(await aReferralPage())).text).not.toContain('We could not check');
  });

  it('is told in the same words where a referral is new', async () => {
    const { text } = await referrer.send('/referrals/new', {
      ...(await anOpenForm()),
      ...aPerson(),
      postcode: 'ZT9 9ZZ',
    });
    expect(text).toContain('Postcode is outside the area that the service serves');
  });

  it('is for staff of the service to judge, who know their area', async () => {
    const url = await aReferralPage();
    const form = await filledCorrection(provider, url);
    const { status } = await provider.send(`${url}/correct`, { ...form, postcode: 'ZT9 9ZZ' });
    expect(status).toBe(303);
  });
});

describe('a changed agreement on the pages', () => {
  it('stops what the practice lacks; names who has a letter', async () => {
    const url = await aReferralPage();
    // The name of something that every object has is no answer.
    expect((await provider.send(`${url}/agreement`, { share_with_gp: 'constructor' })).status).toBe(422);
    const unanswered = await provider.send(`${url}/agreement`, {});
    expect([unanswered.status, unanswered.text.includes('Select what the GP practice may have')]).toEqual([
      422,
      true,
    ]);
    const { location } = await provider.send(`${url}/agreement`, { share_with_gp: 'no' });
    const { text } = await provider.open(location);
    expect(text).toMatch(/The agreement was saved.*GP practice is not to be told/s);
    expect(text).toContain(
      'What the GP practice may have: Nothing. Do not contact the practice about this person (before: A copy)',
    );
  });

  it('asks who said so for a child, and shows it', async () => {
    const url = await aReferralPage({ birth_year: '2014', agreement_basis: 'parental_responsibility' });
    const { text: form } = await referrer.open(`${url}/agreement`);
    expect(form).toMatch(/Who said so\?.*under 16(?!.*leave this blank)/s);
    const change = { share_with_gp: 'no' };
    const summaryOf = async (given: Record<string, string>) => {
      const { status, page } = await referrer.send(`${url}/agreement`, { ...change, ...given });
      return [status, page.querySelector('.nhsuk-error-summary a')?.text.trim()];
    };
    expect(await summaryOf({})).toEqual([422, 'Select who said so']);
    const competent = { agreement_basis: 'competent_child', agreement_judged_by: 'Dr Moss' };
    expect(await summaryOf(competent)).toEqual([422, 'Enter when that was judged']);
    const when = { agreement_when: '2026-11-20T10:00' };
    const saved = await referrer.send(`${url}/agreement`, { ...change, ...competent, ...when });
    expect((await referrer.open(saved.location)).text).toMatch(
      /Somebody with parental responsibility agreed\..*not to show it in the person’s online record.*The child said so, and was judged able to decide this: judged by Dr Moss on 20 November 2026\./s,
    );
  });

  it('asks why the practice is told more than a child decided', async () => {
    const url = await aReferralPage({ birth_year: '2014', agreement_basis: 'parental_responsibility' });
    const { location } = await referrer.send(`${url}/agreement`, {
      share_with_gp: 'no',
      agreement_basis: 'person',
    });
    expect((await referrer.open(location)).text).toContain('This was changed. The person said so.');
    const more = { share_with_gp: 'yes', agreement_basis: 'parental_responsibility' };
    const { status, page } = await referrer.send(`${url}/agreement`, more);
    const link = page.querySelector('.nhsuk-error-summary a');
    expect([status, link?.text.trim(), link?.getAttribute('href')]).toEqual([
      422,
      'Enter why the practice is told more than the person decided themselves',
      '#agreement_reason',
    ]);
    const saved = await referrer.send(`${url}/agreement`, { ...more, agreement_reason: 'She is unwell.' });
    expect((await referrer.open(saved.location)).text).toContain(
      'Why, although the person had decided otherwise: She is unwell.',
    );
  });

  it('may leave out who said so where the person did', async () => {
    const url = await aReferralPage();
    expect((await referrer.open(`${url}/agreement`)).text).toContain(
      'You can leave this blank if the person said so, and the practice is told no more than before',
    );
    const { location } = await referrer.send(`${url}/agreement`, { share_with_gp: 'no' });
    expect((await referrer.open(location)).text).not.toContain('said so');
    const { status, page } = await referrer.send(`${url}/agreement`, { share_with_gp: 'yes' });
    expect([status, page.querySelector('.nhsuk-error-summary a')?.text.trim()]).toEqual([
      422,
      'Select who said so, because the practice is told more than before',
    ]);
  });

  it('ends the referral when the person does not want it', async () => {
    const url = await aReferralPage();
    await referrer.send(`${url}/agreement`, { share_with_gp: 'no', referral: 'no' });
    const { text } = await referrer.open(url);
    expect(text).toContain('Cancelled');
    expect(text).not.toContain('Correct the details');
    expect((await referrer.open(`${url}/correct`)).status).toBe(303);
  });
});

describe('things that have changed, on the pages', () => {
  it('are told, read by name, and can make it urgent', async () => {
    const url = await aReferralPage();
    const empty = await referrer.send(`${url}/things-have-changed`, { text: ' ' });
    expect([empty.status, empty.text.includes('Enter what has changed')]).toEqual([422, true]);
    const news = { text: 'Her daughter has moved away.', urgency: 'urgent' };
    const { location } = await referrer.send(`${url}/things-have-changed`, news);
    expect((await referrer.open(location)).text).toContain('Nobody has confirmed yet');
    const asProvider = await provider.open(url);
    expect(asProvider.text).toMatch(/Things have changed, and the referral became urgent\s+Her daughter/);
    const confirm = asProvider.page.querySelector('form[action$="/confirm"]')!.getAttribute('action')!;
    await provider.send(confirm, {});
    expect((await referrer.open(url)).text).toMatch(/read it on \d+ \w+ \d{4}/);
    expect((await provider.open(url)).page.querySelector('form[action$="/confirm"]')).toBeNull();
  });

  it('cannot be told of a referral that has ended meanwhile', async () => {
    const url = await aReferralPage();
    await referrer.send(`${url}/agreement`, { share_with_gp: 'no', referral: 'no' });
    const late = await provider.send(`${url}/things-have-changed`, { text: 'She has moved.' });
    expect([late.status, late.location.startsWith(url)]).toEqual([303, true]);
  });
});

describe('a death, on the pages', () => {
  it('ends the referral once confirmed, and can be taken back', async () => {
    const url = await aReferralPage();
    const nobody = await provider.send(`${url}/died`, { told_by: ' ' });
    expect([nobody.status, nobody.text.includes('Enter who told you')]).toEqual([422, true]);
    const date = { died_day: '20', died_month: '11', died_year: '2026' };
    const future = await provider.send(`${url}/died`, { told_by: 'The ward', ...date, died_year: '2030' });
    expect([future.status, future.text.includes('must not be in the future')]).toEqual([422, true]);
    const { location } = await provider.send(`${url}/died`, { told_by: 'The ward', ...date });
    expect((await provider.open(location)).text).toContain(
      'Nothing more is sent about the person’s referrals.',
    );
    const told = await referrer.open(url);
    expect(told.text).toMatch(
      /said to have died\s+Told by: The ward\. Reported here by .+, on .*Date of death: 20 November 2026\.\s+That is before the day on which their agreement.*Please confirm it or take it back by \d/s,
    );
    expect((await provider.open('/referrals')).text).toContain('you to confirm that the person has died, or');
    await referrer.send(`${url}/died/confirm`, {});
    const { text: ended } = await referrer.open(url);
    expect(ended).toMatch(
      /Ended: the person has died.*Nothing more to do.*Told by: The ward\. Date of death: 20 November/s,
    );
    expect(ended).not.toContain('Cancelled');
    expect(ended).not.toContain('Refer to another service');
    expect(
      (await referrer.open('/referrals?view=made&waiting=yes')).page.querySelector(`a[href^="${url}"]`),
    ).toBeNull();
    await provider.send(`${url}/died/undo`, {});
    const { text } = await referrer.open(url);
    expect(text).toMatch(/(Not opened yet|Opened, not answered).*Death report withdrawn/s);
    expect(text).not.toContain('It was a mistake');
  });

  it('is remarked on if it is before the agreement, and only then', async () => {
    const remark = 'before the day on which their agreement to this referral was recorded';
    const [before, after] = [await aReferralPage(), await aReferralPage()];
    const died = { told_by: 'The ward', died_month: '11', died_year: '2026' };
    await provider.send(`${before}/died`, { ...died, died_day: '20' });
    await provider.send(`${after}/died`, { ...died, died_day: '21' });
    for (const reader of [referrer, provider]) {
      expect((await reader.open(before)).text).toContain(remark);
      const shown = (await reader.open(after)).text;
      expect(shown).toContain('said to have died');
      expect(shown).not.toContain(remark);
    }
  });

  it('keeps staff from the person in a list’s file at once', async () => {
    const url = await aReferralPage();
    const { reference } = await storedReferral(site.deps.db, url.split('/').at(-1)!);
    await provider.send(`${url}/died`, { told_by: 'The ward' });
    for (const [reader, view] of [
      [provider, 'received'],
      [referrer, 'made'],
    ] as const) {
      const csv = await reader.open(`/referrals.csv?view=${view}`);
      const line = csv.page.textContent.split('\n').find((each) => each.includes(reference));
      expect(line).toContain('Do not contact: we were told that the person has died.');
    }
  });

  it('is called a decline by no page or file, before an answer', async () => {
    const url = await aReferralPage();
    await provider.send(`${url}/died`, { told_by: 'The ward' });
    await provider.send(`${url}/died/confirm`, {});
    for (const [reader, view] of [
      [provider, 'received'],
      [referrer, 'made'],
    ] as const) {
      const { page, text } = await reader.open(url);
      expect(text).toContain('Ended, because the person has died');
      expect(page.querySelector('main')!.textContent).not.toMatch(/declined/i);
      const list = await reader.open(`/referrals?view=${view}&tab=ended&status=rejected`);
      const row = list.page.querySelector(`a[href^="${url}"]`)!.closest('tr')!;
      expect(row.textContent).toContain('Ended: the person has died');
      const csv = await reader.open(`/referrals.csv?view=${view}&tab=ended`);
      expect(csv.page.textContent).toContain('Ended: the person has died');
    }
  });

  it('is taken back by its reporters, or by operators with reasons', async () => {
    const url = await aReferralPage();
    await provider.send(`${url}/died`, { told_by: 'The ward' });
    const shown = await referrer.open(url);
    expect(shown.page.querySelector('form[action$="/died/undo"]')).toBeNull();
    expect(shown.text).toContain('If you know that the person is alive, tell');
    expect((await referrer.send(`${url}/died/undo`, {})).status).toBe(403);
    const operator = await signedInBrowser(site, { role: 'operator' });
    await operator.send(`${url}/open`, { reason: 'The family rang us.' });
    expect((await operator.open(url)).page.querySelector('#undo_reason')).not.toBeNull();
    const silent = await operator.send(`${url}/died/undo`, { undo_reason: ' ' });
    expect([silent.status, silent.text.includes('Say how you know it')]).toEqual([422, true]);
    await operator.send(`${url}/died/undo`, { undo_reason: 'Two patients were mixed up.' });
    expect((await referrer.open(url)).text).toMatch(
      /(Not opened yet|Opened, not answered).*Death report withdrawn/s,
    );
  });

  it('shows the person’s other referrals, to confirm or take back', async () => {
    const person = { family_name: 'Twice', given_name: 'Referred', nhs_number: '' };
    const [one, other] = [
      await aReferralPage(person),
      await aReferralPage({ ...person, allow_duplicate: 'yes' }),
    ];
    await referrer.send(`${one}/died`, { told_by: 'Her son' });
    const { location } = await referrer.send(`${one}/died/confirm`, {});
    const { text, page } = await referrer.open(location);
    expect(text).toMatch(
      /because the person has died.*Ended: the person has died.*Other referrals of this person/s,
    );
    expect(page.querySelector(`main a[href="${other}"]`)).not.toBeNull();
    expect((await referrer.open(other)).text).toContain('The person is said to have died');
    await referrer.send(`${one}/died/undo`, {});
    const after = await referrer.open(one);
    expect(after.text).toMatch(/(Not opened yet|Opened, not answered).*Death report withdrawn/s);
    expect(after.text).not.toContain('Other referrals of this person');
    expect((await referrer.open(other)).text).not.toContain('said to have died');
  });
});
