import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { siteActor } from '../../audit/index.ts';
import { importPostcodes, importServices } from '../../exchange/index.ts';

// Services around ZT1 1HW, inside and outside their areas, near and far. A search shows first what fits.

const sample = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', '..', 'sample', name));
const here = { latitude: 54.0508, longitude: -2.1493 };
const far = { latitude: 54.6, longitude: -2.1493 };
const box = (middle: typeof here) => {
  const [west, east] = [middle.longitude - 0.1, middle.longitude + 0.1];
  const [south, north] = [middle.latitude - 0.1, middle.latitude + 0.1];
  return JSON.stringify({
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  });
};

const inWords = (description: string) => [{ name: 'Area', description }];
const at = (point: object) => [{ location: { location_type: 'physical', ...point } }];
const visits = 'A volunteer visits you at home.';
const services = [
  { id: 'near', service_at_locations: at(here) },
  {
    id: 'near-in-words',
    service_at_locations: at(here),
    service_areas: inWords('Postcodes starting with ZT1.'),
  },
  { id: 'near-outlined', service_at_locations: at(here), service_areas: [{ extent: box(here) }] },
  {
    id: 'elsewhere-in-words',
    service_at_locations: at(here),
    service_areas: inWords('Postcodes starting with ZT4.'),
  },
  { id: 'elsewhere-outlined', service_at_locations: at(here), service_areas: [{ extent: box(far) }] },
  {
    id: 'unclear',
    service_at_locations: at(here),
    service_areas: [{ extent: box(far) }, { name: 'Fellshire' }],
  },
  { id: 'far', service_at_locations: at(far) },
  {
    id: 'far-telephone',
    service_at_locations: [{ location: { location_type: 'virtual', name: 'By telephone' } }],
  },
  {
    id: 'far-visitor',
    description: visits,
    service_at_locations: at(far),
    service_areas: inWords('Postcodes starting with ZT1.'),
  },
  { id: 'far-visitor-of-nobody-knows-where', description: visits, service_at_locations: at(far) },
  {
    id: 'far-telephone-elsewhere',
    service_at_locations: [{ location: { location_type: 'virtual', name: 'By telephone' } }],
    service_areas: inWords('Postcodes starting with ZT4.'),
  },
];

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  const many = Array.from({ length: 30 }, (_, index) => ({
    id: `many-${index}`,
    description: 'Chess club',
    service_at_locations: at(here),
    ...(index % 3 === 0 && { service_areas: inWords('Postcodes starting with ZT4.') }),
  }));
  const records = [...services, ...many].map((each) => ({ name: each.id, status: 'active', ...each }));
  await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(records))]));
  await importPostcodes(site.deps, siteActor, Readable.from([sample('postcodes.csv')]));
});
afterAll(() => site.close());

async function open(path: string) {
  const page = parse((await site.app.inject(path)).body);
  const names = page.querySelectorAll('article').map((each) => each.querySelector('a')!.text);
  return { page, names, text: page.querySelector('#results')!.structuredText };
}

const shown = (names: readonly string[]) => names.filter((name) => !name.startsWith('many'));
const tagsOf = (page: ReturnType<typeof parse>) =>
  page
    .querySelectorAll('article')
    .map((each): [string, string[]] => [
      each.querySelector('a')!.text,
      each.querySelectorAll('.nhsuk-tag').map(({ text }) => text),
    ]);

describe('results near a postcode', () => {
  it('are within ten miles, unless somebody takes that away', async () => {
    const { page, names } = await open('/services?postcode=ZT1+1HW&search=near+far');
    expect(names).not.toContain('far');
    const chip = page.querySelectorAll('.onward-chip').find(({ text }) => text.includes('Within 10 miles'))!;
    const anywhere = await open(chip.getAttribute('href')!.replaceAll('&amp;', '&'));
    expect(anywhere.names).toContain('far');
    expect(anywhere.page.querySelector('#within option[selected]')?.text).toBe('Any distance');
  });

  it('have those by phone, online and at home apart from distance', async () => {
    const { page, names } = await open('/services?postcode=ZT1+1HW&page=2');
    const headings = page.querySelectorAll('#results h2').map(({ text }) => text);
    expect(headings).toContain('By phone, online or at home');
    expect(names).toEqual(expect.arrayContaining(['far-telephone', 'far-visitor']));
    expect(names).not.toContain('far-visitor-of-nobody-knows-where');
    expect(names).not.toContain('far-telephone-elsewhere');
  });

  it('say whether they cover it, as tags', async () => {
    const pages = await Promise.all([1, 2].map((page) => open(`/services?postcode=ZT1+1HW&page=${page}`)));
    const tags = new Map(pages.flatMap(({ page }) => tagsOf(page)));
    expect(tags.get('near')).toEqual([]);
    expect(tags.get('near-in-words')).toEqual(['Covers ZT1 1HW']);
    expect(tags.get('near-outlined')).toEqual(['Covers ZT1 1HW']);
    expect(tags.get('elsewhere-in-words')).toEqual(['Outside its area']);
    expect(tags.get('elsewhere-outlined')).toEqual(['Outside its area']);
    expect(tags.get('unclear')).toEqual([]);
  });

  it.each([
    'distance',
    'name',
    'responsiveness',
  ])('have those outside their area last: by %s', async (sort) => {
    const paths = [1, 2].map((page) => `/services?postcode=ZT1+1HW&sort=${sort}&page=${page}`);
    const pages = await Promise.all(paths.map(open));
    const names = pages.flatMap((page) => page.names);
    const isOutside = (name: string) => /^elsewhere|^many-(?:0|3|6|9|12|15|18|21|24|27)$/.test(name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(services.length - 3 + 30);
    expect(names.map(isOutside)).toEqual(names.map(isOutside).toSorted());
    expect(names.filter(isOutside)).toHaveLength(12);
    expect(pages[1]!.text).toContain('For other areas, not ZT1 1HW');
    expect(shown(names)).toEqual(expect.arrayContaining(['near', 'unclear', 'far-telephone']));
  });

  it('can be reached by a skip link after the form', async () => {
    const { page } = await open('/services?postcode=ZT1+1HW');
    expect(page.querySelector('main a.nhsuk-skip-link')?.getAttribute('href')).toBe('#results');
  });
});
