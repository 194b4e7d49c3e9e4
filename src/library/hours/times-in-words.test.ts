import { Readable } from 'node:stream';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { emptyLibrary } from '../../../test/database/empty-library.ts';
import { deleteOffers, replaceDocument, setWeek, storedDocuments } from '../../../test/library/stored.ts';
import { siteActor } from '../../audit/index.ts';
import { exportLibrary, importServices } from '../../exchange/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { buildMissingFilterRows } from '../filter/rebuild-filter-rows.ts';

// A directory writes opening times as people say them. 2026-11-24 is a Tuesday.

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
});
beforeEach(() => emptyLibrary(site.deps.db));
afterAll(() => site.close());

const tuesday = (opens_at: string, closes_at: string, byday = 'TU') => ({
  freq: 'WEEKLY',
  byday,
  opens_at,
  closes_at,
});
const service = (id: string, ...schedules: object[]) => ({
  id,
  name: `Service ${id}`,
  status: 'active',
  schedules,
});
const bring = (...services: (object | string)[]) => {
  const lines = services.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  return importServices(site.deps, siteActor, Readable.from([Buffer.from(lines.join('\n'))]));
};
const idsOf = async (query: string) => {
  const answer = await site.app.inject(`/api/library/services?${query}`);
  expect(answer.statusCode).toBe(200);
  return answer.json().contents.map(({ id }: { id: string }) => id);
};
const exported = async () => {
  let text = '';
  for await (const lines of exportLibrary(site.deps.db)) text += lines;
  return text;
};
const read = async (id: string) => (await site.app.inject(`/api/library/services/${id}`)).json();
const timesOn = async (id: string) =>
  parse((await site.app.inject(`/services/${id}`)).body).querySelector('main')!.structuredText;

const evening = service('evening', tuesday('5:00pm', '8.30 p.m.'));
const night = service('night', tuesday('9pm', '12 midnight'));
const morning = service('morning', tuesday('5:00 AM', 'noon'));
const asked = service('asked', tuesday('by appointment', 'by appointment'));

describe('an evening that is written “5:00pm”', () => {
  it('is found in the evening only', async () => {
    await bring(evening, night, morning, asked);
    expect(await idsOf('open_at=2026-11-24T18:00:00Z')).toEqual(['evening']);
    expect(await idsOf('open_at=2026-11-24T23:30:00Z')).toEqual(['night']);
    expect(await idsOf('open_at=2026-11-24T06:00:00Z')).toEqual(['morning']);
    expect(await idsOf('day=TU&start_time=17:00&end_time=20:00')).toEqual(['evening']);
    expect(await idsOf('day=TU')).toEqual(['asked', 'evening', 'morning', 'night']);
  });

  it('is shown as an evening; words stay words', async () => {
    await bring(evening, night, asked);
    expect(await timesOn('evening')).toContain('Tuesday, 5pm to 8:30pm');
    expect(await timesOn('night')).toContain('Tuesday, 9pm to midnight');
    expect(await timesOn('asked')).toContain('Tuesday, by appointment');
  });

  it('is stored in HSDS’s form beside the original and reported', async () => {
    const { notes, rejected } = await bring(evening, asked);
    expect(rejected).toBe(0);
    expect(notes).toEqual([
      '2 opening times were not written as HSDS wants them: “5:00pm”, for example, is read as 17:00. What was written is kept beside each. The first is line 1: evening: /schedules/0/opens_at.',
      '2 opening times cannot be read. Pages show them in their own words, and no search by time of day finds them. The first is line 2: asked: /schedules/0/opens_at.',
    ]);
    expect((await read('evening')).schedules).toEqual([
      {
        ...tuesday('17:00', '20:30'),
        opens_at_original: '5:00pm',
        closes_at_original: '8.30 p.m.',
      },
    ]);
    expect((await read('asked')).schedules).toEqual(asked.schedules);
  });

  it('is unchanged by a second import or an export', async () => {
    await bring(evening, night, asked);
    expect(await bring(evening, night, asked)).toMatchObject({ updated: 0, unchanged: 3 });
    const before = await exported();
    await emptyLibrary(site.deps.db);
    expect(await bring(before)).toMatchObject({ created: 3, rejected: 0 });
    expect(await exported()).toBe(before);
  });

  it('is reported at locations, buildings and organisations', async () => {
    const odd = { schedules: [tuesday('5pm', '20:00')] };
    const location = { id: 'l', ...odd };
    const organization = { id: 'o', name: 'O', locations: [location] };
    const { notes } = await bring(
      { ...service('a'), service_at_locations: [{ id: 'p', ...odd, location }], organization },
      { organization: { ...organization, id: 'idle' } },
    );
    expect(notes).toEqual([expect.stringMatching(/^4 opening times/)]);
    const { service_at_locations: places, organization: owner } = await read('a');
    for (const { schedules } of [...places, places[0].location, ...owner.locations]) {
      expect(schedules).toMatchObject([{ opens_at: '17:00', opens_at_original: '5pm' }]);
    }
  });
});

describe('opening times from a feed', () => {
  it.each([
    ['closed', 'closed'],
    ['Closed', 'CLOSED all day.'],
  ])('are closed on a day with “%s”', async (...times) => {
    const { notes } = await bring(
      service('shut', tuesday(...times, 'SA'), tuesday('9:00', '12:00', 'MO')),
      service('never', { freq: 'WEEKLY', byday: 'SA', opens_at: times[0] }),
    );
    expect(notes).toEqual([expect.stringContaining('1 opening time was written as “9:00”')]);
    expect(await idsOf('day=SA')).toEqual([]);
    expect(await idsOf('day=MO')).toEqual(['shut']);
    expect(await timesOn('shut')).toContain('Saturday, closed');
    // The tests run on 2026-11-21, a Saturday.
    const list = parse((await site.app.inject('/services')).body).querySelector('main')!.structuredText;
    expect(list).toContain('Open Monday, 9am to midday');
    expect(list).not.toMatch(/Open (today|Saturday)/);
  });

  it('may be 24:00, which HSDS writes as 00:00', async () => {
    await bring(
      service('late', tuesday('20:00', '24:00')),
      service('early', tuesday('24:00', '06:00')),
      service('always', tuesday('24:00', '2400')),
    );
    expect((await read('late')).schedules).toMatchObject([
      { closes_at: '00:00', closes_at_original: '24:00' },
    ]);
    expect((await read('early')).schedules).toMatchObject([
      { opens_at: '00:00', opens_at_original: '24:00' },
    ]);
    expect(await idsOf('open_at=2026-11-24T23:59:00Z')).toEqual(['always', 'late']);
    expect(await idsOf('open_at=2026-11-25T00:00:00Z')).toEqual([]);
    expect(await idsOf('open_at=2026-11-24T05:00:00Z')).toEqual(['always', 'early']);
    expect(await timesOn('late')).toContain('Tuesday, 8pm to midnight');
    expect(await timesOn('always')).toContain('Tuesday, 24 hours');
  });

  it('have whole days: “Saturday” contains no Tuesday', async () => {
    await bring(
      service('sat', tuesday('10:00', '12:00', 'Saturday')),
      service('week', tuesday('9am', '5pm', 'Mon-Fri')),
    );
    expect(await idsOf('day=TU')).toEqual(['week']);
    expect(await idsOf('day=SA')).toEqual(['sat']);
    expect(await timesOn('sat')).toContain('Saturday, 10am to midday');
    expect(await timesOn('week')).toContain('Monday to Friday, 9am to 5pm');
  });

  it('are read again if an older version stored them', async () => {
    const { db } = site.deps;
    await bring(evening, morning);
    // As an older version stored it: in the source's words, and as five in the morning.
    for (const [id, document] of await storedDocuments(db))
      await replaceDocument(
        db,
        id,
        document.replaceAll('"17:00"', '"5:00pm"').replaceAll('"20:30"', '"8.30 p.m."'),
      );
    await setWeek(db, 'evening', '{[1740,2880)}');
    expect(await idsOf('open_at=2026-11-24T06:00:00Z')).toEqual(['evening', 'morning']);
    await deleteOffers(db);
    await inTransaction(db, buildMissingFilterRows);
    expect(await idsOf('open_at=2026-11-24T06:00:00Z')).toEqual(['morning']);
    expect(await idsOf('open_at=2026-11-24T18:00:00Z')).toEqual(['evening']);
    expect(await timesOn('evening')).toContain('Tuesday, 5pm to 8:30pm');
  });

  it.each([
    ['start_time=5pm', '/query/start_time', 'must be a time of the day such as 17:30'],
    ['end_time=0830', '/query/end_time', 'must be a time of the day such as 17:30'],
    ['open_at=2026-11-24T5:00pm', '/query/open_at', 'must be a date and time such as 2026-11-21T09:30:00Z'],
  ])('are searched by %s, whose format an error explains', async (query, pointer, message) => {
    const answer = await site.app.inject(`/api/library/services?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([{ pointer, message }]);
  });
});
