import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type HTMLElement, parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePmtiles } from '../../../scripts/sample-map/write-pmtiles.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { siteActor } from '../../audit/index.ts';
import { importPostcodes, importServices } from '../../exchange/index.ts';

// A link worker searches the sample library on the find page, and opens one of its services.

const sample = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', '..', 'sample', name));
const befriending = '19096312-e822-4b61-87ce-491718e6e107';
let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  await importServices(site.deps, siteActor, Readable.from([sample('library.ndjson')]));
  await importPostcodes(site.deps, siteActor, Readable.from([sample('postcodes.csv')]));
});
afterAll(() => site.close());

async function open(path: string) {
  const answer = await site.app.inject(path);
  const page = parse(answer.body);
  const results = page.querySelectorAll('article');
  return {
    status: answer.statusCode,
    page,
    results,
    names: results.map((each) => each.querySelector('a')!.text),
    main: page.querySelector('main')!.structuredText,
    list: page.querySelector('#results')?.structuredText ?? '',
  };
}

describe('a search for somebody who cannot leave the house', () => {
  it('finds visits, calls and online help; says how it was read', async () => {
    const { page, list, names } = await open('/services?search=lonely+cannot+leave+the+house');
    expect(list).toContain('“cannot leave the house” was read as: at home, by phone or online.');
    expect(names).toContain('Good Company befriending');
    const chips = page.querySelectorAll('.onward-chip').map((chip) => chip.structuredText);
    expect(chips.join()).toMatch(/“lonely”.*At home.*By phone.*Online/);
    expect(page.querySelector('.onward-chip[href*=leave]')).toBeNull();
  });
});

describe('a search for somebody who may take their own life', () => {
  it.each([
    'want to die',
    'suicide',
    'suicidal thoughts',
    'kill myself',
    'want to end it all',
    'self harm',
  ])('begins with help in a crisis, also for “%s”', async (said) => {
    const { names } = await open(`/services?search=${encodeURIComponent(said)}`);
    expect(names[0]).toBe('The Evening Café');
    expect(names).not.toContain('Side by Side bereavement support');
  });

  it.each([
    'suicide bereavement',
    'lost my son to suicide',
    'husband killed himself',
  ])('is no search by somebody who lost a person: “%s”', async (said) => {
    expect((await open(`/services?search=${encodeURIComponent(said)}`)).names[0]).toBe('After Suicide');
  });
});

describe('a search for visits at home', () => {
  it('finds who visits, and says how it was read', async () => {
    const { page, list, names } = await open('/services?search=befriending+home+visits');
    expect(list).toContain(
      '“home visits” was read as: at home. To see other services too, remove this filter.',
    );
    expect(names[0]).toBe('Good Company befriending');
    const chips = page.querySelectorAll('.onward-chip').map((chip) => chip.structuredText);
    expect(chips.join()).toMatch(/“befriending”.*At home/);
    expect(chips.join()).not.toContain('By phone');
  });
});

describe('a search near a postcode', () => {
  it('lists the nearest first, with their distance', async () => {
    const { results, list } = await open('/services?postcode=zt11hw');
    expect(results[0]!.structuredText).toContain('less than 0.1 miles away');
    expect(list).toMatch(/Near zt11hw/);
    expect(list).not.toContain('as rough');
    const miles = results.map((each) => Number(/([\d.]+) miles? away/.exec(each.structuredText)?.[1]));
    expect(miles).toEqual(miles.toSorted((one, other) => one - other));
  });

  it('calls the distance rough if the exact postcode is unknown', async () => {
    expect((await open('/services?postcode=ZT1+1ZZ')).list).toContain('the middle of its neighbourhood');
    expect((await open('/services?postcode=ZT1+9ZZ')).list).toContain(
      'the middle of ZT1, so take them as rough',
    );
    expect((await open('/services?postcode=zt1')).list).toContain('from the middle of ZT1.');
  });

  it.each(['QQ1', 'QQ1 1QQ'])('shows results without distances where %s is not known', async (postcode) => {
    const { status, results, list } = await open(
      `/services?postcode=${encodeURIComponent(postcode)}&within=2`,
    );
    expect(status).toBe(200);
    expect(results.length).toBeGreaterThan(5);
    expect(list).toContain(`This site does not know where ${postcode} is, so no distances are shown.`);
    expect(list).not.toMatch(/miles? away|Within 2 miles|Near QQ/);
    expect(list.indexOf('This site does not know')).toBeLessThan(list.indexOf('services'));
  });

  it.each([
    'QQ1',
    'QQ1 1QQ',
  ])('says beside the field how to mend %s, and opens the form', async (postcode) => {
    const { page, list } = await open(`/services?postcode=${encodeURIComponent(postcode)}`);
    const described = page.querySelector('#postcode')!.getAttribute('aria-describedby')!;
    expect(page.querySelector('#postcode-unknown')!.parentNode!.id).toBe(described);
    expect(page.querySelector('#postcode-unknown')!.text).toMatch(
      new RegExp(
        `does not know ${postcode}. Check the spelling, or enter a postcode nearby, for example \\w+$`,
      ),
    );
    expect(page.querySelector('#search-fold')!.hasAttribute('open')).toBe(true);
    expect(list).toContain('Distance not applied.');
    const known = await open('/services?postcode=ZT1');
    expect(known.page.querySelector('#postcode-unknown')!.text).toBe('');
    expect(known.list).not.toContain('Distance not applied');
  });

  it('has an example of the site’s own postcodes', async () => {
    const { page } = await open('/services');
    const [, example] = /for example (\S+)/.exec(page.querySelector('#postcode-hint')!.text) ?? [];
    expect((await open(`/services?postcode=${example}`)).list).toContain(`from the middle of ${example}.`);
  });

  it('shows an operator where to import postcodes', async () => {
    const link = 'a[href="/operator/library/lists/postcodes"]';
    const operator = await signedInBrowser(site, { role: 'operator' });
    expect((await operator.open('/services?postcode=QQ1+1QQ')).page.querySelector(link)).not.toBeNull();
    expect((await open('/services?postcode=QQ1+1QQ')).page.querySelector(link)).toBeNull();
  });
});

describe('a wrong field', () => {
  it.each([
    ['postcode=Sarrowby', 'postcode', 'Enter a full postcode or the first part, for example ZT1'],
    ['age=old', 'age', 'Enter the age in years'],
    ['age=151', 'age', 'Enter the age in years'],
  ])('is explained beside itself, and keeps its text: %s', async (query, field, words) => {
    const { status, page, results } = await open(`/services?${query}`);
    expect([status, results.length]).toEqual([400, 0]);
    expect(page.querySelector(`.nhsuk-error-summary a[href="#${field}"]`)?.text).toContain(words);
    expect(page.querySelector(`#${field}`)?.getAttribute('value')).toBe(
      query.split('=')[1]!.replace('+', ' '),
    );
  });
});

describe('filters on the find page', () => {
  it('combine, are counted, and can be taken away one by one', async () => {
    const all = await open(
      '/services?day=TU&day=TH&time=evening&age=30&accepting=true&within=5&postcode=ZT1+1HW',
    );
    const chips = all.page
      .querySelectorAll('.onward-chip')
      .map(({ structuredText }) => structuredText.trim());
    expect(chips.map((text) => text.replace(/^Remove /, '').replace(/ ✕$/, ''))).toEqual([
      'Near ZT1 1HW',
      'Within 5 miles',
      'Open on Tuesday',
      'Open on Thursday',
      'Open in the evening',
      'Accepting referrals now',
      'Aged 30',
    ]);
    const [, , tuesday] = all.page.querySelectorAll('.onward-chip');
    const without = await open(tuesday!.getAttribute('href')!.replaceAll('&amp;', '&'));
    expect(without.page.querySelectorAll('.onward-chip')).toHaveLength(6);
    const count = Number(all.page.querySelector('#count-day-TH')!.text);
    expect(without.list).toContain(`${count} service`);
  });

  it('say when each result is open on the chosen day', async () => {
    const { results } = await open('/services?day=TU');
    expect(results.length).toBeGreaterThan(5);
    for (const each of results)
      expect(each.querySelectorAll('.onward-short-facts li').map(({ text }) => text)).toContainEqual(
        expect.stringMatching(/^Open Tuesday/),
      );
  });

  it('show availability with its date, and narrow the list by it', async () => {
    const { names, list } = await open('/services?capacity=waitlist&search=befriending');
    expect(names).toContain('Good Company befriending');
    expect(list).toContain('Waiting list about five weeks (updated 26 Oct)');
    const counts = (await open('/services')).page.querySelectorAll('[id^=count-capacity-]');
    // No service of the sample sees people only after an assessment.
    expect(counts.map(({ text }) => Number(text) >= 2)).toEqual([true, true, true]);
    expect(list).toMatch(/Open (now|today|tomorrow|Monday)/);
    expect(list).toContain('Ages 55+');
  });

  it('leave out what finds nothing, unless it is ticked', async () => {
    const { page } = await open('/services?search=lunch&language=Klingon&capacity=full');
    const counted = page.querySelectorAll('#filters .nhsuk-checkboxes__item').filter((each) => {
      const isTicked = each.querySelector('input')!.hasAttribute('checked');
      return !isTicked && each.querySelector('[id^=count-]')?.text === '0';
    });
    expect(counted.map(({ text }) => text)).toEqual([]);
    expect(page.querySelector('#count-language-Klingon')?.text).toBe('0');
    expect(page.querySelector('#more-filters')!.hasAttribute('open')).toBe(true);
    const plain = await open('/services?search=lunch&way=in-person');
    expect(plain.page.querySelector('#more-filters')!.hasAttribute('open')).toBe(false);
    expect(plain.page.querySelector('#more-filters summary')!.text).toBe(
      'More filters: service type, who it is for, languages, days and times, availability',
    );
  });

  it('have what link workers ask for, each with its count', async () => {
    const { page, results, list } = await open('/services?feature=free&feature=step-free&way=in-person');
    expect(list).toContain(`${page.querySelector('#count-feature-free')!.text} services`);
    expect(results.length).toBeGreaterThan(5);
    for (const each of results) expect(each.querySelector('.onward-tags')?.text).toContain('Free');
    const fewer = Number(page.querySelector('#count-feature-hearing-loop')!.text);
    const loop = await open('/services?feature=free&feature=step-free&feature=hearing-loop&way=in-person');
    expect(loop.list).toContain(`${fewer} service`);
    const phone = await open('/services?way=phone');
    expect(phone.names).toContain('The Ring Round');
    const polish = await open('/services?language=Polish');
    expect(polish.list).toContain(`${polish.page.querySelector('#count-language-Polish')!.text} services`);
    expect(polish.page.querySelector('#filters summary')!.text).toContain('(1');
  });

  it('match any of the chosen needs, and find needs by name', async () => {
    const needs = (await open('/services?need=debt')).page.querySelectorAll('#needs label');
    expect(needs.map(({ text }) => text.replace(/ \(.*/, ''))).toEqual(['Debt and money']);
    const debt = needs[0]!.getAttribute('for')!.replace('taxonomy_term_id-', '');
    const all = (await open('/services')).page;
    const [food] = all.querySelectorAll('#needs label').filter(({ text }) => text.startsWith('Food ('));
    const both = await open(
      `/services?taxonomy_term_id=${debt}&taxonomy_term_id=${food!.getAttribute('for')!.replace('taxonomy_term_id-', '')}`,
    );
    expect(both.page.querySelectorAll('#needs input[checked]')).toHaveLength(2);
    expect(both.page.querySelectorAll('.onward-chip')).toHaveLength(2);
    expect(all.querySelectorAll('#needs details input').length).toBeGreaterThan(5);
  });

  it('say, when nothing fits, what each removed filter would bring', async () => {
    const { page, list } = await open('/services?search=choir&capacity=waitlist&age=3');
    expect(list).toContain('No services for “choir”');
    const offers = page
      .querySelectorAll('#results li')
      .map(({ structuredText }) => structuredText)
      .filter((text) => text.startsWith('without'));
    expect(offers).toEqual(['without “choir”: 1 service', 'without Waiting list: 1 service']);
  });
});

describe('the order of results', () => {
  it('can be chosen from those that are possible', async () => {
    const sorts = async (query: string) =>
      (await open(`/services?${query}`)).page.querySelector('.onward-sorts')!.text.replaceAll(/\s+/g, ' ');
    expect(await sorts('')).toContain('Sort by: name · fastest to respond');
    expect(await sorts('search=group')).toContain('Sort by: best match · name');
    expect(await sorts('search=group&postcode=ZT1')).toContain('best match · nearest · name');
    expect((await open('/services?sort=distance')).status).toBe(200);
    const { names } = await open('/services?search=group&sort=name');
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
  });

  it('puts near matches first, but a full name before them', async () => {
    const { results, page } = await open('/services?search=group&postcode=ZT1+3GH');
    expect(page.querySelector('.onward-sorts strong')!.text).toBe('best match');
    const miles = results.map((each) =>
      Number(/([\d.]+) miles? away/.exec(each.structuredText)?.[1] ?? 1000),
    );
    expect(miles[0]).toBeLessThan(2);
    const { names } = await open('/services?postcode=ZT1+3GH&sort=distance');
    const farthest = names.at(-1)!;
    const named = await open(`/services?${new URLSearchParams({ search: farthest, postcode: 'ZT1 3GH' })}`);
    expect(named.names[0]).toBe(farthest);
  });
});

describe('a service by phone', () => {
  const search = 'search=lonely&postcode=ZT1+1HW';
  const api = async (query: string): Promise<string[]> =>
    (await site.app.inject(`/api/library/services?${query}`))
      .json()
      .contents.map(({ name }: { name: string }) => name);

  it('stands where its words put it, on the page and in the API', async () => {
    const { names, page } = await open(`/services?${search}`);
    const without = await api('search=lonely');
    for (const found of [names, await api(search)]) {
      const index = found.indexOf('The Ring Round');
      expect(index).toBeGreaterThanOrEqual(0);
      expect(index).toBeLessThanOrEqual(without.indexOf('The Ring Round'));
    }
    const apart = page.querySelector('.onward-apart')!;
    expect(apart.text).toContain('The Ring Round');
    const only = apart.querySelectorAll('a').at(-1)!.getAttribute('href')!.replaceAll('&amp;', '&');
    expect((await open(only)).names).toContain('The Ring Round');
    expect((await open(only)).page.querySelector('.onward-apart')).toBeNull();
  });

  it('comes after all that have a distance where that is the order', async () => {
    const { contents } = (await site.app.inject(`/api/library/services?${search}&sort=distance`)).json();
    expect(contents.at(-1).name).toBe('The Ring Round');
    const { page } = await open('/services?postcode=ZT1+1HW');
    expect(page.querySelectorAll('.onward-apart a').length).toBeGreaterThan(1);
  });
});

describe('the map on the find page', () => {
  it('has the numbers of the list, and nothing from elsewhere', async () => {
    const { page, results, main } = await open('/services?postcode=ZT1+1HW&map=true&search=lunch');
    const map = page.querySelector('svg[role=img]')!;
    const pinned = map.querySelectorAll('.onward-map-pin text').map(({ text }) => text);
    expect(new Set(pinned)).toEqual(new Set(results.map((_, index) => String(index + 1))));
    expect(map.querySelectorAll('.onward-map-searched')).toHaveLength(1);
    expect(map.querySelectorAll('.onward-map-scale text').map(({ text }) => text)).toContain('N');
    expect(map.toString()).not.toMatch(/style=|https?:|<script|<image/);
    expect(map.querySelectorAll('.onward-map-outline').length).toBeGreaterThan(0);
    expect(main).toContain('The red ring marks ZT1 1HW.');
    expect(
      (await open('/services?postcode=ZT1+1HW&search=lunch')).page.querySelector('svg[role=img]'),
    ).toBeNull();
  });
});

describe('the map with the ground', () => {
  const placesOf = (page: HTMLElement) =>
    JSON.parse(page.querySelector('#map')?.getAttribute('data-places') ?? '[]');

  it('gets the places of the list, and scripts only when shown', async () => {
    const { page, names } = await open('/services?postcode=ZT1+1HW&map=true&search=lunch');
    const places = placesOf(page);
    expect(
      new Set(places.map(({ number, name }: { number: number; name: string }) => `${number} ${name}`)),
    ).toEqual(new Set(names.map((name, index) => `${index + 1} ${name}`)));
    expect(page.querySelector('#map')!.getAttribute('data-tiles')).toBe('/map.pmtiles');
    const scripts = (from: HTMLElement) =>
      from.querySelectorAll('script').map((each) => each.getAttribute('src'));
    expect(scripts(page).filter((src) => /pmtiles|basemaps|map-/.test(src!))).toHaveLength(3);
    const without = (await open('/services?postcode=ZT1+1HW&search=lunch')).page;
    expect(scripts(without).join()).not.toMatch(/map/);
    expect(without.querySelector('link[href*=maplibre]')).toBeNull();
  });

  it('is not drawn for results outside its area or one place alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onward-map-'));
    const nowhere = join(folder, 'nowhere.pmtiles');
    const bounds = { west: 10, south: 40, east: 11, north: 41 };
    await writeFile(nowhere, writePmtiles([{ z: 0, x: 0, y: 0, data: Buffer.from('a tile') }], bounds, {}));
    const elsewhere = await makeApp({
      env: { ONWARD_LIBRARY_PUBLIC: 'true', ONWARD_MAP_FILE: nowhere },
    });
    await importServices(elsewhere.deps, siteActor, Readable.from([sample('library.ndjson')]));
    const shown = async (search: string) => {
      const answer = await elsewhere.app.inject(`/services?map=true&search=${search}`);
      return parse(answer.body);
    };
    const several = await shown('walk');
    expect(several.querySelector('svg[role=img]')).not.toBeNull();
    expect(several.querySelector('[data-tiles]')).toBeNull();
    const one = await shown('lunch');
    expect(one.querySelector('svg[role=img]')).toBeNull();
    expect(one.querySelector('#results')!.structuredText).toContain('in one place, so there is no map');
    await elsewhere.close();
    await rm(folder, { recursive: true });
  });
});

describe('a sensitive service', () => {
  it('has no pin on the map', async () => {
    const search = '/services?postcode=ZT1+1HW&map=true&search=lunch';
    const pins = async () => {
      const { page } = await open(search);
      const { length } = JSON.parse(page.querySelector('#map')?.getAttribute('data-places') ?? '[]');
      return { drawn: page.querySelectorAll('.onward-map-pin').length, length };
    };
    const before = await pins();
    const [first] = (await open(search)).results;
    const id = /services\/([\w-]+)/.exec(first!.querySelector('a')!.getAttribute('href')!)![1]!;
    await markSensitive(site.deps.db, id);
    expect((await open(search)).names[0], 'the list still names it').toBe(first!.querySelector('a')!.text);
    const after = await pins();
    expect(after.drawn).toBeLessThan(before.drawn);
    expect(after.length).toBeLessThan(before.length);
    const { page } = await open(`/services/${id}`);
    expect(page.querySelector('#share')!.text).toContain('This is a sensitive service.');
  });
});

describe("a service's page", () => {
  it('says how far its places are, and keeps the search private', async () => {
    const { results } = await open('/services?search=befriending&postcode=ZT1+3GH&age=70');
    const links = results.map((each) => each.querySelector('a')!.getAttribute('href')!);
    const path = links.find((href) => href.includes(befriending))!;
    expect(path).toBe(`/services/${befriending}?postcode=ZT1+3GH`);
    const { main, page } = await open(path);
    expect(main).toMatch(/0\.\d miles from ZT1 3GH/);
    const address = page.querySelector('#address')!.getAttribute('value');
    expect(address).toBe(`${site.deps.settings.baseUrl}/services/${befriending}`);
    const mail = page.querySelector('a[href^="mailto:?"]')!.getAttribute('href')!;
    expect(decodeURIComponent(mail)).toContain(address);
    expect(decodeURIComponent(mail)).not.toContain('ZT1');
  });

  it("shows the source's note on hours, and an old last check", async () => {
    const { results } = await open('/services?search=The+Shared+Plot');
    const page = (await open('/services/47d52381-cbaf-4d1a-89d1-b806a5a281df')).main;
    for (const text of [results[0]!.structuredText, page]) {
      expect(text).toContain('Open tomorrow, 2pm to 4:30pm (March to October)');
      expect(text).toContain('Last checked over 2 years ago');
    }
    const [fresh] = (await open('/services?search=Steady+Steps')).results;
    expect(fresh!.structuredText).not.toContain('Last checked');
  });
});

describe("the way back from a service's page", () => {
  it('leads to the same results, and never to another site', async () => {
    const pathBackToSearch = async (referer?: string, query = '') => {
      const headers = referer === undefined ? {} : { referer };
      const url = `/services/${befriending}${query}`;
      const page = parse((await site.app.inject({ url, headers })).body);
      return page.querySelector('.nhsuk-back-link')!.getAttribute('href')!.replaceAll('&amp;', '&');
    };
    const { baseUrl } = site.deps.settings;
    const search = '/services?search=group&postcode=ZT1+3GH&day=TU&day=TH&accepting=true&age=70&page=2';
    expect(await pathBackToSearch(`${baseUrl}${search}`, '?postcode=ZT1+3GH')).toBe(search);
    expect(await pathBackToSearch(`${baseUrl}/lists`, '?postcode=ZT1+3GH')).toBe(
      '/services?postcode=ZT1+3GH',
    );
    expect(await pathBackToSearch('https://elsewhere.example/services?search=walk&next=//evil.example')).toBe(
      '/services?search=walk',
    );
    for (const none of [undefined, 'about:blank', 'no address'])
      expect(await pathBackToSearch(none)).toBe('/services');
    expect(site.logLines.join('')).not.toMatch(/ZT1|search=/);
  });
});

describe('a service that was opened from a list', () => {
  const backLink = async (referer: string) => {
    const { body } = await site.app.inject({ url: `/services/${befriending}`, headers: { referer } });
    const link = parse(body).querySelector('.nhsuk-back-link')!;
    return [link.getAttribute('href')!.replaceAll('&amp;', '&'), link.text.trim()];
  };
  it.each([
    ['/library', '/library', 'Your services'],
    ['/', '/', 'Home'],
    ['/services/compare?id=a&age=70', '/services/compare?id=a&age=70', 'Compare services'],
    ['/accounts', '/services', 'Find a service'],
  ])('leads back to it: %s', async (from, path, words) => {
    expect(await backLink(`${site.deps.settings.baseUrl}${from}`)).toEqual([path, words]);
  });

  it('leads to the search where another site led to it', async () => {
    expect(await backLink('https://elsewhere.example/')).toEqual(['/services', 'Find a service']);
  });
});

describe('the log', () => {
  it('has nothing of what was searched for', async () => {
    await open('/services?search=hiccups&postcode=ZT1+3GH&age=71');
    expect(site.logLines.join('')).not.toMatch(/hiccups|ZT1|age=/);
    expect(site.logLines.join('')).toContain('/services');
  });
});
