import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService } from '../../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { siteActor } from '../../../audit/index.ts';
import { importServices } from '../../../exchange/index.ts';

let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp();
  operator = await signedInBrowser(site, { role: 'operator' });
});
afterAll(() => site.close());

const staffOf = ({ organizationId, organizationName }: Awaited<ReturnType<typeof aService>>) =>
  signedInBrowser(site, {
    role: 'provider',
    organisation: { name: organizationName, libraryOrganizationId: organizationId },
  });

describe('the review list', () => {
  it('shows overdue entries by page until checked, oldest first', async () => {
    const first = await aService(site.deps, { serviceName: 'Never checked' });
    const { organizationId, organizationName } = first;
    const entry = (id: string, assured_date: string) => ({
      id: `${organizationId}-${id}`,
      name: `Checked ${assured_date}`,
      status: 'active',
      assured_date,
      organization: { id: organizationId, name: organizationName },
    });
    const days = ['2025-03-01', '2026-11-01', '2024-02-29', 'last spring', '2099-01-01'];
    const lines = days.map((day, index) => JSON.stringify(entry(String(index), day))).join('\n');
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(lines)]));
    const provider = await staffOf(first);
    const names = async () =>
      (await provider.open('/library/review')).page
        .querySelectorAll('tbody a[href^="/services/"]:not([href$="/edit"])')
        .map(({ text }) => text);
    const unknown = ['Checked 2099-01-01', 'Checked last spring', 'Never checked'];
    expect((await names()).slice(0, 3).sort()).toEqual(unknown);
    expect((await names()).slice(3)).toEqual(['Checked 2024-02-29', 'Checked 2025-03-01']);
    const fresh = `/services/${organizationId}-1`;
    await provider.send(`${fresh}/capacity`, { status: 'capacity' });
    site.clock.moveOn(31 * 86_400_000);
    await provider.signIn();
    expect((await names()).at(-1)).toBe('Checked 2026-11-01');
    const from = '/library/review';
    expect((await provider.send(`/services/${first.serviceId}/checked`, { from })).location).toBe(
      `${from}?done=checked`,
    );
    expect(await names()).not.toContain('Never checked');
    await operator.signIn();
    expect((await operator.open('/library/review')).status).toBe(403);
    const many = Array.from({ length: 30 }, (_, index) =>
      JSON.stringify({ id: `many-${index}`, name: `Many ${index}`, status: 'active' }),
    );
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(many.join('\n'))]));
    const seen: string[] = [];
    for (let next: string | undefined = '/operator/library/review'; next; ) {
      const { page } = await operator.open(next);
      seen.push(...page.querySelectorAll('tbody tr td:first-child a').map(({ text }) => text));
      next = page.querySelector('a[rel=next]')?.getAttribute('href');
    }
    expect(seen.length).toBeGreaterThan(30);
    expect(new Set(seen.filter((name) => name.startsWith('Many'))).size).toBe(30);
  });

  it('loses no entry when one is checked or deleted meanwhile', async () => {
    const { page } = await operator.open('/operator/library/review');
    const next = page.querySelector('a[rel=next]')!.getAttribute('href')!;
    const names = async () =>
      (await operator.open(next)).page.querySelectorAll('tbody tr td:first-child a').map(({ text }) => text);
    const after = await names();
    expect(after.length).toBeGreaterThan(0);
    const last = page.querySelectorAll('tbody button[name=service]').at(-1)!.getAttribute('value')!;
    expect((await operator.send('/operator/library/review', { service: last })).location).toBe(
      '/operator/library/review?done=checked',
    );
    expect(await names()).toEqual(after);
    for (const cursor of ['x', 'no day\0x', '2026-02-30\0x', '0000-01-01\0x', '2026-02-20\0']) {
      const forged = `cursor=${Buffer.from(cursor).toString('base64url')}`;
      expect((await operator.open(next.replace(/cursor=.*/, forged))).status, cursor).toBe(400);
    }
    // Pages by day continue correctly too.
    const dated = `cursor=${Buffer.from('2024-02-28\0x').toString('base64url')}`;
    expect((await operator.open(next.replace(/cursor=.*/, dated))).text).toContain('Checked 2024-02-29');
  });

  it('stays limited to one organisation during the checks', async () => {
    await operator.signIn();
    const { organizationId, organizationName } = await aService(site.deps, { serviceName: 'Tea & chat' });
    const organization = { id: organizationId, name: organizationName };
    const more = { id: `${organizationId}-2`, name: 'Second cup', status: 'active', organization };
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(more))]));
    const list = '/operator/library/review';
    const all = (await operator.open(list)).page;
    const choice = all.querySelectorAll('#organization option').find(({ text }) => text.includes('(2)'))!;
    expect(choice.text).toBe(`${organizationName} (2)`);

    const path = `${list}?${new URLSearchParams({ organization: choice.getAttribute('value')! })}`;
    const { page, text } = await operator.open(path);
    expect(text).toContain('2 services to check');
    expect(page.querySelectorAll('tbody tr')).toHaveLength(2);
    const form = page.querySelector('main form[method=post]')!.getAttribute('action')!;
    expect((await operator.send(form, { service: more.id })).location).toBe(`${path}&done=checked`);
    expect((await operator.open(path)).text).toContain('1 service to check');
    const { page: left } = await operator.open(path);
    const from = left.querySelector('input[name=from]')!.getAttribute('value')!;
    const saved = await operator.send(`/services/${organizationId}-2/capacity`, { status: 'capacity', from });
    expect(saved.location).toContain(`${path}&done=`);
    const last = left.querySelector('button[name=service]')!.getAttribute('value')!;
    await operator.send(form, { service: last });
    // Nothing of the organisation is left to check.
    expect((await operator.open(`${path}&done=checked`)).location).toBe(`${list}?done=checked`);
  });

  it('lists imported entries apart, by source', async () => {
    await operator.signIn();
    const lines = ['a', 'b'].map((id) =>
      JSON.stringify({ id: `far-${id}`, name: `Far ${id}`, status: 'active' }),
    );
    const source = 'https://feed.example/api';
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(lines.join('\n'))]), { source });
    const open = async (path: string) => {
      const { page, location } = await operator.open(path);
      const names = page.querySelectorAll('tbody tr td:first-child a').map(({ text }) => text);
      return { names, page, location };
    };
    const all = await open('/operator/library/review');
    expect(all.names).not.toContain('Far a');
    const inAll = /(\d+) services to check, 2 of them imported/.exec(
      all.page.querySelector('main')!.structuredText,
    );
    const admin = (await operator.open('/operator')).page.querySelector('main')!.structuredText;
    expect(admin).toContain(`${inAll?.[1]} to check`);
    const link = all.page.querySelectorAll('main a').find(({ text }) => text === source)!;
    expect(link.closest('li')!.structuredText).toContain('2 to check');
    const path = link.getAttribute('href')!;
    expect((await open(path)).names).toEqual(['Far a', 'Far b']);

    // An availability that was set here becomes overdue here.
    await operator.send('/services/far-b/capacity', { status: 'capacity' });
    for (const id of ['a', 'b'])
      expect((await operator.send(`/services/far-${id}/checked`, { from: path })).location).toBe(
        `${path}&done=checked`,
      );
    expect((await open(path)).location).toBe('/operator/library/review');
    site.clock.moveOn(31 * 86_400_000);
    await operator.signIn();
    expect((await open('/operator/library/review?source=nonsense')).page.text).toContain('Page not found');
    const seen: string[] = [];
    for (let next: string | undefined = '/operator/library/review'; next; ) {
      const { page, names } = await open(next);
      seen.push(...names);
      next = page.querySelector('a[rel=next]')?.getAttribute('href');
    }
    expect(seen).toContain('Far b');
    expect(seen).not.toContain('Far a');
  });

  it('leaves availability that a source reported to the source', async () => {
    const reported = { status: 'capacity', updated: site.clock.now().toISOString() };
    const line = JSON.stringify({
      id: 'told',
      name: 'Aa told',
      status: 'active',
      service_capacity: reported,
    });
    const source = 'https://told.example/api';
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(line)]), { source });
    const isListed = async (path: string) => {
      for (let next: string | undefined = path; next; ) {
        const { page } = await operator.open(next);
        if (page.querySelector('tbody a[href="/services/told"]')) return true;
        next = page.querySelector('a[rel=next]')?.getAttribute('href');
      }
      return false;
    };
    await operator.signIn();
    await operator.send('/operator/library/review', { service: 'told' });
    site.clock.moveOn(31 * 86_400_000);
    await operator.signIn();
    expect(await isListed('/operator/library/review')).toBe(false);
    const list = (await operator.open('/operator/library/review')).page
      .querySelectorAll('main a')
      .find(({ text }) => text === source)!;
    expect(await isListed(list.getAttribute('href')!)).toBe(true);
    await operator.send('/services/told/capacity', { status: 'capacity' });
    site.clock.moveOn(31 * 86_400_000);
    await operator.signIn();
    expect(await isListed('/operator/library/review')).toBe(true);
  });
});

describe('services that are still right', () => {
  it('leave the list, one or all at once, with their availability', async () => {
    const place = await aService(site.deps);
    const { organizationId, organizationName } = place;
    const lines = ['a', 'b'].map((id) =>
      JSON.stringify({
        id: `${organizationId}-${id}`,
        name: `Choir ${id}`,
        status: 'active',
        organization: { id: organizationId, name: organizationName },
      }),
    );
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(lines.join('\n'))]));
    const provider = await staffOf(place);
    await provider.send(`/services/${place.serviceId}/capacity`, { status: 'capacity' });
    site.clock.moveOn(400 * 86_400_000);
    await provider.signIn();
    const listed = async () =>
      (await provider.open('/library/review')).page
        .querySelectorAll('[name=listed]')
        .map((each) => each.getAttribute('value')!);
    const ids = await listed();
    expect(ids).toHaveLength(3);
    await provider.send('/library/review', { service: ids[0]! });
    expect(await listed()).toEqual(ids.slice(1));
    const all = { all: 'yes', listed: ids.slice(1) };
    const asked = await provider.send('/library/review', all);
    expect([asked.status, asked.page.querySelectorAll('[name=listed]').length]).toEqual([200, 2]);
    expect(await listed(), 'before the answer').toEqual(ids.slice(1));
    const { location } = await provider.send('/library/review', { ...all, confirmed: 'yes' });
    expect(location).toBe('/library/review?done=all-checked');
    expect(await listed()).toEqual([]);
    const other = await staffOf(await aService(site.deps));
    expect((await other.send('/library/review', { service: ids[0]! })).status).toBe(403);
  });
});

describe('the day of an overdue check', () => {
  it('is that in London, in the list as on the service', async () => {
    const { organizationId, organizationName, ...service } = await aService(site.deps);
    const provider = await staffOf({ organizationId, organizationName, ...service });
    // Half past midnight on 2 July in London, and still 1 July in UTC.
    site.clock.moveOn(Date.parse('2027-07-01T23:30:00Z') - site.clock.now().getTime());
    const assured = Date.parse('2027-07-02') - (site.deps.settings.libraryReviewDays + 1) * 86_400_000;
    const entry = {
      id: `${organizationId}-late`,
      name: 'Night walk',
      status: 'active',
      assured_date: new Date(assured).toISOString().slice(0, 10),
      organization: { id: organizationId, name: organizationName },
    };
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(entry))]));
    await provider.signIn();
    expect((await provider.open(`/services/${entry.id}`)).text).toContain('Last checked over');
    expect((await provider.open('/library/review')).text).toContain('Night walk');
  });
});
