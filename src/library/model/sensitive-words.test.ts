import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { looksSensitive, sensitiveWordsOf } from './sensitive-words.ts';

const sample = (name: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'sample', name), 'utf8')
    .trim()
    .split('\n');

describe('the words of a service', () => {
  it('suggest exactly the sensitive services of the sample', () => {
    const marked = sample('sensitive-services.csv')
      .slice(1)
      .map((line) => line.split(',')[0]);
    const guessed = sample('library.ndjson')
      .map((line) => JSON.parse(line) as { id: string; name: string; description: string })
      .filter(looksSensitive);
    expect(guessed.map(({ id }) => id).toSorted()).toEqual(marked.toSorted());
  });

  it.each([
    ['The Willows', 'A safe house for women and their children. The address is never given out.'],
    ['Sexual health clinic', ''],
    ['Gamblers anonymous', ''],
  ])('are those of a sensitive one: %s %s', (name, description) => {
    expect(looksSensitive({ name, description })).toBe(true);
  });

  it('are named, so that an operator sees why it was marked', () => {
    expect(sensitiveWordsOf({ name: 'Abc Drug Stores', description: '' })).toBe('Drug');
    expect(sensitiveWordsOf({ name: 'The Willows', description: 'A safe house.' })).toBe('safe house');
  });

  it.each([
    ['Debt advice', 'We also know services for people who gamble or drink.'],
    ['Translation desk', 'Letters translated into English.'],
    ['Coffee morning', 'No alcohol is served.'],
  ])('are not those of one: %s %s', (name, description) => {
    expect(looksSensitive({ name, description })).toBe(false);
  });
});
