import { describe, expect, it } from 'vitest';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { entryInWords, itemTypeInWords } from './entry-in-words.ts';

// An operator saw “made a referral” forty times, and had to open each to learn which.

const items = new Map([
  ['r', { type: 'referral', name: 'Q4JB3-B1QVW' }],
  ['a', { type: 'account', name: 'Cora Colleague' }],
  ['s', { type: 'service', name: 'Good Company' }],
  ['Z99001', { type: 'practice', name: 'Infirmary Lane Surgery' }],
]);
const sentence = (action: string, subjectType: string | null, subjectId: string | null, actorId = 'x') =>
  entryInWords({ action, subjectType, subjectId, actorId } as never, items);

describe('an entry of the audit, in words', () => {
  it.each([
    ['referral.in-progress', 'referral', 'r', 'Started referral Q4JB3-B1QVW'],
    ['referral.accepted', 'referral', 'r', 'Accepted referral Q4JB3-B1QVW'],
    [
      'referral.seen_to',
      'referral',
      'r',
      'Noted on referral Q4JB3-B1QVW that the person was helped another way',
    ],
    ['patient.held', 'referral', 'r', 'Put a person’s records on legal hold: referral Q4JB3-B1QVW'],
    ['account.disabled', 'account', 'a', 'Disabled Cora Colleague’s account'],
    ['account.invited', 'account', 'a', 'Invited Cora Colleague'],
    ['service.edited', 'service', 's', 'Edited the service Good Company'],
    ['practice.closed', 'practice', 'Z99001', 'Marked Infirmary Lane Surgery as closed'],
    ['referral.accepted', 'referral', 'erased', 'Accepted a referral'],
    // An id of another kind of thing names nothing.
    ['referral.accepted', 'referral', 'a', 'Accepted a referral'],
    ['worklist.read', null, null, 'Viewed undelivered messages'],
    ['many.things_done', null, null, 'Many things done'],
  ])('%s of a %s says which one', (action, type, id, words) => {
    expect(sentence(action, type, id)).toBe(words);
  });

  it.each([
    ['referral', 'referral'],
    ['list', 'saved list of services'],
    ['service-list', 'saved list of services'],
    ['self_referral', 'self-referral'],
    ['loose_end', 'unmatched item'],
    ['record_copy', 'record copy'],
  ])('calls an item of the type %s a %s', (type, words) => {
    expect(itemTypeInWords(type)).toBe(words);
  });

  it('does not repeat who did it', () => {
    expect(sentence('account.password_changed', 'account', 'a', 'a')).toBe('Changed a password');
  });
});

describe('the audit on a page and as CSV', () => {
  it('names what each entry is about', async () => {
    const { site, provider, get, post, makeReferral } = await referralLifeFixture();
    const olive = await signedInBrowser(site, { role: 'operator' });
    const { id, reference } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    await post(provider, `/${id}/start`, {}, 2);
    await get(provider, '');
    const { page } = await olive.open(`/operator/audit?subject=${id}`);
    const said = page.querySelectorAll('tbody summary').map(({ text }) => text.trim());
    for (const words of ['Started referral', 'Accepted referral', 'Made referral'])
      expect(said).toContain(`${words} ${reference}`);
    const csv = (await olive.open(`/operator/audit.csv?subject=${id}`)).page.textContent;
    expect(csv).toContain(`Started referral ${reference}`);
    const lists = (await olive.open('/operator/audit?action=referral.listed')).page.textContent;
    expect(lists).toContain(`referrals: ${reference}`);
  });
});
