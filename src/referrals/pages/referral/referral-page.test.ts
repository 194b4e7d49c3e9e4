import { describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { markSensitive } from '../../../../test/library/stored.ts';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { referralSuccess } from '../referral-page-address.ts';

const { site, browser, referrer, provider, place, aReferralPage } = await referralPagesFixture();

/** The steps as the page says them: “Done: Sent”. */
async function stepsOn(path: string, who = referrer): Promise<string[]> {
  const { page } = await who.open(path);
  return page.querySelectorAll('.onward-step').map((each) => {
    const [meaning, text] = each.querySelectorAll('span').map((part) => part.text);
    return `${meaning}${text}`;
  });
}

const reason = { reason_code: 'no-capacity', reason_text: 'Full until January.' };

describe('the steps of a referral', () => {
  it('lead from sent to completed', async () => {
    const path = await aReferralPage();
    expect(await stepsOn(path)).toEqual([
      'Now: Sent',
      'Not yet: Received',
      'Not yet: Accepted',
      'Not yet: Started',
      'Not yet: Completed',
    ]);
    await provider.open(path);
    expect((await stepsOn(path))[1]).toBe('Now: Received');
    await provider.send(`${path}/accept`, { version: '2' });
    await provider.send(`${path}/hold`, { version: '3', ...reason });
    expect((await stepsOn(path)).slice(2)).toEqual([
      'Done: Accepted',
      'Now: On the waiting list',
      'Not yet: Started',
      'Not yet: Completed',
    ]);
    await provider.send(`${path}/start`, { version: '4' });
    const outcome = { outcome_code: 'goals-met', outcome_text: 'She joined the choir.', gp_needed: 'no' };
    await provider.send(`${path}/complete`, { version: '5', ...outcome });
    expect((await stepsOn(path)).every((step) => step.startsWith('Done'))).toBe(true);
  });

  it('lead from completing to the goals, to set or change them', async () => {
    const path = await aReferralPage();
    await provider.send(`${path}/accept`, { version: '2' });
    await provider.send(`${path}/start`, { version: '3' });
    const without = await provider.open(`${path}/complete`);
    expect(without.text).toContain('Reports count help by the goals that are set and met. Set goals before');
    await provider.send(`${path}/goals`, { version: '4', goal_1_text: 'To sing again' });
    const { page } = await provider.open(`${path}/complete`);
    const link = page.querySelector(`form a[href="${path}/goals"]`);
    expect(link?.text).toBe('the goals');
    expect(page.querySelectorAll('[name=goal_1_result]').map((each) => each.getAttribute('value'))).toEqual([
      'achieved',
      'partly',
      'not',
    ]);
  });

  it('leave out what a completed referral never was', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    await provider.send(`${path}/accept`, { version: '2' });
    const outcome = { outcome_code: 'goals-met', outcome_text: 'She joined the choir.', gp_needed: 'no' };
    const { location } = await provider.send(`${path}/complete`, { version: '3', ...outcome });
    expect(await stepsOn(path)).toEqual([
      'Done: Sent',
      'Done: Received',
      'Done: Accepted',
      'Done: Completed',
    ]);
    const { page } = await provider.open(location);
    expect(page.querySelector('.nhsuk-notification-banner__content')!.text).toContain('the referrer is told');
  });

  it('end where it was declined or sent by mistake', async () => {
    const declined = await aReferralPage();
    await provider.open(declined);
    await provider.send(`${declined}/reject`, { version: '2', ...reason });
    expect(await stepsOn(declined)).toEqual(['Done: Sent', 'Done: Received', 'Ended: Declined']);
    const withdrawn = await aReferralPage();
    await referrer.send(`${withdrawn}/withdraw-as-error`, { version: '2' });
    expect((await stepsOn(withdrawn)).at(-1)).toBe('Ended: Sent by mistake');
  });
});

describe('the page of a referral that was just sent', () => {
  it('says where it is once, and nothing of what was not asked', async () => {
    const path = await aReferralPage();
    const { page, text } = await referrer.open(`${path}?done=sent`);
    expect(page.querySelector('.nhsuk-notification-banner')!.text).toContain('The referral was sent');
    const turn = page.querySelector('.onward-turn')!.text.trim().replace(/\.$/, '');
    expect(text.split(turn)).toHaveLength(2);
    expect(text).not.toContain('Not asked.');
    expect(
      page.querySelector('.onward-part:has(#person-page)')?.classList.contains('onward-no-print') ?? true,
    ).toBe(true);
  });
});

describe('the warning about safe contact', () => {
  const warningsOn = async (path: string) => {
    const { page, text } = await provider.open(path);
    expect(text).toContain('Before you contact the person');
    return page.querySelectorAll('.nhsuk-warning-callout h2').map((each) => each.text);
  };
  const outcome = { outcome_code: 'goals-met', outcome_text: 'She joined the choir.', gp_needed: 'no' };

  it('is a plain line once it ended, unless it endangers', async () => {
    const answers = [{ contact_voicemail: 'no' }, { contact_secret: 'Her son' }];
    const found = [];
    for (const answer of answers) {
      const path = await aReferralPage({ contact_voicemail: 'no', ...answer } as Record<string, string>);
      const before = await warningsOn(path);
      await provider.send(`${path}/accept`, { version: '2' });
      await provider.send(`${path}/complete`, { version: '3', ...outcome });
      found.push([before.length, (await warningsOn(path)).length]);
    }
    expect(found).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });
});

describe('the page of a referral', () => {
  it('has one main action, decline beside it, others under More', async () => {
    const path = await aReferralPage();
    const mainOf = async (who: typeof provider) =>
      (await who.open(path)).page.querySelectorAll('.onward-main-action').map(({ text }) => text.trim());
    expect(await mainOf(provider)).toEqual(['Accept the referral']);
    expect(await mainOf(referrer)).toEqual([]);
    const { page } = await provider.open(path);
    const second = page.querySelectorAll('.onward-second-actions a').map(({ text }) => text.trim());
    expect(second).toEqual(['Accept to the waiting list', 'Decline the referral']);
    expect(page.querySelector('.onward-case-more')!.text).not.toContain('Decline the referral');
    const own = (await referrer.open(path)).page;
    expect(own.querySelectorAll('.onward-second-actions a').map(({ text }) => text.trim())).toEqual([
      'Message the service',
      'Cancel the referral',
    ]);
    const more = own.querySelector('.onward-case-more')!;
    expect(more.querySelector('summary')!.text).toBe('More: change or end the referral');
    expect(more.querySelectorAll('h3').map(({ text }) => text)).toEqual([
      'Change the referral',
      'End the referral',
    ]);
    expect(more.querySelectorAll('h3 ~ ul')[1]!.text.trim()).toBe('The person has died');
    await provider.send(`${path}/accept`, { version: '2' });
    const ofProvider = (await provider.open(path)).page.querySelector('.onward-case-more')!.text;
    for (const words of [
      'Close without completing: you could not help',
      'Cancel: the person no longer needs it',
    ])
      expect(ofProvider).toContain(words);
    // “Next: contact Margaret” and the button say the same.
    expect(await mainOf(provider)).toEqual(['Log a contact']);
    await provider.send(`${path}/contacts`, { contact_kind: 'telephone', contact_reached: 'yes' });
    expect(await mainOf(provider)).toEqual(['Start supporting the person']);
    await provider.send(`${path}/start`, { version: '3' });
    expect(await mainOf(provider)).toEqual(['Complete the referral']);
  });

  it('folds every form but the main action', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    await provider.send(`${path}/accept`, { version: '2' });
    for (const who of [provider, referrer]) {
      const { page } = await who.open(path);
      const unfolded = page
        .querySelectorAll('.onward-case form')
        .filter((form) => !form.closest('details:not([open])'))
        .map((form) => form.getAttribute('action')!.split('/').at(-1));
      expect(unfolded).toEqual(who === provider ? ['start'] : []);
    }
  });

  it('links its panel to the form of a message and a contact', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    await provider.send(`${path}/accept`, { version: '2' });
    const formOf = async (who: typeof provider, label: string, form: string) => {
      const panel = (await who.open(path)).page.querySelectorAll('.onward-case__side a.nhsuk-button');
      const href = panel.find(({ text }) => text.trim() === label)!.getAttribute('href')!;
      return (await who.open(href.split('#')[0]!)).page.querySelector(`form[action="${path}/${form}"]`)!;
    };
    for (const [who, label, form] of [
      [referrer, 'Message the service', 'messages'],
      [provider, 'Message the referrer', 'messages'],
      [provider, 'Log a contact', 'contacts'],
    ] as const)
      expect((await formOf(who, label, form)).closest('details')!.hasAttribute('open'), label).toBe(true);
  });

  it('accepts to the waiting list in one step, with a reason', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    const { page } = await provider.open(`${path}/accept-to-wait`);
    expect(page.querySelector('h1')!.text).toContain('Accept to the waiting list');
    expect((await provider.send(`${path}/accept-to-wait`, { version: '2' })).status).toBe(422);
    const sent = await provider.send(`${path}/accept-to-wait`, { version: '2', ...reason });
    expect([sent.status, sent.location]).toEqual([303, `${path}?done=hold`]);
    expect(await stepsOn(path)).toContain('Now: On the waiting list');
    expect(await stepsOn(path)).toContain('Done: Accepted');
    const again = await provider.send(`${path}/accept-to-wait`, { version: '2', ...reason });
    expect(again.status).toBe(412);
    expect((await referrer.open(`${path}/accept-to-wait`)).status).toBe(403);
    expect((await provider.open(`${path}/accept-to-wait`)).location).toBe(path);
  });

  it('says on a wait’s form that it is urgent, and its next date', async () => {
    const path = await aReferralPage({ urgency: 'urgent' });
    await provider.open(path);
    await provider.send(`${path}/accept`, { version: '2' });
    const { text } = await provider.open(`${path}/hold`);
    expect(text).toContain('This referral is urgent, and due on');
    expect(text).toContain(`By 27 November 2026 at the latest, check again`);
    await provider.send(`${path}/hold`, { version: '3', ...reason });
    for (const who of [provider, referrer])
      expect((await who.open(path)).text).toContain(
        `The referral was urgent. Next check of the wait: 27 November 2026`,
      );
    const routine = await aReferralPage();
    await provider.open(routine);
    const form = (await provider.open(`${routine}/accept-to-wait`)).text;
    expect([form.includes('is urgent'), form.includes('check again that the person')]).toEqual([false, true]);
  });

  it('makes links of the ways of contact that are safe alone', async () => {
    const linksOn = async (given: Record<string, string>) => {
      const path = await aReferralPage({ telephone: '01632 960123', email: 'm@example.org', ...given });
      const links = (await provider.open(path)).page.querySelectorAll('.onward-case__main dd a');
      return links.map((link) => link.getAttribute('href')!).filter((href) => /^(tel|mailto):/.test(href));
    };
    expect(await linksOn({})).toEqual(['tel:01632960123', 'mailto:m@example.org']);
    expect(await linksOn({ contact_channel: 'email' })).toEqual(['mailto:m@example.org']);
    expect(await linksOn({ contact_channel: 'telephone' })).toEqual(['tel:01632960123']);
    expect(await linksOn({ contact_safe: 'no' })).toEqual([]);
  });

  it('folds who was told, history and empty parts on a phone', async () => {
    const { page } = await referrer.open(await aReferralPage());
    const folded = page.querySelectorAll('.onward-unfolds > summary').map(({ text }) => text.trim());
    expect(folded).toEqual([
      'Sent: step 1 of 5',
      'The referral',
      'Your team',
      'Who has been told',
      'History',
    ]);
    expect(page.querySelectorAll('.onward-part__none').length).toBeGreaterThan(0);
  });

  it('opens a form that was refused', async () => {
    const path = await aReferralPage();
    const { page } = await provider.send(`${path}/messages`, { text: '' });
    const open = page.querySelectorAll('details[open] form').map((form) => form.getAttribute('action'));
    expect(open).toEqual([`${path}/messages`]);
  });

  it('has the newest of its history, and folds the rest', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    await provider.send(`${path}/accept`, { version: '2' });
    for (const text of ['One', 'Two']) await provider.send(`${path}/messages`, { text });
    const { page } = await referrer.open(path);
    const folded = page.querySelectorAll('.onward-prints .onward-timeline__entry').length;
    expect(page.querySelectorAll('.onward-timeline__entry').length - folded).toBe(3);
    expect(page.querySelector('.onward-prints summary')!.text.trim()).toBe(`Show ${folded} earlier`);
  });

  it('asks for the reason first, and ends with one button', async () => {
    const path = await aReferralPage();
    const { page, text } = await provider.open(`${path}/reject`);
    const parts = page
      .querySelectorAll('main input[type=radio], main textarea, main details, main button')
      .map((part) => part.getAttribute('value') ?? part.getAttribute('name') ?? part.tagName);
    expect(parts.slice(0, 1)).toEqual(['no-capacity']);
    expect(parts.slice(parts.indexOf('other'))).toEqual(['other', 'reason_text', 'DETAILS', 'yes', 'BUTTON']);
    expect(page.querySelectorAll('main button').at(-1)!.text.trim()).toBe('Decline the referral');
    expect(text).toContain('For 10 minutes you can take it back');
    // The tick stands below the reason to which it belongs.
    const declined = page
      .querySelectorAll('.nhsuk-radios__item')
      .find((each) => each.innerHTML.includes('client-declined'))!;
    expect(declined.nextElementSibling!.querySelector('[name=declines]')).not.toBeNull();
  });

  it('says why it was declined above “Find another service”', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    await provider.send(`${path}/reject`, { version: '2', ...reason });
    const side = (await referrer.open(path)).page.querySelector('.onward-case__side')!.text;
    const why = `Why ${place.organizationName} declined: The service is full at present.`;
    expect(side).toContain(why);
    expect(side).toContain('Find another service, or close this referral.');
    expect(side.indexOf(why)).toBeLessThan(side.lastIndexOf('Find another service'));
    expect((await provider.open(path)).text).toContain(
      'Why it was declined: The service is full at present.',
    );
  });

  it('has no main action for those who cancelled it themselves', async () => {
    const path = await aReferralPage();
    await referrer.send(`${path}/cancel`, { version: '2', reason_code: 'moved-away' });
    const side = (await referrer.open(path)).page.querySelector('.onward-case__side')!;
    expect(side.text).toContain('Nothing more to do');
    expect(side.querySelectorAll('.onward-main-action, .onward-second-actions')).toEqual([]);
    const link = side.querySelector(`.onward-case-more a[href="${path}/reroute"]`);
    expect(link?.text).toBe('Find another service');
  });

  it('says of both ways to cancel that they are final', async () => {
    const path = await aReferralPage();
    for (const action of ['cancel', 'withdraw-as-error', 'withdraw'])
      expect((await referrer.open(`${path}/${action}`)).text).toContain('You cannot open it again');
  });

  it('declines with a reason, and not without one', async () => {
    const path = await aReferralPage();
    const none = await provider.send(`${path}/reject`, { version: '2' });
    expect(none.text).toContain('Select the reason');
    const unexplained = await provider.send(`${path}/reject`, { version: '2', reason_code: 'other' });
    expect(unexplained.page.querySelector('label[for=reason_text]')!.text).not.toContain('optional');
    const chosen = await provider.send(`${path}/reject`, { version: '2', reason_code: 'no-capacity' });
    expect(chosen.location).toBe(`${path}?done=reject`);
  });

  it('says with a success what is still to be done, and by when', async () => {
    const path = await aReferralPage();
    const bannerOn = async (who: typeof provider, location: string) =>
      (await who.open(location)).page.querySelector('.nhsuk-notification-banner__content')!.text;
    const message = await referrer.send(`${path}/messages`, { text: 'She prefers mornings.' });
    expect(await bannerOn(referrer, message.location)).toContain(
      'Your message was sent. The answer appears here.',
    );
    await provider.open(path);
    const accepted = await provider.send(`${path}/accept`, { version: '2' });
    expect(await bannerOn(provider, accepted.location)).toMatch(
      /You accepted the referral.*Next: contact Margaret by \d/s,
    );
    const bannerOf = (await provider.open(`${path}?done=accept`)).page.querySelector(
      '.nhsuk-notification-banner',
    )!;
    expect(bannerOf.text).toMatch(/Open the next referral\..*more needs? an answer/s);
    const waiting = await provider.send(`${path}/hold`, { version: '3', ...reason });
    expect(await bannerOn(provider, waiting.location)).toContain(
      'The person is on your waiting list. Start when there is a place.',
    );
  });

  it('says with each success at most two short sentences', () => {
    const codes = referralSuccess.query.anyOf.map((each) => each.const);
    for (const code of codes) {
      const words = referralSuccess.words(code)!;
      expect(words.length, words).toBeLessThanOrEqual(96);
      expect(words.split(/[.?!]( |$)/).filter((part) => part?.trim()).length, words).toBeLessThanOrEqual(2);
    }
  });

  it('says why before the buttons, and the steps in one line', async () => {
    const path = await aReferralPage({ reasons: 'She is lonely.' });
    const { page, text } = await provider.open(path);
    const main = page.querySelector('main')!.text;
    expect(main.indexOf('What it is about')).toBeLessThan(main.indexOf('Accept the referral'));
    expect(main.indexOf('years old')).toBeLessThan(main.indexOf('Accept the referral'));
    expect(page.querySelector('.onward-case__side summary')!.text.trim()).toBe('Received: step 2 of 5');
    expect(text).toContain('What it is about');
    await provider.send(`${path}/reject`, { version: '2', ...reason });
    const ended = (await provider.open(path)).page.querySelector('.onward-case__side summary')!;
    expect(ended.text.trim()).toBe('Declined');
  });

  it('leads from the wait to the form that changes it', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    await provider.send(`${path}/accept-to-wait`, { version: '2', ...reason });
    const linkOn = async (who: typeof provider) =>
      (await who.open(path)).page.querySelector(`.onward-case__side a[href="${path}/change-wait"]`);
    const link = (await linkOn(provider))!;
    expect([link.text, link.closest('details')]).toEqual(['Change the reason or date of the wait', null]);
    expect(await linkOn(referrer)).toBeNull();
  });

  it('names the service and its organisation below the person', async () => {
    const path = await aReferralPage();
    const top = (await provider.open(path)).page.querySelector('.onward-case__top')!;
    expect(top.querySelector('h1 + .onward-case__service')!.text).toBe(
      `Service: ${place.serviceName}, ${place.organizationName}`,
    );
    const seenByOperator = await (await browser({ role: 'operator' })).open(path);
    expect(seenByOperator.page.querySelector('h1')!.text).toContain(place.serviceName);
    expect(seenByOperator.page.querySelector('.onward-case__service')!.text).toBe(place.organizationName);
  });

  it('keeps a restricted service from colleagues in its heading', async () => {
    const { serviceId, organizationName } = await aService(site.deps);
    await markSensitive(site.deps.db, serviceId);
    const path = await aReferralPage({ service: serviceId });
    const colleague = await browser({ role: 'referrer', organisation: { name: 'Infirmary Lane Surgery' } });
    const top = (await colleague.open(path)).page.querySelector('.onward-case__top')!;
    expect(top.querySelector('.onward-case__service')!.text).toBe('Service: A restricted service');
    expect(top.text).not.toContain(organizationName);
    const own = (await referrer.open(path)).page.querySelector('.onward-case__service')!;
    expect(own.text).toContain(organizationName);
  });

  it('confirms beside its form what was sent far down the page', async () => {
    const path = await aReferralPage();
    const { location } = await provider.send(`${path}/messages`, { text: 'When may we ring?' });
    expect(location).toBe(`${path}?done=message#done`);
    const { page } = await provider.open(location.split('#')[0]!);
    const [banner, ...others] = page.querySelectorAll('.nhsuk-notification-banner');
    expect(others).toEqual([]);
    // The browser puts the focus on it, so that a screen reader reads it.
    expect([banner!.id, banner!.getAttribute('tabindex')]).toEqual(['done', '-1']);
    expect(banner!.text).toContain('Your message was sent.');
    expect(banner!.nextElementSibling!.querySelector('#messages')).not.toBeNull();
    const note = await provider.send(`${path}/notes`, { note: 'She sounds tired.' });
    const own = (await provider.open(note.location.split('#')[0]!)).page;
    const team = own.querySelector('#done')!.nextElementSibling!;
    expect([team.hasAttribute('open'), team.querySelector('#team')?.text]).toEqual([true, 'Your team']);
  });

  it('has the conversation below, and a link to it at the top', async () => {
    const path = await aReferralPage();
    const headings = async (who: typeof provider) =>
      (await who.open(path)).page.querySelectorAll('.onward-case__main h2').map(({ text }) => text);
    const above = ['The person', 'The referral', 'Contact with the person'];
    expect((await headings(provider)).slice(0, 4)).toEqual([...above, 'Messages']);
    await referrer.send(`${path}/messages`, { text: 'She prefers mornings.' });
    const top = (await referrer.open(path)).page.querySelectorAll('.onward-case__top a[href="#messages"]');
    expect(top, 'to the writer').toEqual([]);
    const { page } = await provider.open(path);
    expect(page.querySelector('.onward-case__top a[href="#messages"]')!.text).toBe('1 new message');
    const shown = page.querySelectorAll('.onward-case__main h2').map(({ text }) => text);
    expect(shown.slice(0, 4)).toEqual([...above, 'Messages 1 new']);
    expect((await headings(provider)).slice(0, 4)).toEqual([...above, 'Messages']);
  });

  it('shows danger before progress, and age beside birth date', async () => {
    const path = await aReferralPage({ contact_safe: 'no' });
    const { text } = await provider.open(path);
    expect(text.indexOf('It is not safe to contact')).toBeLessThan(text.indexOf('Progress'));
    expect(text).toContain('9 March 1947 (79 years old)');
  });

  it('says who of the other side has read a message', async () => {
    const path = await aReferralPage();
    await referrer.send(`${path}/messages`, { text: 'She prefers mornings.' });
    const lastRead = async () => (await referrer.open(path)).page.querySelector('.onward-thread__read')?.text;
    expect(await lastRead()).toBe('Not read yet');
    const seen = (await provider.open(path)).page.querySelector('.onward-thread__item')!;
    expect(seen.querySelector('.onward-thread__read')).toBeNull();
    expect(seen.text).toContain('Today 9:30am');
    expect(await lastRead()).toBe('Read by Test Person');
  });

  it('merges what happened in one order of time, the newest first', async () => {
    const path = await aReferralPage();
    await provider.send(`${path}/accept`, { version: '2' });
    site.clock.moveOn(60_000);
    await provider.send(`${path}/messages`, { text: 'When may we ring?' });
    site.clock.moveOn(60_000);
    await referrer.send(`${path}/agreement`, { share_with_gp: 'no' });
    const { page } = await referrer.open(path);
    const happened = page.querySelectorAll('.onward-timeline__entry strong').map(({ text }) => text);
    expect(happened).toEqual([
      'Agreement changed',
      'Message sent',
      'Seen by a person at the service',
      'Accepted',
      'Referral made',
      'Begun',
    ]);
  });

  it('shows names in any script, and markup as text', async () => {
    const path = await aReferralPage({ given_name: 'مريم 🌻', family_name: '<script>alert(1)</script>' });
    const { page } = await provider.open(path);
    expect(page.querySelector('h1 bdi')!.text).toContain('مريم 🌻 <script>alert(1)</script>');
    expect(page.querySelectorAll('main script')).toHaveLength(0);
  });

  it('shows an operator the progress, and nothing of the person', async () => {
    const path = await aReferralPage();
    await referrer.send(`${path}/messages`, { text: 'A private word.' });
    const { text } = await (await browser({ role: 'operator' })).open(path);
    expect(text).toContain('Progress');
    expect(text).not.toMatch(/Margaret|private word|Read by|1947/);
  });
});

describe('words of a crisis that somebody wrote since', () => {
  it('stand out at the top of the page', async () => {
    for (const [form, part] of [
      ['messages', 'a message'],
      ['things-have-changed', 'what has changed'],
    ]) {
      const path = await aReferralPage();
      const banner = `Words of a crisis are in ${part}: read it.`;
      expect((await provider.open(path)).text).not.toContain(banner);
      await referrer.send(`${path}/${form}`, { text: 'She says that she wants to die.' });
      const { page } = await provider.open(path);
      expect(
        page
          .querySelectorAll('.nhsuk-warning-callout')
          .map((each) => each.text)
          .join(),
      ).toContain(banner);
    }
  });

  it('tell the writer of a private note that nobody else was told', async () => {
    const path = await aReferralPage();
    const warning = 'Words of a crisis are in a private note.';
    await provider.send(`${path}/notes`, { note: 'She sounds tired.' });
    expect((await provider.open(path)).text).not.toContain(warning);
    await provider.send(`${path}/notes`, { note: 'She says she will kill herself tonight.' });
    expect((await provider.open(path)).text).toContain(warning);
    expect((await referrer.open(path)).text).not.toContain(warning);
  });

  it('ask to tell the practice, which gets no letter about them', async () => {
    const untold = 'The GP practice has not been told of this.';
    const said = { text: 'She says that she wants to die.' };
    const path = await aReferralPage();
    await referrer.send(`${path}/messages`, { text: 'She is away this week.' });
    expect((await referrer.open(path)).text).not.toContain(untold);
    await referrer.send(`${path}/messages`, said);
    expect((await referrer.open(path)).text).toContain(
      `${untold} Tell the practice too: Infirmary Lane Surgery, 01632 960001.`,
    );
    // A referral that becomes urgent makes a letter, which asks a clinician to ring.
    const urgent = await aReferralPage();
    await referrer.send(`${urgent}/things-have-changed`, { ...said, urgency: 'urgent' });
    expect((await referrer.open(urgent)).text).not.toContain(untold);
    const unshared = await aReferralPage({ share_with_gp: 'codes_only' });
    await referrer.send(`${unshared}/messages`, said);
    expect((await referrer.open(unshared)).text).toContain(
      `${untold} The person did not agree that the practice reads such things. Ask them, or your safeguarding lead, before you tell Infirmary Lane Surgery`,
    );
  });
});
