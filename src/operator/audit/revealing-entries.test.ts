import { describe, expect, it } from 'vitest';
import { markSensitive } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { hourMs } from '../../platform/durations.ts';
import { newId } from '../../platform/ids/index.ts';
import { reportUnusualAccess } from '../unusual-access/report-unusual-access.ts';
import { auditOpenedAction, hasOpenedRevealingEntries } from './revealing-entries.ts';

const { site, place, colleague, provider, get, post, makeReferral } = await referralLifeFixture();
await markSensitive(site.deps.db, place.serviceId);
const olive = await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' });
const { id } = await makeReferral();
await get(colleague, `/${id}`);
await post(provider, `/${id}/accept`, {}, 1);
await get(provider, '');

async function search(filter: Record<string, string>) {
  const { page, text } = await olive.open(`/operator/audit?${new URLSearchParams(filter)}`);
  return { text, rows: page.querySelectorAll('tbody tr').map((row) => row.structuredText) };
}
const aboutIt = (rows: string[]) => rows.filter((row) => row.includes(id)).join(' ');

describe('the audit of a referral to a sensitive service', () => {
  it('shows no name, IP address or time of the service’s staff', async () => {
    const { rows } = await search({ subject: id });
    const all = rows.join(' ');
    const accepted = rows.find((row) => row.includes('Accepted referral'));
    const csv = (await olive.open(`/operator/audit.csv?subject=${id}`)).page.textContent.split('\n');
    expect(csv.filter((line) => line.includes('127.0.0.1'))).not.toHaveLength(0);
    for (const shown of [accepted, csv.find((line) => line.includes('referral.accepted'))]) {
      expect(shown).toContain('Not shown');
      expect(shown).not.toMatch(/127\.0\.0\.1|\d\d:\d\d|\d[ap]m/);
    }
    expect(all).toContain('Infirmary Lane Surgery');
    expect(all).toMatch(/Not shown[\s\S]*Accepted referral/);
    expect(all).not.toContain(place.organizationName);
    expect(all).not.toContain(provider.id);
  });

  it.each([
    ['an organisation', () => ({ who: place.organizationName })],
    ['a person', () => ({ who: provider.email })],
    ['a person and the referral', () => ({ who: provider.id, subject: id })],
    [
      'an address and the referral',
      () => ({ address: '127.0.0.1', subject: id, action: 'referral.accepted' }),
    ],
    ['an action', () => ({ action: 'referral.accepted' })],
  ])('is not found by %s', async (_, filter) => {
    expect(aboutIt((await search(filter())).rows)).toBe('');
  });

  it('is whole for an operator who says why; the guardian sees who', async () => {
    expect((await olive.send('/operator/audit/open', { reason: 'no' })).status).toBe(422);
    await olive.send('/operator/audit/open', { reason: 'The guardian asked who read it.' });
    expect(aboutIt((await search({ who: provider.id })).rows)).toContain('Accepted referral');
    site.clock.moveOn(3_600_001);
    await olive.signIn();
    expect(aboutIt((await search({ who: provider.id })).rows)).toBe('');
    site.clock.moveOn(86_400_000);
    await reportUnusualAccess(site.deps);
    await olive.signIn();
    expect((await olive.open('/operator/looks')).text).toContain(
      'Opened the audit of referrals to restricted services',
    );
  });
});

describe('the entries that reveal a service', () => {
  it('stay hidden from an operator who was refused them', async () => {
    const { db, clock } = site.deps;
    const accountId = newId(0);
    const actor = { id: accountId, name: 'Olive', role: 'operator' };
    const isOpen = () => hasOpenedRevealingEntries(db, { accountId }, clock.now());
    const record = (outcome: 'done' | 'refused') =>
      inTransaction(db, (trx) =>
        recordAudit(trx, { at: clock.now(), actor, action: auditOpenedAction, outcome }),
      );
    await record('refused');
    expect(await isOpen()).toBe(false);
    await record('done');
    expect(await isOpen()).toBe(true);
    site.clock.moveOn(hourMs + 1);
    expect(await isOpen()).toBe(false);
  });
});
