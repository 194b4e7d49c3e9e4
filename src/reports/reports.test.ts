import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { storedEntries } from '../../test/audit/stored.ts';
import { rowInWords } from '../../test/people/row-in-words.ts';
import { signedInBrowser } from '../../test/people/signed-in-browser.ts';
import { storeJourneys } from '../../test/reports/journeys.ts';
import { setServiceOrganization, storedReferralRows } from '../../test/reports/stored.ts';
import { dayMs } from '../platform/durations.ts';
import { changeInWords } from './pages/words.ts';

let site: TestApp;
let operator: Record<string, string>;
const june = 'from=2026-06-01&to=2026-06-30';
beforeAll(async () => {
  site = await makeApp();
  ({ headers: operator } = await aTokenHolder(site.deps, { role: 'operator' }));
  await storeJourneys(site, [
    ...Array(22).fill({ sent: '2026-06-02', line: 'accepted+1 started+3 completed+20' }),
    ...Array(3).fill({ sent: '2026-06-03', line: 'rejected+2:out-of-area' }),
  ]);
});
afterAll(() => site.close());

const read = (query: string, headers = operator) =>
  site.app.inject({ url: `/api/reports/summary?${query}`, headers });

describe('GET /api/reports/summary', () => {
  it('gives suppressed figures with their denominators', async () => {
    const answer = await read(june);
    expect(answer.statusCode, answer.body).toBe(200);
    const { period, figures } = answer.json();
    expect(period).toEqual({ from: '2026-06-01', to: '2026-06-30', ripe: true });
    const of = (id: string, stratum = 'all') =>
      figures.find(
        (figure: { id: string; stratum: string }) => figure.id === id && figure.stratum === stratum,
      );
    expect(of('A1')).toEqual({
      id: 'A1',
      stratum: 'all',
      n: 25,
      value: 25,
      low: null,
      high: null,
      unit: 'count',
    });
    expect(of('F1')).toMatchObject({ n: 25, value: 0.8 });
    expect(of('T1')).toMatchObject({ n: 25, value: 1 });
    // Three were declined.
    expect(of('F2', 'reason:out-of-area')).toMatchObject({ n: null, value: null });
    expect(of('A4', 'active:services')).toMatchObject({ value: null });
  });

  it('gives one figure alone, the same as in the summary', async () => {
    const whole = (await read(june)).json();
    const one = await site.app.inject({ url: `/api/reports/F2?${june}`, headers: operator });
    expect(one.statusCode, one.body).toBe(200);
    const figures = whole.figures.filter(({ id }: { id: string }) => id === 'F2');
    expect(one.json()).toEqual({ period: whole.period, figures });
    expect(figures.length).toBeGreaterThan(1);
    for (const id of ['F99', 'valueOf'])
      expect(
        (await site.app.inject({ url: `/api/reports/${id}?${june}`, headers: operator })).statusCode,
      ).toBe(404);
  });

  it.each([
    ['from=2026-06-31&to=2026-07-01', '/query/from'],
    ['from=2026-06-01&to=yesterday', '/query/to'],
    ['from=2026-07-02&to=2026-07-01', '/query/from'],
    ['to=2026-07-01', '/query/from'],
    ['from=2026-07-01', '/query/to'],
    ['from=2026-07-01&to=2026-07-02&by=week', '/query/by'],
  ])('refuses %s, and names the parameter', async (query, pointer) => {
    const answer = await read(query);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors.map((each: { pointer: string }) => each.pointer)).toContain(pointer);
  });

  it('is for operators, managers and providers', async () => {
    const manager = await aTokenHolder(site.deps, { role: 'manager' });
    expect((await read(june, manager.headers)).json()).toEqual((await read(june)).json());
    const referrer = await aTokenHolder(site.deps);
    expect((await read(june, referrer.headers)).statusCode).toBe(403);
    expect((await read(june, {})).statusCode).toBe(401);
  });

  it('gives providers the figures of their own organisation', async () => {
    const { serviceId, organizationId } = await aService(site.deps);
    const organisation = { name: organizationId, libraryOrganizationId: organizationId };
    const provider = await aTokenHolder(site.deps, { role: 'provider', organisation });
    const own = async () => {
      const { figures } = (await read('from=2026-11-01&to=2026-11-30', provider.headers)).json();
      return figures.find(({ id }: { id: string }) => id === 'A1').value;
    };
    expect(await own()).toBe(0);
    const referrer = await aTokenHolder(site.deps);
    for (let count = 0; count < 8; count += 1)
      await site.app.inject({
        method: 'POST',
        url: '/api/referrals',
        headers: referrer.headers,
        payload: aReferral(serviceId, { allow_duplicate: true }),
      });
    expect(await own()).toBe(10);
  });
});

const march = 'from=2026-03-01&to=2026-03-31';

describe('a figure of a provider', () => {
  it('links to the referrals that it counts, and audits each look', async () => {
    const { serviceId, organizationId } = await aService(site.deps);
    const organisation = { name: organizationId, libraryOrganizationId: organizationId };
    await storeJourneys(site, [
      ...Array(2).fill({ sent: '2026-03-02', line: 'rejected+2:no-capacity', serviceId }),
      { sent: '2026-03-02', line: 'rejected+2:out-of-area', serviceId },
      { sent: '2026-03-02', line: 'rejected+2:died', serviceId },
      { sent: '2026-03-04', line: '', serviceId },
    ]);
    await setServiceOrganization(site.deps.db, serviceId, organizationId);
    const provider = await signedInBrowser(site, { role: 'provider', organisation });
    const { page } = await provider.open(`/operator/reports?${march}`);
    const hrefs = page
      .querySelectorAll('a[href^="/operator/reports/referrals"]')
      .map((link) => link.getAttribute('href')!);
    const listed = async (figure: string) => {
      const shown = await provider.open(hrefs.find((href) => href.includes(figure))!);
      expect(shown.status).toBe(200);
      return shown.page.querySelectorAll('a[href^="/referrals/"]').length;
    };
    expect(await listed('overdue')).toBe(1);
    expect(await listed('waited-long')).toBe(1);
    expect(await listed('no-capacity')).toBe(2);
    expect(await listed('out-of-area')).toBe(1);
    const unknown = `/operator/reports/referrals?${march}&figure=declined&reason=of-my-own`;
    expect((await provider.open(unknown)).status).toBe(404);
    const entries = await storedEntries(site.deps.db, { action: 'referral.listed' });
    expect(entries.at(-1)!.details).toMatchObject({ referrals: [expect.any(String)] });
    // Nobody declined the referral of the person who has died.
    // The reason of a referral that was erased since.
    const erased = await provider.open(`/operator/reports/referrals?${march}&figure=declined&reason=unknown`);
    expect([erased.status, erased.text]).toEqual([200, expect.stringContaining('Reason: Not known')]);
    const declined = await provider.open(`/operator/reports/referrals?${march}&figure=declined`);
    expect(declined.page.querySelectorAll('a[href^="/referrals/"]')).toHaveLength(3);
    const manager = await signedInBrowser(site, { role: 'manager' });
    expect((await manager.open(hrefs[0]!)).status).toBe(403);
    const report = await manager.open(`/operator/reports?${march}`);
    expect(report.page.querySelectorAll('a[href^="/operator/reports/referrals"]')).toEqual([]);
  });
});

describe('the change of a figure', () => {
  it('compares with the period before, unless a number is hidden', () => {
    const count = (value: number | null) =>
      ({ id: 'A1', stratum: 'all', n: value, value, low: null, high: null, unit: 'count' }) as const;
    const share = (value: number) => ({ ...count(value), id: 'F1', n: 20, unit: 'share' }) as const;
    expect(changeInWords(count(25), count(20))).toBe('up 5');
    expect(changeInWords(count(20), count(25))).toBe('down 5');
    expect(changeInWords(count(20), count(20))).toBe('same');
    expect(changeInWords(share(0.45), share(0.5))).toBe('down 5 points');
    for (const [now, before] of [
      [null, 20],
      [20, null],
    ] as const)
      expect(changeInWords(count(now), count(before))).toBe('');
  });
});

describe('a manager', () => {
  it('sees figures on the first page and no referral anywhere', async () => {
    const manager = await signedInBrowser(site, { role: 'manager' });
    const home = await manager.open('/');
    expect(home.text).toContain('Referrals of the last 12 months');
    expect(
      home.page.querySelectorAll('nav[aria-label=Menu] a').map((each) => each.text.trim()),
    ).not.toContain('Referrals');
    const report = await manager.open(`/operator/reports?${june}`);
    expect(report.status).toBe(200);
    expect(report.text).not.toContain('true figures');
    const { id } = (await storedReferralRows(site.deps.db))[0]!;
    expect((await manager.open(`/referrals/${id}`)).status).toBe(404);
    const { headers } = await aTokenHolder(site.deps, { role: 'manager' });
    const list = await site.app.inject({ url: '/api/referrals', headers });
    expect(list.json().items).toEqual([]);
    expect(
      (await manager.send('/operator/reports/true-figures', { reason: 'Because I want to' })).status,
    ).toBe(403);
  });
});

describe('the tiles of a manager', () => {
  it('let a figure of 0 stand out, and nothing to show stand back', async () => {
    const other = await makeApp();
    const tilesOf = async () => {
      const manager = await signedInBrowser(other, { role: 'manager' });
      return (await manager.open('/')).page
        .querySelectorAll('.onward-tile')
        .map((tile) => `${tile.classList.contains('onward-tile--quiet') ? 'quiet: ' : ''}${tile.text}`);
    };
    expect(await tilesOf()).toContain('quiet: None yet Days to the first answer, for half of them');
    const journey = { sent: '2026-06-02', line: 'accepted+0 started+3 completed+20' };
    await storeJourneys(other, Array(10).fill(journey));
    other.clock.moveOn(dayMs);
    expect(await tilesOf()).toContain('0 Days to the first answer, for half of them');
    await other.close();
  });
});

describe('the page of the report', () => {
  it('opens the chart of the main percentages beside figures', async () => {
    const browser = await signedInBrowser(site, { role: 'operator' });
    const { page } = await browser.open(`/operator/reports?${june}`);
    const charts = page.querySelectorAll('main figure');
    const open = charts.filter((chart) => chart.closest('details') === null);
    expect(open.map(({ text }) => text)).toEqual([expect.stringMatching(/Accepted.*80 %/s)]);
    expect(open[0]!.closest('.onward-report-main')!.querySelector('table')).not.toBeNull();
    expect(charts.length).toBeGreaterThan(1);
  });

  it('shows small counts as *, with the same figures as the API', async () => {
    const browser = await signedInBrowser(site, { role: 'operator' });
    const { text, page } = await browser.open(`/operator/reports?${june}`);
    const cells = page
      .querySelectorAll('table[aria-labelledby=figures] tbody tr')
      .map((row) => row.querySelectorAll('td').map((cell) => cell.lastChild?.text.trim()));
    expect(cells).toContainEqual(['Accepted: what it means', '80 %', '60.9 % to 91.1 %', '25', '–']);
    expect(text).toContain('A star (*) stands for a suppressed figure: from 1 to 7 referrals');
    // Figures of too few, and those that are not known yet, are folded apart: the reasons differ.
    const folded = (id: string) => [
      ...new Set(
        page.querySelectorAll(`details table[aria-labelledby=${id}] strong`).map((value) => value.text),
      ),
    ];
    expect([folded('too-few'), folded('not-known')]).toEqual([['*'], ['–']]);
    expect(page.querySelectorAll('[style], script:not([src])')).toEqual([]);
    const bad = await browser.open('/operator/reports?from=2026-06-31&to=2026-07-01');
    expect([bad.status, bad.text]).toEqual([400, expect.stringContaining('There is a problem')]);
    const turned = await browser.open('/operator/reports?from=2026-07-02&to=2026-07-01');
    expect(turned.text).toContain('First day must not be after the last day');
  });

  it('has the main figures first and in order, others folded', async () => {
    const browser = await signedInBrowser(site, { role: 'operator' });
    const { page } = await browser.open(`/operator/reports?${june}`);
    const names = (id: string) =>
      page.querySelectorAll(`table[aria-labelledby=${id}] tbody tr`).map((row) =>
        row
          .querySelector('td')!
          .lastChild!.text.trim()
          .replace(/: what it means$/, ''),
      );
    expect(names('figures')).toEqual([
      'Referrals sent',
      'People referred',
      'Days to the first answer, for half of them',
      'Answered in time',
      'Accepted',
      'Outcome known',
    ]);
    expect(page.querySelector('details table[aria-labelledby=figures]')).toBeNull();
    expect(page.querySelector('details table[aria-labelledby=more]')).not.toBeNull();
    expect(names('more')).toContain('Support started');
    expect(page.text).not.toMatch(/closed loop|taken up/i);
  });

  it('is also a CSV, with * for what is hidden', async () => {
    const browser = await signedInBrowser(site, { role: 'operator' });
    const answer = await site.app.inject({ url: `/operator/reports.csv?${june}`, headers: browser.headers });
    const lines = answer.body.split('\r\n');
    expect(lines[0]).toBe('figure,stratum,n,value,low,high');
    expect(lines).toContain('A1,all,25,25,,');
    expect(lines).toContain('F2,reason:out-of-area,*,*,,');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const bad = await site.app.inject({ url: '/operator/reports.csv?from=x&to=y', headers: browser.headers });
    expect(bad.statusCode).toBe(400);
  });

  it('shows operators true figures for a reason, and audits it', async () => {
    const browser = await signedInBrowser(site, { role: 'operator' });
    const form = { from: '2026-06-01', to: '2026-06-30' };
    const refused = await browser.send('/operator/reports/true-figures', { ...form, reason: 'x' });
    expect([refused.status, refused.text.includes('Out of area: 3')]).toEqual([422, false]);
    const reason = 'Board asks for the exact number of declined referrals.';
    const shown = await browser.send('/operator/reports/true-figures', { ...form, reason });
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('These are the true figures');
    const cells = shown.page
      .querySelectorAll('table[aria-labelledby=by-month] tbody tr')
      .map((row) => row.querySelectorAll('td').map((cell) => cell.lastChild?.text.trim()));
    expect(cells).toEqual([['June 2026', '25', '0', '0', '0', '22', '3', '0']]);
    const drawn = shown.page.querySelectorAll('svg[aria-label^="Status of the referrals sent in"] text');
    const words = drawn.map((each) => each.text);
    expect(words.slice(0, 2)).toEqual(['Sent', '25']);
    expect(words.slice(words.indexOf('Completed')).slice(0, 4)).toEqual(['Completed', '22', 'Declined', '3']);
    const [entry] = await storedEntries(site.deps.db, { action: 'report.opened' });
    expect(entry).toMatchObject({ actor_name: 'Test Person', details: { ...form, reason } });
  });

  it('counts the fields that were left out, a row each', async () => {
    const { serviceId } = await aService(site.deps);
    const { headers } = await aTokenHolder(site.deps);
    const send = async (more: object) => {
      const payload = { ...aReferral(serviceId), allow_duplicate: true, ...more };
      const answer = await site.app.inject({ method: 'POST', url: '/api/referrals', headers, payload });
      expect(answer.statusCode, answer.body).toBe(201);
    };
    const countNotAsked = async (): Promise<Record<string, number>> => {
      const browser = await signedInBrowser(site, { role: 'operator' });
      const form = {
        from: '2026-11-01',
        to: '2026-11-30',
        reason: 'Who asks the questions, and who does not.',
      };
      const { page } = await browser.send('/operator/reports/true-figures', form);
      return Object.fromEntries(
        page
          .querySelectorAll('table[aria-labelledby=completeness] tbody tr')
          .map((row) => row.querySelectorAll('td').map((cell) => cell.lastChild?.text.trim()))
          .map(([question, notAsked]) => [question, Number(notAsked)] as const),
      );
    };
    const before = await countNotAsked();
    const { patient } = aReferral(serviceId);
    await send({});
    await send({ patient: { ...patient, birth_date: '2019-03-09', nhs_number: undefined } });
    await send({ risk: 'no', contact: { safe: 'yes' }, agreement: { basis: 'person' }, gp_actions: [] });
    await send({ risk: 'could_not_ask', contact: { safe: 'yes' } });
    const after = await countNotAsked();
    const more = Object.entries(after).map(([question, count]) => [
      question,
      count - (before[question] ?? 0),
    ]);
    expect(more.slice(0, 4)).toEqual([
      ['Whether anybody is at risk of serious harm', 2],
      ['Whether it is safe to contact the person', 2],
      ['Who agreed, or changed the agreement, for somebody who may not decide alone', 1],
      ['Whether the GP practice has to do anything', 3],
    ]);
  });

  it('counts sensitive services together, from eight on', async () => {
    const refuge = await aService(site.deps, { serviceName: 'Larkspur refuge' });
    await site.app.inject({
      method: 'PUT',
      url: `/api/library/services/${refuge.serviceId}/referral_settings`,
      headers: operator,
      payload: { accepts: true, channels: ['inbox'], sensitive: true },
    });
    const browser = await signedInBrowser(site, { role: 'operator' });
    const shown = async () => {
      const form = { from: '2026-11-01', to: '2026-11-30', reason: 'The board asks for exact numbers.' };
      const { text, page } = await browser.send('/operator/reports/true-figures', form);
      const rows = page.querySelectorAll('tbody tr').map(rowInWords);
      return `${text.replaceAll(/\s+/g, ' ')} ${rows.join(' ')}`;
    };
    const referrer = await aTokenHolder(site.deps);
    const send = () =>
      site.app.inject({
        method: 'POST',
        url: '/api/referrals',
        headers: referrer.headers,
        payload: aReferral(refuge.serviceId, { allow_duplicate: true }),
      });
    for (let count = 0; count < 8; count += 1) await send();
    const before = await shown();
    expect(before).not.toContain('Larkspur');
    expect(before).toMatch(
      /Sensitive services, together Sent 8 Waiting for an answer 8 Overdue fewer than 8/,
    );
    await send();
    expect(await shown()).toBe(before);
  });
});
