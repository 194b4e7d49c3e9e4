import { describe, expect, it } from 'vitest';
import { confirmCheck } from '../../../test/delivery/restore-check.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { referralPagesFixture } from '../../../test/referrals/pages-fixture.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { beginRestoreCheck } from '../../platform/restore-check/index.ts';

const { site, referrer, provider, aReferralPage } = await referralPagesFixture();
const { db, clock } = site.deps;

describe('safe contact on the page of a referral, after a restore', () => {
  it('is said to be from the backup, whatever it says', async () => {
    const paths = [
      await aReferralPage({ contact_safe: 'yes' }),
      await aReferralPage({ contact_safe: 'no', patient_given_name: 'Ida' }),
    ];
    const warningOn = async (path: string, who = provider) => {
      const { page } = await who.open(path);
      return page.querySelector('#contact-as-of-backup')?.text;
    };
    for (const path of paths) expect(await warningOn(path)).toBeUndefined();
    await inTransaction(db, (trx) =>
      beginRestoreCheck(trx, { backupMadeAt: new Date('2026-11-20T09:30:00Z'), at: clock.now() }),
    );
    const words =
      'before you contact the person: this is from the backup of 20 November 2026 at 9:30am, and a correction of safe contact made after that may be lost.';
    for (const path of paths) {
      // The pages hear of it by a notice of the database, a moment later.
      await expect.poll(() => warningOn(path)).toBe(`Ask the person’s referrer ${words}`);
      expect(await warningOn(path, referrer)).toBe(`Ask the service and your colleagues ${words}`);
      const html = (await provider.open(path)).page.toString();
      const [warning, answer] = [
        html.indexOf('contact-as-of-backup'),
        html.search(/Before you contact the person[:<]/),
      ];
      expect(answer).toBeGreaterThan(warning);
    }
    const operator = await signedInBrowser(site, { role: 'operator' });
    expect((await confirmCheck(operator)).status).toBe(303);
    for (const path of paths) await expect.poll(() => warningOn(path)).toBeUndefined();
  });
});
