import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, aService } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { changeStoredEntry, storedEntries, storeEntries } from '../../../test/audit/stored.ts';
import { tamper } from '../../../test/database/test-database.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { setApiAccess } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';

let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp();
  operator = await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' });
});
afterAll(() => site.close());

const day = 86_400_000;

async function search(filter: Record<string, string>) {
  const { status, page, text } = await operator.open(`/operator/audit?${new URLSearchParams(filter)}`);
  const rows = page.querySelectorAll('tbody tr').map((row) => row.structuredText.replaceAll(/\s+/g, ' '));
  return { status, page, text, rows };
}

const write = (entry: Partial<Parameters<typeof recordAudit>[1]>) =>
  inTransaction(site.deps.db, (trx) =>
    recordAudit(trx, {
      at: site.clock.now(),
      actor: { name: 'the site' },
      action: 'library.exported',
      ...entry,
    }),
  );

describe('the audit page', () => {
  it('folds repeated acts into a line; the download keeps each', async () => {
    const ann = { id: (await anAccount(site.deps, { name: 'Ann Again' })).id, name: 'Ann Again' };
    const start = new Date('2026-08-05T09:00:00Z').getTime();
    const at = (minute: number) => new Date(start + minute * 60_000);
    for (const minute of [0, 1, 2])
      await write({ at: at(minute), actor: ann, action: 'referral.listed', details: { found: minute } });
    await write({ at: at(3), actor: ann, action: 'referral.listed', outcome: 'refused' });
    await write({ at: at(4), actor: { name: 'the site' } });
    await write({ at: at(5), actor: ann, action: 'referral.listed' });
    const { rows, page } = await search({ from: '2026-08-05', to: '2026-08-05' });
    expect(rows).toHaveLength(4);
    const folded = page.querySelectorAll('tbody tr').at(-1)!;
    expect(folded.structuredText.replaceAll(/\s+/g, ' ')).toMatch(/10am to 10:02am.*Ann Again.*, 3 times/);
    expect(folded.querySelectorAll('details > ul > li')).toHaveLength(3);
    const csv = await site.app.inject({
      url: '/operator/audit.csv?from=2026-08-05&to=2026-08-05',
      headers: operator.headers,
    });
    expect(csv.body.trim().split('\n')).toHaveLength(7);
  });

  it('finds by who, what, subject, outcome, address and day', async () => {
    const person = await anAccount(site.deps, {
      name: 'Agatha Agent',
      organisation: { name: 'Far Away Council' },
    });
    const subject = await anAccount(site.deps);
    const at = new Date('2026-06-30T23:30:00Z');
    await write({
      at,
      actor: {
        id: person.id,
        name: 'Agatha Agent',
        role: 'referrer',
        organisation: 'x',
        ipAddress: '::ffff:192.0.2.77',
      },
      action: 'keys.shown',
      subject: { type: 'account', id: subject.id },
      outcome: 'refused',
      details: { reason: 'it rained', list: ['a', 'b'], deep: { on: true, off: null } },
    });
    const filters: Record<string, string>[] = [
      { who: 'agatha' },
      { who: person.email },
      { who: person.id },
      { who: 'far away council' },
      { action: 'keys.shown' },
      { subject: subject.email.toUpperCase(), outcome: 'refused' },
      { subject: subject.id, outcome: 'refused' },
      { address: ' 192.0.2.77 ' },
      { address: '::ffff:192.0.2.77' },
      // 23:30 UTC is half past midnight of the next day in a British summer.
      { from: '2026-07-01', to: '2026-07-01' },
    ];
    for (const filter of filters) {
      const { rows } = await search(filter);
      expect(rows, JSON.stringify(filter)).toEqual([
        expect.stringContaining('Viewed the first pair of API keys: Test Person Refused'),
      ]);
    }
    const [row] = (await search(filters[0]!)).rows;
    expect(row).toContain('reason: it rained');
    expect(row).toContain('list: a, b');
    expect(row).toContain('deep: on: yes');
    expect(row).toContain('from 192.0.2.77');
    for (const filter of [
      { who: 'nobody at all' },
      { to: '2026-06-30' },
      { action: 'x' },
      { subject: 'x\u{10FFFF}' },
    ]) {
      expect((await search(filter)).rows, JSON.stringify(filter)).toEqual([]);
    }
  });

  it('has a tab for each kind of entry, one click away', async () => {
    const at = new Date('2026-05-05T09:00:00Z');
    for (const action of ['referral.accepted', 'account.disabled', 'library.exported', 'site.backed_up'])
      await write({ at, action: action as 'site.backed_up' });
    const day = { from: '2026-05-05', to: '2026-05-05' };
    const { page } = await search(day);
    const tabs = page.querySelectorAll('.onward-tab');
    expect(tabs.map((tab) => tab.text.trim())).toEqual([
      ...['All', 'Referrals', 'Messages', 'People’s records', 'Accounts', 'Library', 'Site'],
    ]);
    const accounts = await operator.open(tabs[4]!.getAttribute('href')!);
    expect(accounts.page.querySelectorAll('tbody tr')).toHaveLength(1);
    expect(accounts.text).toContain('Disabled an account');
    expect(accounts.page.querySelector('.onward-tab[aria-current]')!.text.trim()).toBe('Accounts');
    const choices = accounts.page
      .querySelectorAll('#action option')
      .map((each) => each.getAttribute('value')!);
    expect(choices.filter((value) => value.startsWith('referral.'))).toEqual([]);
    expect((await search({ ...day, about: 'messages' })).rows).toEqual([]);
    const read = (await storedEntries(site.deps.db, { action: 'audit.read' })).at(-1)!;
    expect(read.details).toMatchObject({ filter: { group: 'messages' } });
  });

  it('finds actors without an account by name', async () => {
    await write({ actor: { name: 'command line' }, action: 'site.backed_up' });
    expect((await search({ who: 'command line' })).rows[0]).toContain('Made a backup of the site');
  });

  it('says beside the field what is wrong with it', async () => {
    for (const [name, text] of [
      ['address', 'over there'],
      ['from', '2026-02-30'],
      ['to', 'yesterday'],
      ['to', '99999-01-01'],
      ['from', '0000-01-01'],
      ['from', '-000001-01-01'],
    ]) {
      const { status, page } = await search({ [name!]: text! });
      expect(status, text).toBe(422);
      expect(page.querySelector('.nhsuk-error-summary a')!.getAttribute('href')).toBe(`#${name}`);
      expect(page.querySelector(`#${name}`)!.getAttribute('value')).toBe(text);
    }
    expect((await search({ who: 'x'.repeat(400) })).status).toBe(400);
    expect((await search({ unknown: 'x', cursor: '-1', outcome: 'maybe' })).status).toBe(200);
    const twice = await operator.open('/operator/audit?unknown=x&unknown=y&who=Asha');
    expect(twice.status).toBe(200);
    expect(twice.page.toString()).not.toContain('unknown=');
  });

  it('lists entries newest first, none twice and none left out', async () => {
    const at = site.clock.now();
    const entries = Array.from({ length: 120 }, (_, index) => index + 1).map((number) => ({
      at: new Date(at.getTime() - day - Math.floor(number / 7) * 60_000),
      details: { number },
    }));
    await storeEntries(site.deps.db, 'many.things', entries);
    const seen: number[] = [];
    let next: string | undefined = '/operator/audit?action=many.things';
    while (next) {
      const { page } = await operator.open(next);
      for (const row of page.querySelectorAll('tbody tr'))
        seen.push(Number(/number: (\d+)/.exec(row.structuredText)![1]));
      next = page.querySelector('a[rel=next]')?.getAttribute('href')?.replaceAll('&amp;', '&');
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
    const minutes = seen.map((number) => Math.floor(number / 7));
    expect(minutes).toEqual(minutes.toSorted((a, b) => a - b));
  });

  it('audits each search once, without what was typed', async () => {
    const pasted = `ona_${'x'.repeat(30)}`;
    await search({ who: pasted, subject: pasted });
    const searches = () => storedEntries(site.deps.db, { action: 'audit.read' });
    expect((await searches()).at(-1)!.details).toEqual({ filter: { accounts: [], subject: 'another text' } });
    expect((await search({})).rows.join('\n')).not.toContain('Searched the audit');
    expect((await search({ action: 'audit.read' })).rows.length).toBeGreaterThan(5);
    const count = async () => (await searches()).length;
    const before = await count();
    await operator.open('/operator/audit?action=many.things&cursor=1');
    expect(await count()).toBe(before);
  });

  it('gives out what a search finds as CSV, in sentences', async () => {
    await operator.open('/operator/deliveries');
    const { headers } = operator;
    const answer = await site.app.inject({ url: '/operator/audit.csv?action=worklist.read', headers });
    const [names, first] = answer.body.split('\r\n');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(names).toMatch(/^time,who,role,/);
    expect(first).toContain('worklist.read,Viewed undelivered messages,done');
  });

  it('links each entry’s item, except a sensitive service', async () => {
    const person = await anAccount(site.deps, { name: 'Nina Named' });
    const open = await aService(site.deps, { serviceName: 'The named choir' });
    const refuge = await aService(site.deps, { serviceName: 'The hidden house' });
    await markSensitive(site.deps.db, refuge.serviceId);
    await write({ subject: { type: 'account', id: person.id } });
    for (const { serviceId } of [open, refuge]) await write({ subject: { type: 'service', id: serviceId } });
    const { page, text } = await search({ action: 'library.exported' });
    const items = page.querySelectorAll('td details a');
    const named = new Map(items.map((link) => [link.text, link.getAttribute('href')]));
    expect(named.get('Open Nina Named')).toBe(`/operator/accounts/${person.id}`);
    expect(named.get('Open The named choir')).toBe(`/services/${open.serviceId}`);
    expect(text).not.toContain('The hidden house');
  });

  it('checks the chain and shows the result', async () => {
    const fresh = await makeApp();
    const boss = await signedInBrowser(fresh, { role: 'operator', name: 'Olive Operator' });
    expect((await boss.open('/operator/audit')).text).toContain('has not been checked yet');
    const person = await anAccount(fresh.deps);
    await setApiAccess(fresh.deps, { name: 'x' }, person.email, { isAllowed: false, reason: 'for a try' });
    expect((await boss.open('/operator/audit')).text).toContain('not sealed yet');
    await boss.send('/operator/audit/check', {});
    const whole = await boss.open('/operator/audit');
    expect(whole.text).toMatch(
      /checked on .* by Olive Operator: all \d+ entries were as they had been written/,
    );
    expect(whole.text).toContain('sealed as');
    const [sealed] = await storedEntries(fresh.deps.db, { action: 'account.api_access_off' });
    await tamper(fresh.database, (trx) => changeStoredEntry(trx, sealed!.id, { outcome: 'refused' }));
    await boss.send('/operator/audit/check', {});
    const broken = await boss.open('/operator/audit');
    expect(broken.page.querySelector('.nhsuk-warning-callout')!.text).toContain(
      'was changed after it was sealed',
    );
    await fresh.close();
  });
});
