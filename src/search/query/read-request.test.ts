import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { readLenientQuery } from '../../library/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { listQuerySchema } from './parameters.ts';
import { readListRequest } from './read-request.ts';

const readQuery = (raw: Record<string, unknown>, url?: string) => readLenientQuery(listQuerySchema, raw, url);

describe('the query of a list', () => {
  it.each([
    ['page', '1.5'],
    ['page', '-1'],
    ['page', '0x10'],
    ['page', '99999999999'],
    ['page', ['1', 'two']],
    ['per_page', 'all'],
    ['minimal', 'yes'],
    ['full', '1'],
    ['search', 'a\0b'],
    ['taxonomy_term_id', ['a', '\0']],
    ['proximity', '5km'],
    ['latitude', '1e3'],
  ])('refuses %s=%s, and names the parameter', (name, value) => {
    let thrown: unknown;
    try {
      readQuery({ [name]: value });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(Problem);
    expect((thrown as Problem).errors).toEqual([
      { pointer: `/query/${name}`, message: expect.stringMatching(/^must/) },
    ]);
  });

  it('ignores empty and unknown parameters', () => {
    expect(readQuery({ search: '', page: '', utm_source: 'x\0', per_page: '20' })).toEqual({
      per_page: '20',
    });
  });

  it('understands a time zone whose plus sign was not encoded', () => {
    expect(readQuery({ modified_after: '2026-11-21T09:30:00 01:00' })).toEqual({
      modified_after: '2026-11-21T09:30:00+01:00',
    });
  });

  it('takes days and facets in any case and with commas', () => {
    expect(readQuery({ day: ['tu,Friday', 'SU'], facets: 'DAY, capacity', taxonomy_term_id: 'A,b' })).toEqual(
      {
        day: ['TU', 'Friday', 'SU'],
        facets: ['day', 'capacity'],
        taxonomy_term_id: 'A,b',
      },
    );
  });
});

describe('a request for a list', () => {
  it('has 50 items a page, and all of them in the minimal form', async () => {
    const read = (query: Parameters<typeof readListRequest>[1]) =>
      readListRequest(
        { db: undefined as never, clock: manualClock(), settings: undefined as never },
        query,
        '/query',
      );
    expect(await read({})).toMatchObject({ detail: 'summary', page: 1, perPage: 50, sort: 'name' });
    expect(await read({ full: true })).toMatchObject({ detail: 'document' });
    expect(await read({ minimal: true })).toMatchObject({ detail: 'minimal', perPage: 50_000 });
    expect(await read({ search: 'a' })).toMatchObject({ sort: 'relevance' });
    expect(await read({ latitude: 0, longitude: 0 })).toMatchObject({ sort: 'distance' });
    expect(await read({ day: [], capacity: [] })).toMatchObject({ filters: { hours: undefined } });
  });
});

describe('a hostile query', () => {
  it('throws only Problems', () => {
    const value = fc.oneof(fc.string(), fc.array(fc.string()));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('search', 'page', 'minimal', 'modified_after', 'format'), value),
        (query) => {
          try {
            readQuery(query);
          } catch (error) {
            expect(error).toBeInstanceOf(Problem);
          }
        },
      ),
    );
  });
});
