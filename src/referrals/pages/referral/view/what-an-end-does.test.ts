import { describe, expect, it } from 'vitest';
import { referralPagesFixture } from '../../../../../test/referrals/pages-fixture.ts';

const { referrer, provider, place, aReferralPage } = await referralPagesFixture();

async function linesOn(path: string, who = referrer): Promise<string[]> {
  const { page } = await who.open(path);
  const list = page.querySelectorAll('main form ul').at(-1)!;
  return list.querySelectorAll('li').map(({ text }) => text);
}

async function anAccepted(given: Record<string, string> = {}): Promise<string> {
  const path = await aReferralPage(given);
  await provider.send(`${path}/accept`, { version: '2' });
  return path;
}

const toReferrer = 'We tell the referrer (Infirmary Lane Surgery) at once.';
const final = 'You cannot open it again. The referrer can refer the person again.';

describe('a form that ends a referral', () => {
  it('says who hears of a decline, when, and until when to undo', async () => {
    expect(await linesOn(`${await aReferralPage()}/reject`, provider)).toEqual([
      toReferrer,
      'After 10 minutes we send a letter to the GP practice (Infirmary Lane Surgery).',
      'For 10 minutes you can take it back on the referral’s page, unless the referrer has acted on it.',
    ]);
  });

  it('says who hears of an end by the service, and that it stays', async () => {
    const path = await anAccepted();
    for (const action of ['complete', 'fail', 'cancel'])
      expect(await linesOn(`${path}/${action}`, provider), action).toEqual([
        toReferrer,
        'We send a letter to the GP practice (Infirmary Lane Surgery).',
        final,
      ]);
  });

  it('tells the practice only what the person agreed to', async () => {
    const practiceLine = async (given: Record<string, string>) =>
      (await linesOn(`${await anAccepted(given)}/complete`, provider))[1];
    expect(await practiceLine({ share_with_gp: 'codes_only' })).toBe(
      'We send codes without any text to the GP practice (Infirmary Lane Surgery).',
    );
    expect(await practiceLine({ share_with_gp: 'no' })).toBe(
      'We do not tell the GP practice, because the person did not agree to that.',
    );
  });

  it('says beside each way to cancel what the practice is told', async () => {
    const path = await aReferralPage();
    const { page } = await referrer.open(`${path}/withdraw`);
    expect(page.querySelectorAll('main fieldset > .nhsuk-hint').map(({ text }) => text.trim())).toEqual([
      'The referral is marked as cancelled. We send a letter to the GP practice (Infirmary Lane Surgery).',
      'The referral is marked as sent by mistake. If Infirmary Lane Surgery has a letter about this referral, we ask it to remove the letter.',
    ]);
    const untold = await aReferralPage({ share_with_gp: 'no' });
    expect((await referrer.open(`${untold}/withdraw`)).text).toContain(
      'If Infirmary Lane Surgery has a letter about this referral, we ask it to remove the letter.',
    );
    expect(await linesOn(`${path}/withdraw`)).toEqual([
      `We tell ${place.organizationName} at once.`,
      'You cannot open it again. If the person needs help after all, make a new referral.',
    ]);
  });
});
