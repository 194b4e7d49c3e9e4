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
      ...['How', 'For whom', 'When', 'Cost', 'Wait', 'Access and languages'],
      ...['Contact', 'Next step'],
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

  it('say once what is the same for all, or not known', async () => {
    const { page, text } = await compare([befriending, ids.find((id) => id !== befriending)!]);
    const same = page.querySelectorAll('.onward-compared-same dt').map((each) => each.text);
    expect(same).toEqual(['Where']);
    expect(text).toContain('Not known for any of them: share of referrals accepted.');
    const alone = await compare([befriending]);
    expect(alone.page.querySelectorAll('.onward-compared-same dt')).toEqual([]);
    expect(alone.page.querySelectorAll('tbody th').map((each) => each.text)).toContain('Where');
  });

  it('have addresses that break where their parts end', async () => {
    const { answer } = await compare([befriending]);
    expect(answer.body).toContain('>goodcompany@<wbr>weirhouse.<wbr>example.<wbr>org<wbr></span>');
  });

  it('say an age once, where the words about whom it is for say it', async () => {
    const { text } = await compare([befriending]);
    expect(text.match(/People aged 55 and over/g)).toHaveLength(1);
  });

  it('are four at most, and can be removed one by one', async () => {
    const five = await compare(ids.slice(0, 5));
    expect(names(five.page)).toHaveLength(4);
    expect(five.text).toContain('You can compare up to four services');
    const remove = five.page.querySelectorAll('a').find(({ text }) => text.startsWith('Remove'))!;
    const three = await open(remove.getAttribute('href')!.replaceAll('&amp;', '&'));
    expect(names(three.page)).toHaveLength(3);
  });

  it('lead back to the search if no ticked service exists', async () => {
    for (const path of ['/services/compare', '/services/compare?id=nobody', '/services/compare?id=%00']) {
      const { answer } = await open(path);
      expect([answer.statusCode, answer.headers.location]).toEqual([
        303,
        '/services?nothing_ticked=yes#results',
      ]);
    }
    expect((await compare([befriending, befriending])).text).toContain('tick another service');
  });

  it('keep the whole search, with or without ticks', async () => {
    const search = '/services?search=group&postcode=ZT1&age=70&way=in-person&page=2';
    const { page } = await open(search);
    const fields = page.querySelectorAll('#compare input[type=hidden]').map((field): [string, string] => {
      const { name, value } = field.attributes;
      return [name!, value!];
    });
    const none = await open(`/services/compare?${new URLSearchParams(fields)}`);
    expect(none.answer.headers.location).toBe(
      `${new URL(search, 'http://x').pathname}?${new URLSearchParams([...fields, ['nothing_ticked', 'yes']])}#results`,
    );
    const back = await open(String(none.answer.headers.location));
    expect(back.page.querySelector('#search')?.getAttribute('value')).toBe('group');
    expect(back.page.querySelector('#results')!.text).toContain('Tick two to four services to compare');
  });

  it('keep their ticks and the age on the way back and to the form', async () => {
    const { page } = await compare(ids.slice(0, 2), '&postcode=ZT1+1HW&age=70');
    const backPath = page.querySelector('nav[aria-label=Back] a')!.getAttribute('href')!;
    const back = await open(backPath.replaceAll('&amp;', '&'));
    const ticked = back.page.querySelectorAll('#compare [name=id], input[form=compare][checked]');
    expect(ticked.map((each) => each.getAttribute('value')).toSorted()).toEqual(ids.slice(0, 2).toSorted());
    expect(back.page.querySelector('#age')?.getAttribute('value')).toBe('70');
    const refer = page.querySelectorAll('a').find(({ text }) => text.startsWith('Make a referral'))!;
    expect(refer.getAttribute('href')).toContain('age=70');
  });

  it('keep the referral that one of them would take over', async () => {
    const id = '6f1f6a32-6f0a-4c6e-9d6c-0d3c2f4b8a11';
    const { page } = await compare(ids.slice(0, 2), `&age=70&reroutes=${id}`);
    const hrefs = page
      .querySelectorAll('main a, nav[aria-label=Back] a')
      .map((each) => each.getAttribute('href')!);
    const back = hrefs.find((href) => href.startsWith('/referrals/'));
    expect(back).toMatch(new RegExp(`^/referrals/${id}/reroute\\?asked=yes&(amp;)?age=70`));
    expect(hrefs.filter((href) => href.includes(`reroutes=${id}`))).not.toEqual([]);
    const none = await open(`/services/compare?reroutes=${id}`);
    expect(none.answer.headers.location).toBe(
      `/referrals/${id}/reroute?asked=yes&nothing_ticked=yes#results`,
    );
    const forged = await open('/services/compare?reroutes=%2F%2Fevil.example');
    expect(forged.answer.headers.location).toBe('/services?nothing_ticked=yes#results');
  });

  it('are not printed where one is sensitive', async () => {
    await markSensitive(site.deps.db, befriending);
    const { page, text } = await compare([befriending, ids.find((id) => id !== befriending)!]);
    expect(text).toContain('is not printed');
    expect(
      page.querySelectorAll('thead th').map((each) => each.classNames.includes('onward-no-print')),
    ).toEqual([true, false]);
    // What is the same for all would still tell of the one that is left out.
    const same = page.querySelector('.onward-compared-same');
    expect(same?.parentNode?.classNames ?? 'onward-no-print').toContain('onward-no-print');
  });
});
