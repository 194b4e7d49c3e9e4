import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parse } from 'node-html-parser';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { namesOfTables, textOfTable } from '../../../test/database/stored.ts';
import { storedServices } from '../../../test/library/stored.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';
import { serviceSchema } from '../../library/index.ts';

const sample = readFileSync(join(import.meta.dirname, '..', '..', '..', 'sample', 'library.ndjson'));
let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  await importServices(site.deps, siteActor, Readable.from([sample]));
});
afterAll(() => site.close());

async function open(path: string) {
  const answer = await site.app.inject(path);
  const page = parse(answer.body);
  return {
    ...answer,
    status: answer.statusCode,
    page,
    text: page.querySelector('main')?.structuredText ?? '',
  };
}

describe('the find page', () => {
  it('asks for a sign-in if the library is not public', async () => {
    const closed = await makeApp();
    for (const path of ['/services', '/services/x']) {
      const { statusCode, headers } = await closed.app.inject(path);
      expect([statusCode, headers.location]).toEqual([303, expect.stringContaining('/signin')]);
    }
    await closed.close();
  });

  it('shows whom to call in a crisis, also beside an error', async () => {
    for (const path of ['/services?search=she+took+an+overdose', '/services?search=raped&postcode=nowhere']) {
      const { page } = await open(path);
      expect(page.querySelector('#crisis')?.structuredText).toContain('116 123');
      const { structuredText: all } = page.querySelector('main')!;
      expect(all.indexOf('116 123')).toBeLessThan(all.indexOf('Find a service'));
    }
    expect((await open('/services?search=choir')).page.querySelector('#crisis')).toBeNull();
  });

  it('tells client systems whom to call as well', async () => {
    const lists = ['/api/library/services', '/api/library/service_at_locations'];
    const ask = async (search: string) => [
      ...(await Promise.all(lists.map((list) => site.app.inject(`${list}?search=${encodeURI(search)}`)))),
      await site.app.inject({
        method: 'POST',
        url: '/api/library/services/search',
        payload: { search },
      }),
    ];
    for (const answer of await ask('took tablets tonight'))
      expect(answer.json().crisis_help).toEqual({
        emergency_number: '999',
        mental_health_number: '111',
        listening_number: '116 123',
        safeguarding_contact: null,
      });
    for (const answer of await ask('choir')) expect(answer.json()).not.toHaveProperty('crisis_help');
  });

  it('keeps what was searched for nowhere, by page or by API', async () => {
    const words = 'strangled zanzibarian';
    const lines = site.logLines.length;
    for (const path of ['/services', '/api/library/services', '/api/library/service_at_locations'])
      await site.app.inject(`${path}?search=${encodeURIComponent(words)}`);
    await site.app.inject({
      method: 'POST',
      url: '/api/library/services/search',
      payload: { search: words },
    });
    const names = await namesOfTables(site.deps.db);
    const tables = await Promise.all(names.map((name) => textOfTable(site.deps.db, name as never)));
    const kept = [...tables, ...site.logLines].filter((text) => /zanzibarian/i.test(JSON.stringify(text)));
    expect(kept).toEqual([]);
    expect(site.logLines.length).toBeGreaterThan(lines);
  });

  it('lists services by name, twenty a page, with page links', async () => {
    const { page, text } = await open('/services');
    expect(page.querySelectorAll('article')).toHaveLength(20);
    expect(text).toMatch(/\d\d services/);
    const next = page.querySelector('a[rel=next]')?.getAttribute('href');
    expect(next).toBe('/services?page=2');
    const second = await open(next ?? '');
    expect(second.page.querySelector('article a')?.text).not.toBe(page.querySelector('article a')?.text);
  });

  it('keeps a search and a need in the form and the links', async () => {
    const all = await open('/services');
    const food = all.page
      .querySelectorAll('#needs label')
      .find(({ text }) => text.startsWith('Food ('))!
      .getAttribute('for')!
      .replace('taxonomy_term_id-', '');
    const { page, text } = await open(`/services?search=lunch&taxonomy_term_id=${food}`);
    expect(text).toContain('The Wednesday Table lunch club');
    expect(page.querySelector('#search')?.getAttribute('value')).toBe('lunch');
    expect(page.querySelector('#needs input[checked]')?.getAttribute('value')).toBe(food);
  });

  it('corrects misspelt words, and says so', async () => {
    const { text } = await open('/services?search=befreinding');
    expect(text).toContain('We searched for “befriending”');
    expect(text).toContain('Good Company befriending');
  });

  const found = async (search: string) =>
    (await open(`/services?search=${encodeURIComponent(search)}`)).page
      .querySelectorAll('article h3 a')
      .map((link) => link.text);

  it('finds what fits most of a sentence, without its small words', async () => {
    const sentence = "my neighbour's husband died and she cannot cope with the bills";
    const first = (await found(sentence)).slice(0, 5);
    expect(first).toContain('Money and debt advice');
    expect(first).toContain('Side by Side bereavement support');
    expect((await found('husband died')).slice(0, 3)).toContain('Side by Side bereavement support');
    const { text } = await open(`/services?search=${encodeURIComponent(sentence)}`);
    expect(text).toContain(
      'died or bereavement or cannot cope or listening or mental health or bills or debt',
    );
  });

  it.each([
    ['befrending', 'Good Company befriending'],
    ['bereavment', 'Side by Side bereavement support'],
    ['fibromyalgya', 'Pain Friends: fibromyalgia and persistent pain'],
  ])('corrects the near miss %s', async (typed, name) => {
    expect(await found(typed)).toContain(name);
  });

  it('does not take a word for one only somewhat like it', async () => {
    expect(await found('husband')).toEqual([]);
  });

  it.each(['-', ' ', ' - ', '…'])('lists everything for a search without words: “%s”', async (search) => {
    const { page, text } = await open(`/services?search=${encodeURIComponent(search)}`);
    expect(page.querySelectorAll('article')).toHaveLength(20);
    expect(text).not.toContain(' for “');
    const { total_items } = (
      await site.app.inject(`/api/library/services?search=${encodeURIComponent(search)}`)
    ).json();
    expect(total_items).toBeGreaterThan(50);
  });

  it('gives advice when nothing is found', async () => {
    const { status, text } = await open('/services?search=qqqqq');
    expect(status).toBe(200);
    expect(text).toContain('No services for “qqqqq”');
    expect(text).toContain('fewer words');
  });

  it('explains a search that is refused beside the field', async () => {
    for (const search of ['a'.repeat(501), '%00']) {
      const { status, page } = await open(`/services?search=${search}`);
      expect(status).toBe(400);
      expect(page.querySelector('.nhsuk-error-summary a')?.getAttribute('href')).toBe('#search');
      expect(page.querySelector('#search-error')?.text).toContain('Search for');
    }
  });

  it('leads from a page past the end to the last one', async () => {
    const { status, headers } = await open('/services?page=999');
    expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/services\?page=\d$/)]);
    expect((await open('/services?page=nonsense')).status).toBe(200);
  });
});

describe("a service's page", () => {
  it('has what people choose by first, and folds the rest', async () => {
    const { page, text } = await open('/services/19096312-e822-4b61-87ce-491718e6e107?postcode=ZT1+3GH');
    const facts = page.querySelectorAll('.onward-fact').map((fact) => fact.querySelector('dt')!.text);
    expect(facts).toEqual(expect.arrayContaining(['For', 'Where', 'When', 'Availability', 'Area', 'Cost']));
    expect(text.indexOf('Where')).toBeLessThan(text.indexOf('A trained volunteer'));
    const folds = page.querySelectorAll('details.onward-prints');
    expect(folds.map((fold) => fold.querySelector('summary')!.text.trim())).toEqual([
      'Area it covers',
      'Opening times',
      'Where it is, and getting in',
      'Who runs it',
      'More about it',
    ]);
    expect(folds.every((fold) => fold.getAttribute('open') === undefined)).toBe(true);
  });

  it('shows how people are met where an entry says nothing else', async () => {
    const id = '3f0a4f5e-2d0f-4f0e-9f55-6f4a8a2b1c01';
    const service = {
      id,
      name: 'Kettle calls',
      status: 'active',
      description: 'A volunteer visits you at home.',
    };
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(service))]));
    const { page } = await open(`/services/${id}`);
    const facts = page.querySelectorAll('.onward-fact').map((fact) => fact.structuredText.trim());
    expect(facts).toEqual([
      expect.stringMatching(/^How\s+At home/),
      expect.stringMatching(/^Availability\s+Not known/),
    ]);
  });

  it('says what a link worker needs, and offers a referral', async () => {
    const id = '19096312-e822-4b61-87ce-491718e6e107';
    const { page, text } = await open(`/services/${id}`);
    expect(page.querySelector('a.nhsuk-button')?.getAttribute('href')).toBe(`/referrals/new?service=${id}`);
    for (const words of [
      'Good Company befriending',
      'People aged 55 and over',
      'Monday to Friday, 10am to 4pm',
      '2 Weir Lane',
      'ZT1 1HW',
      'Hearing loop in the main room.',
      'Free.',
      '01632 960011',
      'The Weir House Trust',
      'Sarrowby and the villages',
      'last checked on 21 May 2026 by checks@sarrowvalleydirectory.example.org',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('prints no test-site hints, but that a service is closed', async () => {
    const { page } = await open('/services/19096312-e822-4b61-87ce-491718e6e107');
    const inset = page
      .querySelectorAll('.nhsuk-inset-text')
      .find((each) => /Nobody who runs/.test(each.text));
    expect(inset?.classNames).toContain('onward-no-print');
    const shut = sample
      .toString()
      .split('\n')
      .find((line) => line.includes('"temporarily closed"'))!;
    const closed = (await open(`/services/${JSON.parse(shut).id}`)).page.querySelector('.nhsuk-inset-text');
    expect(closed?.text).toContain('closed for the time being');
    expect(closed?.classNames).not.toContain('onward-no-print');
  });

  it('shows no undefined value for any service of the sample', async () => {
    const ids = sample
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id as string);
    for (const id of ids) {
      const { status, text, page } = await open(`/services/${id}`);
      expect(status).toBe(200);
      expect(text).not.toMatch(/undefined|NaN|\[object|null/);
      for (const link of page.querySelectorAll('main a[href^=http]'))
        expect(link.getAttribute('rel')).toBe('noreferrer');
    }
  });

  it('says why a service takes no referrals', async () => {
    const closed = (await storedServices(site.deps.db)).filter(({ status }) => status !== 'active');
    expect(closed.length).toBeGreaterThan(0);
    for (const { id } of closed) {
      const { page, text } = await open(`/services/${id}`);
      expect(page.querySelector('a.nhsuk-button')).toBeNull();
      expect(text).toContain('it takes no referrals');
    }
  });

  it('never lets text of a feed become markup or script', async () => {
    const evil = {
      id: 'x/<y>',
      name: '<script>alert(1)</script>',
      status: 'active',
      description: '&lt;img src=x onerror=alert(1)&gt;<script>alert(2)</script>',
      url: 'javascript:alert(3)',
      email: 'a@b.c?subject=x',
      alert: '<b>Closed</b>',
    };
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(evil))]));
    const { status, body, page } = await open(`/services/${encodeURIComponent(evil.id)}`);
    expect(status).toBe(200);
    expect(page.querySelector('h2.nhsuk-card__heading')?.text, 'right below the page’s own').toContain(
      'note',
    );
    expect(body).not.toMatch(/<script>alert|<img|href="javascript|mailto:a@b/);
    expect(page.querySelector('a.nhsuk-button')?.getAttribute('href')).toBe(
      '/referrals/new?service=x%2F%3Cy%3E',
    );
  });

  it.each([
    'full',
    5,
    [{ available: 3, unit: 'places' }],
    { status: 'capacity', updated: 'soon' },
    { status: 'constructor', updated: '2026-11-21T09:30:00Z' },
  ])('is not spoilt by availability in another form: %j', async (service_capacity) => {
    const service = { id: 'room', name: 'Goldcrest', status: 'active', service_capacity };
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(JSON.stringify(service))]));
    for (const path of ['/services?search=goldcrest', '/services/room']) {
      const { status, text } = await open(path);
      expect(status, path).toBe(200);
      expect(text).toContain('Goldcrest');
      expect(text).not.toContain('(updated');
    }
  });

  it.each(['nobody', '%00'])('does not exist for %s', async (id) => {
    const { status, text } = await open(`/services/${id}`);
    expect([status, text]).toEqual([404, expect.stringContaining('no such service')]);
  });
});

describe('the API reference', () => {
  it('has calls of the library that work as they are filled in', async () => {
    const { paths, components } = (await site.app.inject('/api/openapi.json')).json();
    const [id] = paths['/api/library/services/{id}'].get.parameters;
    const { example: exampleId } = components.parameters[id.$ref.split('/').at(-1)];
    const answer = await site.app.inject(`/api/library/services/${exampleId}`);
    expect(answer.statusCode).toBe(200);
    const exampleOf = (path: string) => {
      const { examples } = paths[path].get.responses['200'].content['application/json'];
      return components.examples[examples.answer.$ref.split('/').at(-1)].value;
    };
    for (const path of ['/api/library/', '/api/library/services']) expect(exampleOf(path)).toBeDefined();
    const example = exampleOf('/api/library/services/{id}');
    expect(Value.Check(serviceSchema, example)).toBe(true);
    expect(answer.json()).toMatchObject({ id: example.id, name: example.name, email: example.email });
  });
});
