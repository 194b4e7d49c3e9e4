import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { markSensitive } from '../../../test/library/stored.ts';
import { siteActor } from '../../audit/index.ts';
import { importPostcodes, importServices } from '../../exchange/index.ts';

// A link worker ticks services among the results, and sees them side by side.

const sample = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', '..', 'sample', name));
const befriending = '19096312-e822-4b61-87ce-491718e6e107';
let site: TestApp;
let ids: string[];
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  await importServices(site.deps, siteActor, Readable.from([sample('library.ndjson')]));
  await importPostcodes(site.deps, siteActor, Readable.from([sample('postcodes.csv')]));
  const { page } = await open('/services?postcode=ZT1+1HW');
  ids = page.querySelectorAll('input[form=compare]').map((each) => each.getAttribute('value')!);
});
afterAll(() => site.close());

async function open(path: string) {
  const answer = await site.app.inject(path);
  return {
    answer,
    page: parse(answer.body),
    text: parse(answer.body).querySelector('main')?.structuredText ?? '',
  };
}

const compare = (some: readonly string[], rest = '') =>
  open(`/services/compare?${some.map((id) => `id=${encodeURIComponent(id)}`).join('&')}${rest}`);
const names = (page: ReturnType<typeof parse>) => page.querySelectorAll('thead th a').map(({ text }) => text);

describe('services side by side', () => {
  it('are those that were ticked, by a form that needs no script', async () => {
    const { page } = await open('/services?postcode=ZT1+1HW');
    const form = page.querySelector('form#compare')!;
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['get', '/services/compare']);
    expect(form.querySelector('input[name=postcode]')?.getAttribute('value')).toBe('ZT1 1HW');
    expect(names((await compare(ids.slice(0, 3))).page)).toHaveLength(3);
  });

  it('say what people choose by', async () => {
    const { page, text } = await compare(
      [befriending, ids.find((id) => id !== befriending)!],
      '&postcode=ZT1+1HW',
    );
    const labels = page.querySelectorAll('tbody th').map((each) => each.text);
    expect(labels).toEqual([
      ...['Where', 'How', 'For whom', 'When', 'Cost', 'Wait', 'Accepts'],
      ...['Access and languages', 'Contact', 'Next step'],
    ]);
    for (const words of [
      'less than 0.1 miles away',
      'Covers ZT1 1HW',
      'In person, at home',
      'People aged 55 and over',
      'Monday to Friday, 10am to 4pm',
      'Free.',
      'Waiting list about five weeks',
      'Hearing loop',
      '01632 960011',
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  });

  it('are four at most, and can be removed one by one', async () => {
    const five = await compare(ids.slice(0, 5));
    expect(names(five.page)).toHaveLength(4);
    expect(five.text).toContain('You can compare four services at a time');
    const remove = five.page.querySelectorAll('a').find(({ text }) => text.startsWith('Remove'))!;
    const three = await open(remove.getAttribute('href')!.replaceAll('&amp;', '&'));
    expect(names(three.page)).toHaveLength(3);
  });

  it('lead back to the search where there is none of them', async () => {
    for (const path of ['/services/compare', '/services/compare?id=nobody', '/services/compare?id=%00']) {
      const { answer } = await open(path);
      expect([answer.statusCode, answer.headers.location]).toEqual([303, '/services']);
    }
    expect((await compare([befriending, befriending])).text).toContain('tick another service');
  });

  it('are not printed where one is sensitive', async () => {
    await markSensitive(site.deps.db, befriending);
    const { page, text } = await compare([befriending, ids.find((id) => id !== befriending)!]);
    expect(text).toContain('is not printed');
    expect(
      page.querySelectorAll('thead th').map((each) => each.classNames.includes('onward-no-print')),
    ).toEqual([true, false]);
  });
});
