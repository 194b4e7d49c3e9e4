import { afterAll, describe, expect, it } from 'vitest';
import { makeMailFixture } from '../../../test/people/mail-fixture.ts';
import { inTransaction } from '../database/index.ts';
import { newId } from '../ids/index.ts';
import { countWithheldText, mayText } from './limit-texts.ts';

const site = await makeMailFixture();
afterAll(() => site.close());

describe('the limit of texts to one number', () => {
  it('holds for texts of several organisations at the same moment', async () => {
    const one = () => {
      const text = { kind: 'person', to: '07700 900456', causedBy: newId() } as const;
      return inTransaction(site.deps.db, async (trx) => {
        const may = await mayText(trx, site.deps, text);
        if (may) await countWithheldText(trx, site.deps, text);
        return may;
      });
    };
    const answers = await Promise.all(Array.from({ length: 12 }, one));
    expect(answers.filter(Boolean)).toHaveLength(6);
  });
});
