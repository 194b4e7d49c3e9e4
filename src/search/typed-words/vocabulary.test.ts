import { describe, expect, it } from 'vitest';
import { Vocabulary } from './vocabulary.ts';

const known = [
  'befriending',
  'bereavement',
  'benefits',
  'kitchen',
  'pharmacy',
  'physiotherapy',
  'walks',
  'band',
];

function correctionsOf(typed: string): string[] {
  const vocabulary = new Vocabulary();
  for (const word of known) vocabulary.addWord(word, word);
  return vocabulary.correctionsOf(typed).map(({ word }) => word);
}

describe('a misspelt word', () => {
  it.each([
    ['bereavment', 'bereavement'],
    ['befreinding', 'befriending'],
    ['benifits', 'benefits'],
    ['pharmasy', 'pharmacy'],
    ['fysiotherapy', 'physiotherapy'],
    ['walsk', 'walks'],
    ['wolkz', undefined],
    ['bnad', undefined],
    ['walkss', 'walks'],
  ])('%s may stand for %s', (typed, word) => {
    expect(correctionsOf(typed)).toEqual(word === undefined ? [] : [word]);
  });

  it('is not taken for another word that is only somewhat like it', () => {
    for (const typed of ['hitchin', 'hand', 'bank', 'benefactor']) expect(correctionsOf(typed)).toEqual([]);
  });
});

describe('a vocabulary', () => {
  it('knows the stems of words that begin alike, each once', () => {
    const vocabulary = new Vocabulary();
    vocabulary.addWord('walking', 'walk');
    vocabulary.addWord('walks', 'walk');
    vocabulary.addWord('wallet', 'wallet');
    expect([...vocabulary.stemsOfWordsStartingWith('wal')]).toEqual(['walk', 'wallet']);
    expect([...vocabulary.stemsOfWordsStartingWith('x')]).toEqual([]);
  });
});
