import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextBlocks } from './text-blocks.ts';

test('every text is given back as it came, short or larger than a block, before and after room is given back', () => {
  const long = fc.integer({ min: 1, max: 400_000 }).map((times) => 'é'.repeat(times));
  const texts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(''), long), { maxLength: 60 });
  fc.assert(
    fc.property(texts, texts, (first, later) => {
      const blocks = new TextBlocks();
      for (const text of first) blocks.add(text);
      blocks.settle();
      for (const text of later) blocks.add(text);
      const all = [...first, ...later];
      expect(all.map((_, number) => blocks.at(number))).toEqual(all);
    }),
    { numRuns: 30 },
  );
});
