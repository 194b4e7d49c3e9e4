import { describe, expect, it } from 'vitest';
import { mustBeReadFirst, partsWithCrisis, riskInWords } from '../../src/referrals/index.ts';
import { referralTexts } from '../../src/referrals/model/text-rules.ts';

// Staff write what a person said wherever the form has room for it.

const words = 'she said she wants to kill herself tonight';

/** A referral with the words at one place only, such as `goals[].text`. */
function contentWith(path: string): object {
  const built = path
    .split(/\.|(?=\[\])/)
    .reduceRight<unknown>((below, step) => (step === '[]' ? [below] : { [step]: below }), words);
  return built as object;
}

/** Names, addresses, codes and wordings of forms, in which nobody writes what a person said. */
const notRead = [
  /^patient\.(nhs_number|title|given_name|family_name|birth_date|address|telephone|email|carer\.telephone)/,
  /^referrer\.(?!on_behalf_of)|^(contacts|appointments)\[\]\.by$/,
  // They say that somebody was told, which stands out by itself.
  /^risk_acted_on\.|^fit_override\.misfits|^consent\.(?!reason)|^suggested_service\./,
];
const read = Object.keys(referralTexts).filter((path) => !notRead.some((each) => each.test(path)));

describe('words of a crisis', () => {
  it.each(read)('are read in %s', (path) => {
    const content = { risk: 'no', ...contentWith(path) } as Parameters<typeof mustBeReadFirst>[0];
    const [part] = partsWithCrisis(content, undefined);
    expect(part).toEqual(referralTexts[path]!.part);
    expect(mustBeReadFirst(content, [], undefined), 'must be read before it can be accepted').toBe(true);
    expect(riskInWords(content, { day: String })[0]).toBe(
      `The answer was “no”, but ${part} may say otherwise: read it.`,
    );
  });
});
