import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { runs } from '../../../test/app/runs.ts';
import { SearchIndex } from '../index/search-index.ts';
import type { IndexedService } from '../index/service-columns.ts';
import { type Interpretation, interpretations } from './interpret.ts';
import { Vocabulary } from './vocabulary.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
});
afterAll(() => site.close());

const sameStems = async (words: readonly string[]) => new Map(words.map((word) => [word, word]));

async function first(search: string): Promise<Interpretation | undefined> {
  const library = { index: new SearchIndex(), vocabulary: new Vocabulary() };
  const { value } = await interpretations(library, sameStems, search).next();
  return value ?? undefined;
}

/** A service that has one word. */
const aService = (id: string, word: string): IndexedService => ({
  id,
  name: id,
  modifiedMs: 0,
  minimumAge: null,
  maximumAge: null,
  organizationId: null,
  week: '{}',
  search: `'${word}':1A`,
  availability: null,
  takesNoReferrals: false,
  checkedMs: 0,
  deliveryMode: 'external',
  medianDays: null,
  hasOutlinedArea: false,
  hasUnclearAreas: false,
  areaCodes: [],
  isWholeArea: false,
  ways: [],
  features: [],
  languages: [],
  summary: null,
  places: [],
  hours: [],
  termIds: [],
});

describe('a misspelt word', () => {
  it('is taken for the commonest of the words that are as close', async () => {
    const library = { index: new SearchIndex(), vocabulary: new Vocabulary() };
    for (const word of ['banks', 'bands', 'bangs']) library.vocabulary.addWord(word, word);
    for (const [id, word] of ['banks', 'bands', 'bands', 'bangs'].entries()) {
      library.index.put(aService(String(id), word));
    }
    const searchedFor: unknown[] = [];
    for await (const each of interpretations(library, sameStems, 'banxs')) searchedFor.push(each.searchedFor);
    expect(searchedFor).toEqual([undefined, 'bands']);
  });

  it('is corrected, also if once in use, and only to words in use', async () => {
    const library = { index: new SearchIndex(), vocabulary: new Vocabulary() };
    for (const word of ['benifits', 'benefits', 'benfits']) library.vocabulary.addWord(word, word);
    library.index.put(aService('one', 'benefits'));
    for (const typed of ['benifits', 'benfit']) {
      const searchedFor: unknown[] = [];
      for await (const each of interpretations(library, sameStems, typed)) searchedFor.push(each.searchedFor);
      expect(searchedFor.at(-1)).toBe('benefits');
    }
  });

  it('leaves a stop word and a saying as they were typed', async () => {
    const library = { index: new SearchIndex(), vocabulary: new Vocabulary() };
    library.vocabulary.addWord('during', 'during', true);
    library.vocabulary.addWord('skinty', 'skinty');
    library.vocabulary.replaceSayings([{ saying: 'skinty', text: 'money', stems: ['money'] }]);
    for (const word of ['daring', 'skints']) {
      library.vocabulary.addWord(word, word);
      library.index.put(aService(word, word));
    }
    for (const typed of ['during', 'skinty']) {
      const searchedFor: unknown[] = [];
      for await (const each of interpretations(library, sameStems, typed)) searchedFor.push(each.searchedFor);
      expect(searchedFor).not.toContain('daring');
      expect(searchedFor).not.toContain('skints');
    }
  });
});

describe('a search', () => {
  it.each([
    ['"coffee morning"', true],
    ['lunch -club', true],
    ['-club', true],
    ['5" pipe', false],
    ['""', true],
    ['drop-in - any day', false],
  ])('%s has operators, so that PostgreSQL reads it: %s', async (search, hasOperators) => {
    expect('websearch' in (await first(search))!.text).toBe(hasOperators);
  });

  it('never makes PostgreSQL fail, whatever is typed', async () => {
    const searches = fc.oneof(
      fc.stringMatching(/^[a-zé'"\\:*&|!<>()\- ]{0,40}$/),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.string({ unit: 'binary' }),
    );
    const search = async (url: string, text: string) => {
      const answer = await site.app.inject(`/api/library/${url}?search=${encodeURIComponent(text)}`);
      expect(answer.json()).toMatchObject({ total_items: 0 });
    };
    await fc.assert(
      fc.asyncProperty(searches, async (text) => {
        fc.pre(!text.includes('\0') && text.isWellFormed() && text.length <= 500);
        await search('services', text);
        await search('organizations', text);
      }),
      { numRuns: runs(80) },
    );
  });
});
