import { expect, test } from 'vitest';
import { update } from './change.ts';

test('of long texts the part is kept in which they differ', () => {
  const changed = (was: string, is: string) => update('service', 'a', { text: was }, { text: is }).fields[0]!;
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

test('a field that is called as something every object has is new where it was not there', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    const document = JSON.parse(`{"${name}": "x"}`);
    expect(update('service', 'a', {}, document).fields).toEqual([{ name, previous: '', replacement: 'x' }]);
  }
});
