import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

// Clients were written against the document of version e7dc646, the last before the code was restructured. What they rely
// on is still there: calls, parameters, fields, types, codes and statuses. Descriptions and examples may become better.

type Json = { [name: string]: unknown };

const before = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'openapi-e7dc646.json.gz'))).toString(),
) as Json;
const now = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'openapi.json'), 'utf8')) as Json;

const words = new Set(['description', 'summary', 'example', 'examples', 'title', 'info', 'servers', 'tags']);

/** Everything in a document that a program can rely on, a line each. */
function linesOf(part: unknown, path: string): string[] {
  if (Array.isArray(part)) {
    const isList = part.every((each) => typeof each !== 'object' || each === null);
    return part.flatMap((each, index) =>
      isList ? [`${path} ${each}`] : linesOf(each, `${path}/${nameOf(each) ?? index}`),
    );
  }
  if (typeof part !== 'object' || part === null) return [`${path} ${part}`];
  const holdsNames = ['properties', 'paths', 'schemas', 'webhooks', 'responses'].some((each) =>
    path.endsWith(`/${each}`),
  );
  const entries = Object.entries(part).filter(([name]) => holdsNames || !words.has(name));
  if (entries.length === 0) return [path];
  return entries.flatMap(([name, value]) => linesOf(value, `${path}/${name}`));
}

/** A parameter is known by its name, not by its place. */
const nameOf = (each: unknown) => (each as { name?: string }).name;

/** Without what stands in every line, so that they can be read. */
const short = (line: string) =>
  line
    .replace('/content/application/json/schema', '')
    .replace('/requestBody', ' body')
    .replaceAll('/properties', '')
    .replace('/paths/', '');

function differences() {
  const [old, current] = [new Set(linesOf(before, '')), new Set(linesOf(now, ''))];
  return {
    gone: [...old].filter((line) => !current.has(line)).map(short),
    added: [...current].filter((line) => !old.has(line)).map(short),
  };
}

/** What was added on purpose since then, and which issue says so. */
const additions: readonly (readonly [string, RegExp])[] = [
  [
    '14: the receiving service is told which referrals may be the same person',
    /^\/components\/schemas\/Referral\/.*possible_duplicates/,
  ],
  [
    '14: a new delivery address is confirmed first',
    /\/referral_settings\/(get|put)\/responses\/200\/.*unconfirmed_addresses/,
  ],
  [
    '14: without a mail server nobody could confirm one',
    /\/(referral_settings|channels)\/put\/responses\/409/,
  ],
  ['14: the history of delivery addresses', /\/history\/get\/responses\/200\/.*address_changes/],
  [
    '14: operators search for people with a reason',
    /^\/api\/referrals\/search\/post( body\/reason|\/responses\/422)/,
  ],
  ['14: a reason to open clinical details has two words', /\/open\/post\/responses\/422/],
  ['14: more reasons for an end', / body\/status_reason\/code\/enum [a-z-]+$/],
  ['16: the risk of serious harm is asked', /\/risk(_acted_on)?(\/|$)/],
  ['16: a reason to refer somebody outside the ages or area', /\/fit_override(\/|$)/],
  ['14: deliveries that the site holds', /^\/api\/deliveries.* held$/],
];

describe('the published document, beside that of e7dc646', () => {
  const { gone, added } = differences();

  it('has lost nothing', () => {
    expect(gone).toEqual([]);
  });

  it('has gained what the issues since then say, and nothing else', () => {
    expect(added.filter((line) => !additions.some(([, pattern]) => pattern.test(line)))).toEqual([]);
  });

  it.each(additions)('has gained: %s', (_, pattern) => {
    expect(added.filter((line) => pattern.test(line))).not.toEqual([]);
  });
});
