import { describe, expect, it } from 'vitest';
import { readForm } from './find-form.ts';
import { readHowToMeet } from './how-to-meet.ts';

const read = (search: string, way?: string) => {
  const reading = readHowToMeet(readForm({ search, ...(way && { way }) }));
  return reading && [reading.said, reading.meant.search, reading.meant.ways.join(' ')];
};
const remote = 'home phone online';

describe('a search that says that somebody cannot leave the house', () => {
  it('asks for services at home, by phone or online', () => {
    expect(read('lonely, cannot leave the house')).toEqual(['cannot leave the house', 'lonely', remote]);
    expect(read('widow who can’t go out')).toEqual(['who can’t go out', 'widow', remote]);
    for (const said of [
      'Housebound',
      'never leaves her flat',
      'unable to get out',
      'stuck at home',
      'can’t get out of the house',
      'cannot travel',
      'who can’t travel',
      'has no car',
      'no transport',
      'too frail to go out',
      'too anxious to leave the house',
    ])
      expect(read(said)).toEqual([said, '', remote]);
  });

  it('keeps the ways that somebody chose', () => {
    expect(read('housebound and lonely', 'phone')).toEqual(['housebound', 'and lonely', 'phone']);
  });

  it('is not recognised with other words, or with quotes', () => {
    for (const words of [
      'cannot leave her husband',
      'cannot get out of debt',
      'cannot travel to hospital',
      'no car seat',
      'too frail to go out of hospital',
      'house clearance',
      'violence at home',
      '"housebound"',
    ])
      expect(read(words), words).toBeUndefined();
  });
});

describe('a search that asks for visits at home', () => {
  it('asks for services at home', () => {
    expect(read('befriending home visits')).toEqual(['home visits', 'befriending', 'home']);
    expect(read('somebody who visits her at home, lonely')).toEqual([
      'somebody who visits her at home',
      'lonely',
      'home',
    ]);
    expect(read('hairdresser who comes to the house')).toEqual([
      'who comes to the house',
      'hairdresser',
      'home',
    ]);
    for (const said of ['home visits', 'Home visit', 'visits at home', 'visiting at home', 'at home'])
      expect(read(said), said).toEqual([said, '', 'home']);
    for (const wanted of ['befriending', 'physiotherapy', 'foot care', 'gentle exercise'])
      expect(read(`${wanted} at home`)).toEqual(['at home', wanted, 'home']);
  });

  it('keeps the words where nothing else says what is wanted', () => {
    expect(read('help at home')).toEqual(['at home', 'help at home', 'home']);
  });

  it('is no search for what happens at home', () => {
    for (const words of [
      'violence at home',
      'not safe at home',
      'falls at home',
      'alone at home all day',
      'lives at home',
      'damp at home',
      'home help',
      'visit a care home',
      'children at home',
      '"home visits"',
    ])
      expect(read(words), words).toBeUndefined();
  });
});
