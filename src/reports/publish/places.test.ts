import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { activeServices, changeService, setAccepts, setAvailability } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { storeJourneys } from '../../../test/reports/journeys.ts';
import { storedReferralRows } from '../../../test/reports/stored.ts';
import { siteActor } from '../../audit/index.ts';
import { importPostcodes, importPractices } from '../../exchange/index.ts';
import { publishAndSummarise, summariseExactly } from './summarise.ts';

// Figures that need to know of practices, of places and of the library, worked out by hand. Today is 21 November 2026.

const accepted = 'accepted+1 started+3 completed+20';
const june = { from: '2026-06-01', to: '2026-06-30' };
let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
  const { deps } = site;
  const csv = (...lines: string[]) => Readable.from([Buffer.from(`${lines.join('\n')}\n`)]);
  const practice = (code: string, size: string) =>
    `${code},Surgery ${code},1 High Street,Sarrowby,ZT1 1AA,54.05,-2.15,01632 960001,${size}`;
  const header = 'ods_code,name,address,city,postcode,latitude,longitude,phone,list_size';
  // Nobody knows how many are registered with the last one.
  const practices = [practice('Z99001', '4000'), practice('Z99002', '6000'), practice('Z99003', '')];
  await importPractices(deps, siteActor, csv(header, ...practices));
  const places = ['ZT1 1DB,54.05,-2.15,1,2025', 'ZT1 2DB,54.05,-2.15,2,2025', 'ZT2 1DB,54.06,-2.15,10,2025'];
  await importPostcodes(deps, siteActor, csv('postcode,latitude,longitude,imd_decile,imd_year', ...places));
  const june = (count: number, line: string, more: object) =>
    Array(count).fill({ sent: '2026-06-10', line, ...more });
  await storeJourneys(site, [
    ...june(10, accepted, { postcode: 'ZT1 1DB', practice: 'Z99001' }),
    ...june(10, accepted, { postcode: 'ZT1 2DB', practice: 'Z99001' }),
    ...june(20, 'rejected+2:no-capacity', { postcode: 'ZT1 1DB', practice: 'Z99002' }),
    ...june(30, accepted, { postcode: 'ZT2 1DB', practice: 'Z99003' }),
    ...june(10, accepted, { postcode: 'ZT2 1DB' }),
  ]);
  for (let count = 0; count < 9; count += 1) await aService(deps);
});
afterAll(() => site.close());

const find = ({ figures }: Awaited<ReturnType<typeof summariseExactly>>, id: string, stratum: string) =>
  figures.find((figure) => figure.id === id && figure.stratum === stratum);

describe('A3', () => {
  it('is referrals per 1,000 people registered with practices', async () => {
    // 40 referrals of the two practices with 10,000 people.
    const exact = await summariseExactly(site.deps, {}, june);
    expect(find(exact, 'A3', 'all')).toMatchObject({ n: 10_000, value: 4, unit: 'rate' });
  });
});

describe('E1', () => {
  it('is most over least deprived fifth, with Katz’s interval', async () => {
    const published = await publishAndSummarise(site.deps, {}, june);
    expect(find(published, 'F1', 'imd:1')).toMatchObject({ n: 40, value: 0.5 });
    expect(find(published, 'F1', 'imd:5')).toMatchObject({ n: 40, value: 1 });
    expect(find(published, 'E1', 'A1')).toMatchObject({ n: 80, value: 1, unit: 'ratio' });
    const ratio = find(published, 'E1', 'F1')!;
    expect(ratio).toMatchObject({ n: 80, value: 0.5 });
    // ½ · e^±(1.96 · √(1/20 − 1/40 + 1/40 − 1/40))
    const half = 1.959964 * Math.sqrt(1 / 20 - 1 / 40);
    expect([ratio.low, ratio.high]).toEqual([
      expect.closeTo(0.5 * Math.exp(-half), 5),
      expect.closeTo(0.5 * Math.exp(half), 5),
    ]);
  });

  it('is absent until the month is ripe, as every group is', async () => {
    await storeJourneys(site, Array(40).fill({ sent: '2026-10-10', line: '', postcode: 'ZT1 1DB' }));
    const october = await publishAndSummarise(site.deps, {}, { from: '2026-10-01', to: '2026-10-31' });
    expect(october.period.ripe).toBe(false);
    expect(october.figures.filter(({ id, stratum }) => id === 'E1' || stratum.startsWith('imd:'))).toEqual(
      [],
    );
    for (const stratum of ['all', 'says:person'])
      expect(find(october, 'F5', stratum), stratum).toMatchObject({ n: 40, value: null });
    expect(find(october, 'F4', 'all')).toMatchObject({ n: 40, value: null });
  });
});

describe('L1', () => {
  it('counts services checked in 180 days, availability set in 30', async () => {
    const { db } = site.deps;
    const services = await activeServices(db);
    for (const id of services) await changeService(db, id, { assured_on: '2026-05-24' });
    // 25 May is 180 days before today, and 24 May is a day too old.
    for (const id of services.slice(0, 3)) await changeService(db, id, { assured_on: '2026-05-25' });
    for (const id of services) await setAccepts(db, id, true);
    await setAvailability(db, services[0]!, { status: 'capacity', setAt: site.clock.now() });
    const exact = await summariseExactly(site.deps, {}, june);
    const n = services.length;
    expect(find(exact, 'L1', 'checked')).toMatchObject({ n, value: expect.closeTo(3 / n, 5) });
    expect(find(exact, 'L1', 'availability')).toMatchObject({ n, value: expect.closeTo(1 / n, 5) });
  });
});

describe('what a manager sees', () => {
  it('never has rows, on pages, as CSV or in the API', async () => {
    const manager = await signedInBrowser(site, { role: 'manager' });
    const { headers } = await aTokenHolder(site.deps, { role: 'manager' });
    const period = `from=${june.from}&to=${june.to}`;
    const referrals = await storedReferralRows(site.deps.db);
    const answers = [
      await site.app.inject({ url: `/operator/reports?${period}`, headers: manager.headers }),
      await site.app.inject({ url: `/operator/reports.csv?${period}`, headers: manager.headers }),
      await site.app.inject({ url: `/api/reports/summary?${period}`, headers }),
    ];
    for (const { statusCode, body } of answers) {
      expect(statusCode, body).toBe(200);
      for (const { id, reference } of referrals)
        expect(body.includes(id) || body.includes(reference)).toBe(false);
    }
    for (const figure of ['overdue', 'waited-long', 'declined', 'closed-without-contact'])
      expect(
        (await manager.open(`/operator/reports/referrals?${period}&figure=${figure}`)).status,
        figure,
      ).toBe(403);
  });
});
