import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askQuestions,
  hitsAt,
  meanReciprocalRank,
  questionSets,
} from '../../../bench/search-quality/questions.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { theSite } from '../../accounts/index.ts';
import { importServices } from '../../exchange/index.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  const sample = join(import.meta.dirname, '..', '..', '..', 'sample', 'library.ndjson');
  await importServices(site.deps, theSite, createReadStream(sample));
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

test.each([
  ['sample', 60, { hitsAt3: 59, hitsAt5: 60, mrr: 0.912 }],
  ['heldOut', 30, { hitsAt3: 28, hitsAt5: 28, mrr: 0.882 }],
] as const)('the questions of link workers (%s) are answered as well as before', async (set, count, before) => {
  const questions = questionSets[set];
  expect(questions).toHaveLength(count);
  const asked = await askQuestions(
    questions,
    async ({ question }, limit) => (await search(question, { per_page: String(limit) })).contents,
  );
  expect(hitsAt(asked, 3)).toBeGreaterThanOrEqual(before.hitsAt3);
  expect(hitsAt(asked, 5)).toBeGreaterThanOrEqual(before.hitsAt5);
  expect(meanReciprocalRank(asked)).toBeGreaterThanOrEqual(before.mrr);
});

test('as somebody types, what they are about to write is found from the second letter on', async () => {
  for (let letters = 2; letters <= 'befriending'.length; letters += 1) {
    const typed = 'befriending'.slice(0, letters);
    expect((await names(typed)).slice(0, letters > 2 ? 1 : 5), typed).toContain('Good Company befriending');
  }
});

test('a service’s name finds that service first, however common its words are', async () => {
  for (const name of ["Carers' support", 'Money and debt advice', 'The Warm Room', 'Door to Door'])
    expect((await names(name))[0]).toBe(name);
});

test('what is for other ages than those that are spoken of comes later', async () => {
  for (const said of ['lonely older man', 'loneliness elderly'])
    expect((await names(said)).slice(0, 5), said).not.toContain('The Loft youth club');
  expect((await names('lonely teenager')).slice(0, 5)).toContain('The Loft youth club');
});

test('of several words the rare one decides, and those who have all of them come first', async () => {
  const found = await names('support group for gambling');
  expect(found[0]).toBe('Even Odds: gambling harm');
  expect(await names('garden therapy')).toContain('Rootwork garden therapy');
  expect((await names('garden therapy'))[0]).toBe('Rootwork garden therapy');
});

test('what people say means what services call it, in any form of its words', async () => {
  for (const said of ['skint', 'owing money', 'he owes money', 'they cannot pay'])
    expect((await names(said)).slice(0, 5), said).toContain('Money and debt advice');
  expect((await names('smokers')).slice(0, 3)).toContain('Quit Together');
});

test('a misspelt saying is understood, too', async () => {
  expect((await names('alchoholic')).slice(0, 3)).toContain('The Crossing: drug and alcohol recovery');
});

test('signs mean what they say, and nothing is added to what they ask for', async () => {
  expect(await names('"lunch club"')).toEqual(['The Wednesday Table lunch club']);
  expect(await names('"club lunch"')).toEqual([]);
  expect(await names('lunch -club')).not.toContain('The Wednesday Table lunch club');
});

test('“or” means either', async () => {
  const either = await search('gambling or fibromyalgia');
  expect(either.contents.slice(0, 2).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Even Odds: gambling harm', 'Pain Friends: fibromyalgia and persistent pain']),
  );
});

test('where the best do not come first, vague matches do not stand among those that have all', async () => {
  const all = await search('carers group', { sort: 'name' });
  const best = await search('carers group');
  expect(all.total_items).toBeLessThanOrEqual(best.total_items);
  expect(await names('gambling harm', { sort: 'name' })).toEqual(['Even Odds: gambling harm']);
});

test('all that fit, line by line, are those that the pages have', async () => {
  for (const text of ['gambling support', 'lonely older man who used to garden', 'skint', '"lunch club"']) {
    const query = new URLSearchParams({ search: text, format: 'ndjson' });
    const lines = (await site.app.inject(`/api/library/services?${query}`)).body.trim().split('\n');
    const ids = (await search(text)).contents.map(({ id }) => id);
    expect(lines.map((line) => JSON.parse(line).id).sort(), text).toEqual(ids.toSorted());
  }
});

test.each([
  ['operators', "debt & !advice | (money:* <-> 'help') \\"],
  ['a lone quote', '"debt'],
  ['only small words', 'somewhere to go with someone please'],
  ['only punctuation', '?!… --- ()'],
  ['emoji', '🙂 👩‍👩‍👧'],
  ['other scripts', 'لاجئ 难民 біженець ½ ﷺ'],
  ['letters that turn into signs without their accents', 'Oʼneill ʼʼ ½x'],
  ['a word without end', 'a'.repeat(500)],
  ['many words', 'walk talk sing '.repeat(33)],
])('%s are no reason to fail', async (_what, text) => {
  await search(text);
});

test('what cannot be looked for is refused', async () => {
  for (const text of ['a'.repeat(5000), 'debt\0advice']) {
    const answer = await site.app.inject(`/api/library/services?search=${encodeURIComponent(text)}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).not.toContain('aaa');
  }
});

test('a filter leaves what was counted beside it, and no search becomes a vaguer one by it', async () => {
  for (const said of ['lonly older man', 'benefits help', 'lonely dementia singing']) {
    const facets = { facets: 'taxonomy_term_id,day,capacity', per_page: '1' };
    const all = (await search(said, facets)) as Page & { facets: Record<string, Choice[]> };
    for (const [facet, choices] of Object.entries(all.facets)) {
      for (const { value, name, count } of choices.filter((each) => each.count > 0))
        expect((await search(said, { [facet]: value })).total_items, `${said}, ${name}`).toBe(count);
    }
  }
  // Where nothing would be left, what is near enough helps more than an empty page.
  expect(await search('lonely dementia singing', { capacity: 'no-capacity' })).not.toMatchObject({
    empty: true,
  });
});

type Choice = { value: string; name: string; count: number };
