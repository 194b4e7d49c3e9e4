import { describe, expect, it } from 'vitest';
import { coversPostcode, readServedPostcodes } from './area-words.ts';

const area = (description: string, name = 'Sarrowby') => ({ service_areas: [{ name, description }] });

describe('an area in words', () => {
  it.each([
    ['The whole valley: postcodes starting with ZT1, ZT2, ZT3 and ZT4.', ['ZT1', 'ZT2', 'ZT3', 'ZT4'], true],
    ['Crindlow: postcodes starting with ZT4 1, ZT4 2 and ZT4 4.', ['ZT4 1', 'ZT4 2', 'ZT4 4'], true],
    ['Anyone in the county, including all postcodes starting with ZT1 and ZT2.', ['ZT1', 'ZT2'], false],
    ['Postcode districts HR1 and HR2', ['HR1', 'HR2'], true],
    ['All HR postcodes', ['HR'], true],
    ['HR1, HR2 and HR4', ['HR1', 'HR2', 'HR4'], true],
  ])('names its postcodes: %s', (words, codes, isWhole) => {
    expect(readServedPostcodes(area(words))).toEqual({ codes, isWhole });
  });

  it.each([
    'Postcodes starting with ZT1, except ZT1 4',
    'Parts of postcodes starting with ZT1',
    'Most postcodes in ZT1',
    'Sarrowby and the villages',
    'Anybody in the county',
    'The A1 and M25 corridor',
    `Postcodes starting with ZT1. ${'Ask. '.repeat(300)}`,
  ])('is left alone where that is not certain: %s', (words) => {
    expect(readServedPostcodes(area(words))).toBeUndefined();
  });

  it('covers the whole UK if its name says so', () => {
    expect(readServedPostcodes(area('', 'United Kingdom'))).toEqual({ codes: [''], isWhole: true });
    expect(readServedPostcodes(area('', 'Nationwide'))).toEqual({ codes: [''], isWhole: true });
    expect(readServedPostcodes(area('Not in Wales', 'UK'))).toBeUndefined();
  });

  it('is incomplete if another area cannot be read', () => {
    const { service_areas } = area('HR1');
    expect(readServedPostcodes({ service_areas: [...service_areas, { name: 'Brecon' }] })).toEqual({
      codes: ['HR1'],
      isWhole: false,
    });
  });
});

describe('a postcode and an area in words', () => {
  const [inZt4, inZt1] = [
    { text: 'ZT4 1AA', district: 'ZT4' },
    { text: 'ZT11 1AA', district: 'ZT11' },
  ];
  it.each([
    [['ZT4'], true, inZt4, true],
    [['ZT4 1'], true, inZt4, true],
    [['ZT4 2'], true, inZt4, false],
    [['ZT4 2'], true, { text: 'ZT4', district: 'ZT4' }, undefined],
    [['ZT4 2'], false, inZt4, undefined],
    [['ZT1'], true, inZt1, false],
    [['ZT'], true, inZt1, true],
    [['EC1'], true, { text: 'EC1A 1BB', district: 'EC1A' }, true],
    [[''], true, inZt1, true],
  ])('%j (all of it: %s) and %j: %s', (codes, isWhole, postcode, covers) => {
    expect(coversPostcode({ codes, isWhole }, postcode)).toBe(covers);
  });
});
