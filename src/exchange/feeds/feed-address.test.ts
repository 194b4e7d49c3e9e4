import { describe, expect, it } from 'vitest';
import { readFeedAddress } from './feed-address.ts';

const base = 'https://feed.example/api';

describe('the address of a feed', () => {
  it.each([
    [`${base}/`, base, ''],
    [`${base}/services?page=3&per_page=50`, base, ''],
    [`${base}/services?directory=North%20Fells`, `${base}?directory=North Fells`, 'directory=North+Fells'],
    [`${base}?area=1&page=2`, `${base}?area=1`, 'area=1'],
  ])('%s gives the name %s and the query “%s”', (address, name, query) => {
    expect(readFeedAddress(address)).toEqual({ base, name, query });
  });

  it.each([
    'api_key=north',
    'subscription-key=north',
    'accessToken=north',
    'sig=north',
    'x=2b7e151628aed2a6abf7158809cf4f3c',
    'x=eyJhbGciOiJIUzI1NiJ9',
    'x=a%00b',
    'x=%3Cb%3E',
  ])('hides a possible key in the name, and sends it: %s', (query) => {
    const [parameter, value] = query.split('=');
    const read = readFeedAddress(`${base}?area=1&${query}`);
    expect(read.name).toBe(`${base}?area=1&${parameter}=…`);
    expect(read.query).toContain(value);
  });
});
