import { afterAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { tellHolder } from './security-emails.ts';

const site = await makeApp();
afterAll(() => site.close());

describe('an email about an account', () => {
  it('has the time of the change as clocks in the UK show it', async () => {
    const holder = await anAccount(site.deps);
    const summer = { ...site.deps, clock: manualClock('2026-06-27T08:30:00.000Z') };
    await inTransaction(site.deps.db, (trx) =>
      tellHolder(trx, summer, { ...holder, name: 'Asha' }, 'Your password was changed'),
    );
    const [mail] = await mailsTo(site, holder.email);
    expect(mail?.text).toContain('When: 27 June 2026 at 9:30am');
  });
});
