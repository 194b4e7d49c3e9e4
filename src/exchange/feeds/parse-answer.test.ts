import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/app/runs.ts';
import { parseAnswer } from './feed-client.ts';

const long = 1_200_000;
const padding = { id: 'padding', text: 'x'.repeat(700_000) };
const twice = [padding, { ...padding, id: 'more' }];

describe('a long answer of a feed', () => {
  it('is what JSON.parse makes of it', async () => {
    const entry = fc.oneof(fc.jsonValue(), fc.record({ id: fc.uuid(), contents: fc.array(fc.jsonValue()) }));
    const frame = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,8}$/), fc.jsonValue(), { maxKeys: 3 });
    const page = fc.tuple(fc.array(entry, { maxLength: 5 }), frame, fc.constantFrom('contents', 'content'));
    const indent = fc.constantFrom(0, 2);
    await fc.assert(
      fc.asyncProperty(page, indent, fc.boolean(), async ([entries, around, name], space, isList) => {
        const all = [...entries, ...twice];
        const value = isList ? all : { ...around, total_items: 7, [name]: all, last_page: true };
        const text = JSON.stringify(value, null, space);
        expect(text.length).toBeGreaterThan(long);
        expect(await parseAnswer(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: runs(40) },
    );
  });

  it('lets others have their turns', async () => {
    const entries = Array.from({ length: 60_000 }, (_, index) => ({ id: `${index}`, name: 'Service' }));
    const body = Buffer.from(JSON.stringify({ contents: entries }));
    let turns = 0;
    const count = () => {
      turns += 1;
      setImmediate(count).unref();
    };
    count();
    await parseAnswer(body);
    expect(turns).toBeGreaterThan(1);
  });

  it.each([
    ['two million entries', `[${'{},'.repeat(2_000_000)}{}]`, 'more than 100,000 entries at once'],
    ['too many on a page', `{"contents":[${'{},'.repeat(100_000)}{}]}`, 'more than 100,000 entries at once'],
    ['one entry', `[{"id":"${'x'.repeat(long)}"}]`, 'more than a megabyte for one entry'],
    ['much around a list', `{${'"a":1,'.repeat(long / 6)}"contents":[{}]}`, 'not JSON'],
    ['half a list', `[${JSON.stringify(padding)},${JSON.stringify(padding)}`, 'not JSON'],
    ['a list that is broken inside', `[${JSON.stringify(twice).slice(1, -1)},{nonsense}]`, 'not JSON'],
    ['a web page', `<html>${' x'.repeat(long)}</html>`, 'with a web page'],
  ])('of %s is refused', async (_name, text, why) => {
    await expect(parseAnswer(Buffer.from(text))).rejects.toMatchObject({
      detail: expect.stringContaining(why),
    });
  });
});
