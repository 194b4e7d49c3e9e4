import { describe, expect, it } from 'vitest';
import { updateOf } from './change.ts';

describe('update', () => {
  it('keeps the part of long texts that differs', () => {
    const changed = (was: string, is: string) =>
      updateOf('service', 'a', { text: was }, { text: is }).fields[0]!;
    const long = 'same '.repeat(2000);
    const { previous, replacement } = changed(`${long}old ${long}`, `${long}new ${long}`);
    expect(previous).toMatch(/^…(same ){100}old same .*…$/);
    expect(replacement).toBe(previous.replace('old', 'new'));
    expect(changed(`old ${long}`, 'new')).toEqual({
      name: 'text',
      previous: `old ${long.slice(0, 4996)}…`,
      replacement: 'new',
    });
  });

  it('sees a new field that is named like a property of objects', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      const document = JSON.parse(`{"${name}": "x"}`);
      expect(updateOf('service', 'a', {}, document).fields).toEqual([
        { name, previous: '', replacement: 'x' },
      ]);
    }
  });
});
