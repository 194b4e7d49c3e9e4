import { expect, test } from 'vitest';
import { differingParts } from './differing-parts.ts';

const long = 'A trained volunteer visits you at home for about an hour a week. '.repeat(10);

test('of long texts the part is shown in which they differ, with the words around it', () => {
  const { was, is } = differingParts(`${long}It costs £5.${long}`, `${long}It is free.${long}`);
  expect(was).toMatch(/^…[\w .]{20,60}It costs £5\.A trained[\w ]{20,60}…$/);
  expect(is).toMatch(/^…[\w .]{20,60}It is free\.A trained[\w ]{20,60}…$/);
});

test('what was added at an end, and what was left out, is seen', () => {
  expect(differingParts(long, `${long}Ring first.`).is).toMatch(/^….*week\. Ring first\.$/);
  expect(differingParts(long, '').is).toBe('');
  expect(differingParts('', long).is).toMatch(/^A trained.{280,300}…$/);
});

test('short texts stay whole', () => {
  expect(differingParts('£5', 'free')).toEqual({ was: '£5', is: 'free' });
});

test('a picture of two code units is not cut in its middle', () => {
  const { was, is } = differingParts(`${'🎨'.repeat(200)}a`, `${'🎨'.repeat(200)}b`);
  expect([was.isWellFormed(), is.isWellFormed()]).toEqual([true, true]);
  expect([was.at(-1), is.at(-1)]).toEqual(['a', 'b']);
});
