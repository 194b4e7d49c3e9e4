import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openValley, type Valley } from '../../../test/people/valley.ts';

let site: Valley['site'];
let get: Valley['get'];
let page: Valley['page'];
let idsOf: Valley['idsOf'];
beforeAll(async () => {
  ({ site, get, page, idsOf } = await openValley());
});
afterAll(() => site.close());

describe('a filter', () => {
  it.each([
    ['', ['line', 'club', 'hub', 'pub', 'walk']],
    ['taxonomy_term_id=lonely', ['pub', 'walk']],
    ['taxonomy_term_id=alone&taxonomy_term_id=x', ['pub']],
    ['maximum_age=17', ['line', 'club', 'hub']],
    ['minimum_age=70', ['line', 'club', 'hub', 'walk']],
    ['minimum_age=60&maximum_age=60', ['line', 'club', 'hub', 'pub', 'walk']],
    ['day=MO', ['line', 'club', 'hub']],
    ['day=tuesday', ['line', 'club', 'walk']],
    ['day=SA', ['line', 'pub']],
    ['day=SU', ['line', 'club']],
    ['day=SU&start_time=09:00', ['line']],
    ['day=SU,WE', ['line', 'club', 'hub']],
    ['day=TU&start_time=12:00', ['line', 'club']],
    ['day=TU&end_time=10:00', ['line']],
    ['day=TU&end_time=10:01', ['line', 'walk']],
    ['day=SA&start_time=01:00&end_time=02:00', ['line', 'pub']],
    ['day=SA&start_time=01:30&end_time=02:00', ['line']],
    ['start_time=19:30&end_time=24:00', ['line', 'pub']],
    // Half past ten on a Tuesday of November, and of July, when clocks are an hour ahead of UTC.
    ['open_at=2026-11-24T10:30:00Z', ['line', 'walk']],
    ['open_at=2026-07-21T09:30:00Z', ['line', 'walk']],
    ['open_at=2026-07-21T10:30:00%2B01:00', ['line', 'walk']],
    ['open_at=2026-11-24T10:30', ['line', 'walk']],
    ['open_at=2026-07-21T10:30%2B01:00', ['line', 'walk']],
    ['open_at=2026-11-24T12:00:00Z', ['line']],
    ['open_at=2026-11-28T00:30:00Z', ['line', 'pub']],
    ['open_at=2026-11-24T15:00:00Z', ['line', 'club']],
    ['open_at=2026-12-01T15:00:00Z', ['line']],
    ['open_at=2026-12-01T09:30:00Z', ['line', 'club']],
    ['open_at=2026-11-25T18:30:00Z', ['line', 'club']],
    ['open_at=2026-11-18T18:30:00Z', ['line']],
    ['open_at=2026-11-23T09:30:00Z', ['line', 'hub']],
    ['open_at=2027-01-04T09:30:00Z', ['line', 'club', 'hub']],
    ['accepting=true', ['club', 'hub', 'walk']],
    ['accepting=false', ['line', 'pub']],
    ['capacity=waitlist&capacity=capacity', ['hub', 'walk']],
    ['capacity=no-capacity&accepting=true', []],
    ['latitude=54&longitude=-2', ['hub', 'pub', 'club', 'walk', 'line']],
    ['postcode=zt11aa&sort=name', ['line', 'club', 'hub', 'pub', 'walk']],
    ['postcode=ZT1%201AA&proximity=100', ['hub', 'pub']],
    ['postcode=ZT1%201AA&proximity=2000&day=TU', ['club', 'walk']],
    ['latitude=54.3&longitude=-2&proximity=0', ['hub', 'walk']],
    ['latitude=54.3&longitude=-2&per_page=2&page=2', ['club', 'pub']],
    ['search=quiz pub or walk', ['pub', 'walk', 'club']],
    ['search=quiz pub or walk&latitude=54&longitude=-2', ['pub', 'walk', 'club']],
    ['search=quiz pub or walk&latitude=54.3&longitude=-2', ['walk', 'pub', 'club']],
  ])('%s finds %j', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });
});

describe('a place to measure from', () => {
  it('gives the distance, the area covered and the availability', async () => {
    const { contents, place } = await page('postcode=ZT1%201AA&full=true');
    expect(place).toEqual({ latitude: 54, longitude: -2, precision: 'postcode' });
    const said = contents.map(({ id, distance_metres, in_service_area }: Record<string, unknown>) => [
      id,
      distance_metres,
      in_service_area,
    ]);
    expect(said).toEqual([
      ['hub', 0, undefined],
      ['pub', 0, true],
      ['club', 1113, undefined],
      ['walk', 1113, undefined],
      ['line', undefined, false],
    ]);
    expect(contents[3].service_capacity).toEqual({
      status: 'waitlist',
      waiting_time: 'six weeks',
      updated: '2026-11-01T10:00:00Z',
    });
    expect((await get('/services/hub')).json().service_capacity.status).toBe('capacity');
    // The first place is in the hole of the pub's area. The second is in the second area of the line. It is not in the
    // club's known area, and nobody knows the club's other one.
    const elsewhere = (await page('latitude=54.3&longitude=-1.95')).contents;
    const inHole = (await page('latitude=53.98&longitude=-1.96')).contents;
    const areaOf = (list: Record<string, unknown>[], id: string) =>
      list.find((each) => each.id === id)?.in_service_area;
    expect([areaOf(inHole, 'pub'), areaOf(elsewhere, 'line'), areaOf(elsewhere, 'club')]).toEqual([
      false,
      true,
      undefined,
    ]);
  });

  it('is the middle of the district if the postcode is unknown', async () => {
    expect((await page('postcode=ZT1%201ZZ')).place.precision).toBe('sector');
    expect((await page('postcode=ZT1%209ZZ')).place.precision).toBe('district');
  });

  it('filters and measures each location of a service', async () => {
    expect(await idsOf('search=hub&day=MO', 'service_at_locations')).toEqual(['hub-hall']);
    expect(await idsOf('search=hub&open_at=2026-11-25T12:00:00Z', 'service_at_locations')).toEqual([
      'hub-far',
    ]);
    const near = await page('search=hub&latitude=54.3&longitude=-2&sort=distance', 'service_at_locations');
    expect(near.contents).toMatchObject([
      { id: 'hub-far', distance_metres: 0, service: { service_capacity: { status: 'capacity' } } },
      { id: 'hub-hall', distance_metres: 33396 },
    ]);
    expect(await idsOf('postcode=ZT1%201AA&proximity=10&search=hub', 'service_at_locations')).toEqual([
      'hub-hall',
    ]);
    const lines = (await get('/service_at_locations?format=ndjson&postcode=ZT1%201AA&day=MO&search=hub'))
      .body;
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['hub-hall']);
  });
});

describe('facets', () => {
  it('count what each value would leave, whatever is chosen now', async () => {
    const { facets, total_items } = await page(
      'day=MO&taxonomy_term_id=alone&facets=taxonomy_term_id,day,capacity',
    );
    expect(total_items).toBe(0);
    expect(facets.taxonomy_term_id).toEqual([]);
    expect(facets.day.map(({ value, count }: Record<string, unknown>) => [value, count])).toEqual([
      ['MO', 0],
      ['TU', 0],
      ['WE', 0],
      ['TH', 0],
      ['FR', 1],
      ['SA', 1],
      ['SU', 0],
    ]);
    const all = (await page('facets=taxonomy_term_id&facets=capacity')).facets;
    expect(all).toEqual({
      taxonomy_term_id: [
        { value: 'lonely', name: 'Term lonely', count: 2 },
        { value: 'alone', name: 'Term alone', count: 1 },
      ],
      capacity: [
        { value: 'capacity', name: 'Has places', count: 1 },
        { value: 'waitlist', name: 'Waiting list', count: 1 },
        { value: 'no-capacity', name: 'Full', count: 1 },
        { value: 'additional-assessment-required', name: 'Needs an assessment first', count: 0 },
      ],
    });
  });
});
