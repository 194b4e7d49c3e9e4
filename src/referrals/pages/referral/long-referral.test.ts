import { describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { markSensitive } from '../../../../test/library/stored.ts';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';
import { setRestricted } from '../../../../test/referrals/stored.ts';
import { codedFieldsInWords } from '../../model/presentation/coded-fields.ts';

const { site, place, browser, referrer, provider, aReferralPage } = await referralPagesFixture();

describe('a safety note', () => {
  it('stands in its own words in the yellow box at the top', async () => {
    const path = await aReferralPage({ safety_notes: 'Large dog. Key safe at the back.' });
    for (const who of [provider, referrer]) {
      const { page, text } = await who.open(path);
      const box = page.querySelector('.onward-case__top .nhsuk-warning-callout')!;
      expect(box.querySelector('h2')!.text).toBe('Important: Safety note');
      expect(box.text).toContain('Large dog. Key safe at the back.');
      expect(text).not.toContain('there is a safety note: read it');
    }
  });

  it('stands beside the risk, where there is one', async () => {
    const path = await aReferralPage({ risk: 'no', safety_notes: 'She says that she wants to die.' });
    const { page } = await provider.open(path);
    const box = page.querySelector('.onward-case__top .nhsuk-warning-callout')!;
    expect(box.querySelector('h2')!.text).toBe('Important: Risk of serious harm');
    expect(box.text).toContain('the safety note may say otherwise: read it.');
    expect(box.text).toContain('Safety note: She says that she wants to die.');
  });

  it('is not read by a colleague from whom the service is hidden', async () => {
    const { serviceId } = await aService(site.deps);
    await markSensitive(site.deps.db, serviceId);
    const path = await aReferralPage({ service: serviceId, safety_notes: 'Large dog.' });
    const colleague = await browser({ role: 'referrer', organisation: { name: 'Infirmary Lane Surgery' } });
    const { text } = await colleague.open(path);
    expect(text).not.toContain('Large dog');
    expect((await referrer.open(path)).text).toContain('Large dog');
  });
});

describe('a long conversation', () => {
  it('shows the last three messages, and folds the rest', async () => {
    const path = await aReferralPage();
    for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await referrer.send(`${path}/messages`, { text });
      site.clock.moveOn(1000);
    }
    const shownTo = async (who: typeof provider) => {
      const { page } = await who.open(path);
      const texts = page.querySelectorAll('.onward-thread__text');
      const folded = texts.filter((each) => each.closest('details'));
      const summary = page.querySelector('.onward-part:has(#messages) .onward-prints summary');
      return [summary?.text.trim(), texts.length, folded.map(({ text }) => text)];
    };
    expect(await shownTo(referrer)).toEqual(['Show 2 earlier messages', 5, ['One', 'Two']]);
    expect(await shownTo(provider), 'new to them').toEqual([undefined, 5, []]);
    expect(await shownTo(provider)).toEqual(['Show 2 earlier messages', 5, ['One', 'Two']]);
  });

  it('keeps a question to the reader open, however old', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    for (const text of ['Before.', 'When may we ring her?', 'One', 'Two', 'Three', 'Four']) {
      await provider.send(`${path}/messages`, { text });
      site.clock.moveOn(1000);
    }
    await referrer.open(path);
    const { page } = await referrer.open(path);
    const folded = page.querySelectorAll('.onward-thread__text').filter((each) => each.closest('details'));
    expect(folded.map(({ text }) => text)).toEqual(['Before.']);
  });

  it('stands below contacts and appointments', async () => {
    const path = await aReferralPage();
    await provider.open(path);
    await provider.send(`${path}/accept`, { version: '2' });
    for (const contact_note of ['First', 'Second', 'Third', 'Fourth']) {
      await provider.send(`${path}/contacts`, {
        contact_kind: 'telephone',
        contact_reached: 'yes',
        contact_note,
      });
      site.clock.moveOn(1000);
    }
    await provider.send(`${path}/messages`, { text: 'We reached her.' });
    const { page } = await referrer.open(path);
    const ids = page.querySelectorAll('.onward-case__main h2').map(({ id }) => id);
    expect(ids.indexOf('contacts')).toBeLessThan(ids.indexOf('messages'));
    const part = page.querySelector('.onward-part:has(#contacts)')!;
    expect(part.querySelector('summary')!.text.trim()).toBe('Show 1 earlier');
    expect(part.querySelector('details')!.text).toContain('First');
  });
});

describe('a referral that was moved to another service', () => {
  it('says so on the pages of both sides until it has ended', async () => {
    const other = await aService(site.deps, {
      serviceName: 'Click and Cuppa',
      organizationId: place.organizationId,
      organizationName: place.organizationName,
    });
    const path = await aReferralPage();
    const boxOn = async (who: typeof provider) => (await who.open(path)).page.querySelector('#moved')?.text;
    expect(await boxOn(provider)).toBeUndefined();
    const why = 'She wants to learn the tablet.';
    await provider.send(`${path}/transfer`, { version: '2', service_id: other.serviceId, reason: why });
    for (const who of [provider, referrer]) {
      const box = await boxOn(who);
      expect(box).toContain(`Moved from ${place.serviceName} to ${other.serviceName}`);
      expect(box).toMatch(
        /By Test Person, .*, on 21 November 2026 at .*Why: She wants to learn the tablet\./s,
      );
    }
    await referrer.send(`${path}/cancel`, { version: '3', reason_code: 'moved-away' });
    expect(await boxOn(referrer)).toBeUndefined();
  });
});

describe('a name in two scripts', () => {
  it('has one order in the heading, the list and on home', async () => {
    const path = await aReferralPage({ given_name: 'علی رضا', family_name: 'Smith' });
    const nameOn = async (url: string, around: string) => {
      const { page } = await referrer.open(url);
      const names = page.querySelectorAll(`${around} bdi[dir=ltr]`).map(({ text }) => text.trim());
      return names.find((name) => name.includes('علی رضا'));
    };
    expect(await nameOn(path, 'h1')).toBe('علی رضا Smith');
    expect(await nameOn('/referrals?view=made', '.onward-referrals')).toBe('علی رضا Smith');
    expect(await nameOn('/', 'li')).toBe('علی رضا Smith');
  });
});

describe('a restricted referral in the list', () => {
  it('has no date by which somebody has to act', async () => {
    const path = await aReferralPage();
    const dueOf = async () => {
      const { page } = await referrer.open('/referrals?view=made');
      const row = page
        .querySelectorAll('.onward-referrals tbody tr')
        .find((each) => each.innerHTML.includes(path));
      return row!.querySelector('.onward-worklist__due')!.text.trim();
    };
    expect(await dueOf()).toMatch(/in \d+ days?/);
    await setRestricted(site.deps.db, path.split('/').at(-1)!, site.clock.now());
    expect(await dueOf()).not.toMatch(/in \d+ days?|today|overdue/);
  });
});

describe('an appointment at home', () => {
  it.each([
    ['At home, 4 Mill Lane', 'At the person’s home, 4 Mill Lane'],
    ['At home', 'At the person’s home'],
    ['Homestead Hall', 'At the person’s home, Homestead Hall'],
  ])('at “%s” says the home once', (place, what) => {
    const appointment = { id: '1', at: '2026-12-08T10:30:00Z', kind: 'home-visit', place, by: 'Petra' };
    const { appointments } = codedFieldsInWords({ appointments: [appointment] } as object);
    expect(appointments[0]!.what).toBe(what);
  });
});
