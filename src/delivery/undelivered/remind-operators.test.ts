import { describe, expect, it } from 'vitest';
import { disableAccount } from '../../../test/accounts/stored.ts';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { setUndeliveredToFailed } from '../../../test/delivery/stored.ts';
import { storeReferral, tellOfChange } from '../../../test/delivery/test-site.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { watchDeliveries } from '../follow-up/watch-deliveries.ts';
import { listDeliveriesOf } from '../model/deliveries-store.ts';
import { deliver } from '../send/deliver.ts';
import { remindOperators } from './remind-operators.ts';

const day = 24 * 3_600_000;

describe('the operators’ reminder', () => {
  it('comes each morning for rows five days old, without names', async () => {
    const site = await makeApp();
    const [olive, omar, gone, referrer] = [
      await anAccount(site.deps, { role: 'operator' }),
      await anAccount(site.deps, { role: 'operator' }),
      await anAccount(site.deps, { role: 'operator' }),
      await anAccount(site.deps),
    ];
    await disableAccount(site.deps.db, gone.id);
    const referral = await storeReferral(site.database.pool);
    await tellOfChange(site.deps, referral, null);
    const service = (await listDeliveriesOf(site.deps.db, referral.id)).find(({ leg }) => leg === 'service')!;
    await deliver(site.deps, { delivery_id: service.id });
    const morning = async (days: number) => {
      site.clock.moveOn(days * day);
      await watchDeliveries(site.deps);
      await remindOperators(site.deps);
      return (await mailsTo(site, olive.email)).length;
    };
    expect(await morning(1.5)).toBe(0);
    expect(await morning(3.6)).toBe(1);
    const [mail] = await mailsTo(site, omar.email);
    expect(mail!.subject).toBe('1 message has waited five days – Onward test site');
    expect(mail!.text).toContain('http://localhost:8080/operator/deliveries');
    const { patient } = referral.content;
    for (const detail of [patient.family_name, patient.given_name, referral.reference, referral.service.name])
      expect(mail!.text).not.toContain(detail);
    expect(await morning(1)).toBe(2);
    for (const { email } of [gone, referrer]) expect(await mailsTo(site, email)).toEqual([]);
    await tellOfChange(site.deps, { ...referral, status: 'accepted', version: 2 }, 'requested');
    expect(await morning(1)).toBe(2);

    // What failed is never answered: it counts by how long it has been there.
    await setUndeliveredToFailed(site.deps.db, new Date(site.clock.now().getTime() - 5 * day));
    expect(await morning(0)).toBe(3);
    await site.close();
  });
});
