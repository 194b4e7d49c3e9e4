import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askQuestions,
  hitsAt,
  meanReciprocalRank,
  qualityFloors,
  questionSets,
} from '../../../bench/benches/search-quality/questions.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  const sample = join(import.meta.dirname, '..', '..', '..', 'sample', 'library.ndjson');
  await importServices(site.deps, siteActor, createReadStream(sample));
});
afterAll(() => site.close());

type Page = { total_items: number; contents: { id: string; name: string }[] };
async function search(text: string, more: Record<string, string> = {}): Promise<Page> {
  const query = new URLSearchParams({ search: text, ...more });
  const answer = await site.app.inject(`/api/library/services?${query}`);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
const names = async (text: string, more?: Record<string, string>) =>
  (await search(text, more)).contents.map(({ name }) => name);

describe('the questions of link workers', () => {
  it.each([
    ['sample', 60, 60],
    ['heldOut', 30, 28],
    ['reported', 8, 8],
  ] as const)('are answered as well as before: %s', async (set, count, hitsAt5) => {
    const questions = questionSets[set];
    expect(questions).toHaveLength(count);
    const results = await askQuestions(
      questions,
      async ({ question }, limit) => (await search(question, { per_page: String(limit) })).contents,
    );
    const floor = qualityFloors[set];
    expect(hitsAt(results, 3)).toBeGreaterThanOrEqual(floor.hitsAt3);
    expect(hitsAt(results, 5)).toBeGreaterThanOrEqual(hitsAt5);
    expect(hitsAt(results, 10)).toBeGreaterThanOrEqual(floor.hitsAt10);
    expect(meanReciprocalRank(results)).toBeGreaterThanOrEqual(floor.meanReciprocalRank);
  });
});

describe('a search', () => {
  it('finds a word from its second letter on', async () => {
    for (let letters = 2; letters <= 'befriending'.length; letters += 1) {
      const typed = 'befriending'.slice(0, letters);
      expect((await names(typed)).slice(0, letters > 2 ? 1 : 5), typed).toContain('Good Company befriending');
    }
  });

  it('finds a service by its name first, however common the words', async () => {
    for (const name of ["Carers' support", 'Money and debt advice', 'The Warm Room', 'Door to Door'])
      expect((await names(name))[0]).toBe(name);
  });

  it('puts befriending first for somebody who is lonely', async () => {
    for (const said of ['lonely', 'isolated', 'nobody to talk to'])
      expect((await names(said)).slice(0, said === 'lonely' ? 1 : 3), said).toContain(
        'Good Company befriending',
      );
  });

  it('puts services for other ages later', async () => {
    for (const said of ['lonely older man', 'loneliness elderly'])
      expect((await names(said)).slice(0, 5), said).not.toContain('The Loft youth club');
    expect((await names('bored since retiring')).slice(0, 5)).not.toContain('The Loft youth club');
    expect((await names('lonely teenager')).slice(0, 5)).toContain('The Loft youth club');
  });

  it('lets the rare word decide, and puts full matches first', async () => {
    const found = await names('support group for gambling');
    expect(found[0]).toBe('Even Odds: gambling harm');
    expect(await names('garden therapy')).toContain('Rootwork garden therapy');
    expect((await names('garden therapy'))[0]).toBe('Rootwork garden therapy');
  });

  it('lets a word that says nothing of what is needed find nothing', async () => {
    const found = await names('behind with the rent');
    expect(found.slice(0, 4)).toEqual(expect.arrayContaining(['Keep Your Home', 'Open Door advice']));
    expect(found).not.toContain('Step Out health walks');
  });

  it('puts advice about debt first for somebody who owes rent', async () => {
    for (const said of ['behind with the rent', 'behind on her rent', 'rent arrears', 'can’t pay the rent'])
      expect((await names(said))[0], said).toBe('Money and debt advice');
    expect((await names('rent')).slice(0, 3)).toContain('Keep Your Home');
  });

  it('finds what services call it, in any form of the words', async () => {
    for (const said of ['skint', 'owing money', 'he owes money', 'they cannot pay'])
      expect((await names(said)).slice(0, 5), said).toContain('Money and debt advice');
    expect((await names('smokers')).slice(0, 3)).toContain('Quit Together');
  });

  describe('where few match all words', () => {
    const said = 'lonely man whose wife died';

    it('adds partial matches after them, but not when sorted by name', async () => {
      const all = await search(said, { per_page: '100' });
      expect(all.contents[0]!.name).toBe("Sarrowby Men's Shed");
      expect(all.total_items).toBeGreaterThan(20);
      expect(all.contents).toHaveLength(all.total_items);
      expect(await names(said, { sort: 'name' })).toEqual(["Sarrowby Men's Shed"]);
    });

    it('keeps their order from page to page', async () => {
      const all = await names(said, { per_page: '100' });
      const pages = await Promise.all(['1', '2'].map((page) => names(said, { per_page: '7', page })));
      expect(pages.flat()).toEqual(all.slice(0, 14));
    });

    it('counts them in the facets', async () => {
      const { facets } = (await search(said, { facets: 'capacity' })) as Page & {
        facets: { capacity: Choice[] };
      };
      expect(Math.max(...facets.capacity.map(({ count }) => count))).toBeGreaterThan(5);
    });
  });

  it('understands a misspelt saying', async () => {
    expect((await names('alchoholic')).slice(0, 3)).toContain('The Crossing: drug and alcohol recovery');
  });

  it('takes quotes and a minus literally, and adds nothing', async () => {
    expect(await names('"lunch club"')).toEqual(['The Wednesday Table lunch club']);
    expect(await names('"club lunch"')).toEqual([]);
    expect(await names('lunch -club')).not.toContain('The Wednesday Table lunch club');
  });

  it('finds either side of “or”', async () => {
    const either = await search('gambling or fibromyalgia');
    expect(either.contents.slice(0, 2).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Even Odds: gambling harm', 'Pain Friends: fibromyalgia and persistent pain']),
    );
  });

  it('mixes no vague matches in when sorted by name', async () => {
    const all = await search('carers group', { sort: 'name' });
    const best = await search('carers group');
    expect(all.total_items).toBeLessThanOrEqual(best.total_items);
    expect(await names('gambling harm', { sort: 'name' })).toEqual(['Even Odds: gambling harm']);
  });

  it('lists the same services line by line as on pages', async () => {
    for (const text of ['gambling support', 'lonely older man who used to garden', 'skint', '"lunch club"']) {
      const query = new URLSearchParams({ search: text, format: 'ndjson' });
      const lines = (await site.app.inject(`/api/library/services?${query}`)).body.trim().split('\n');
      const ids = (await search(text)).contents.map(({ id }) => id);
      expect(lines.map((line) => JSON.parse(line).id).sort(), text).toEqual(ids.toSorted());
    }
  });
});

describe('a strange search', () => {
  it.each([
    ['operators', "debt & !advice | (money:* <-> 'help') \\"],
    ['a lone quote', '"debt'],
    ['only small words', 'somewhere to go with someone please'],
    ['only punctuation', '?!… --- ()'],
    ['emoji', '🙂 👩‍👩‍👧'],
    ['other scripts', 'لاجئ 难民 біженець ½ ﷺ'],
    ['letters that turn into signs without their accents', 'Oʼneill ʼʼ ½x'],
    ['a word without end', 'a'.repeat(500)],
    ['many words', 'walk talk sing '.repeat(33)],
  ])('is no reason to fail: %s', async (_what, text) => {
    await search(text);
  });

  it('is refused if it is too long or has a NUL', async () => {
    for (const text of ['a'.repeat(5000), 'debt\0advice']) {
      const answer = await site.app.inject(`/api/library/services?search=${encodeURIComponent(text)}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).not.toContain('aaa');
    }
  });
});

describe('a filter beside its count', () => {
  it('finds as many services as it counted, and widens no search', async () => {
    for (const said of ['lonly older man', 'benefits help', 'lonely dementia singing']) {
      const facets = { facets: 'taxonomy_term_id,day,capacity', per_page: '1' };
      const all = (await search(said, facets)) as Page & { facets: Record<string, Choice[]> };
      for (const [facet, choices] of Object.entries(all.facets)) {
        for (const { value, name, count } of choices.filter((each) => each.count > 0))
          expect((await search(said, { [facet]: value })).total_items, `${said}, ${name}`).toBe(count);
      }
    }
    // If nothing would be left, what is near enough helps more than an empty page.
    expect(await search('lonely dementia singing', { capacity: 'no-capacity' })).not.toMatchObject({
      empty: true,
    });
  });
});

type Choice = { value: string; name: string; count: number };
