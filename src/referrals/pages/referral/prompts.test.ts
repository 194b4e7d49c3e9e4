import { describe, expect, test } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { referralPagesStage } from '../../../../test/referrals/pages-stage.ts';
import { setDisabled } from '../../../accounts/index.ts';
import { siteActor } from '../../../audit/index.ts';
import { updatePrompts } from '../../overdue/update-prompts.ts';

const stage = await referralPagesStage();
const { site, place, browser, referrer, anOpenForm, aPerson, aReferralPage, withoutQuery } = stage;

describe('a referral that nobody of its organisation can look after', () => {
  test('is on the home page of the operators, and in their list', async () => {
    const email = 'last@example.org';
    const last = await browser({ role: 'referrer', email, organisation: { name: 'The Old Mill' } });
    const operator = await browser({ role: 'operator' });
    const { location } = await last.send('/referrals/new', { ...(await anOpenForm(last)), ...aPerson() });
    await setDisabled(site.deps, siteActor, email, true);
    await updatePrompts(site.deps);
    expect((await operator.open('/')).text).toContain('1 referral needs somebody');
    const list = await operator.open('/referrals?view=all&waiting=yes');
    expect(list.text).toContain('Waiting for you: the person who made the referral has left');
    expect((await operator.open(withoutQuery(location))).text).toContain(
      'those who run this site look after this',
    );
  });
});

describe('a referral whose service has closed', () => {
  test('is on the home page, in the list and on its page, until the button says that it is dealt with', async () => {
    const path = await aReferralPage();
    expect((await referrer.open('/')).text).toContain('No referral waits for you');
    await aService(site.deps, { ...place, status: 'inactive' });
    await updatePrompts(site.deps);
    expect((await referrer.open('/')).text).toContain('1 referral waits for you: 1 to look after');
    const list = await referrer.open('/referrals?view=made&waiting=yes');
    expect(list.text).toContain('Waiting for you: the service has closed, or is closed for now');
    const { page, text } = await referrer.open(path);
    expect(text).toContain('Test Person looks after this');
    const form = page.querySelector('form[action$="/dismiss"]')!.getAttribute('action')!;
    const done = await referrer.send(form, {});
    expect((await referrer.open(done.location)).text).toContain('Nobody is told of it again');
    expect((await referrer.open('/')).text).toContain('No referral waits for you');
  });
});
