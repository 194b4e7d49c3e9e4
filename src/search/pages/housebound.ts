import { remoteWays } from '../../library/index.ts';
import type { FindForm } from './find-form.ts';

const home = `(?:of )?(?:the |their |her |his |my )?(?:house|home|flat)`;
const cannot =
  "(?:can ?not|can['’]?t|could ?n['’]?t|unable to|not able to|never|rarely|seldom|hardly ever|does ?n['’]?t|does not|do not|don['’]?t|will not|won['’]?t)";
const housebound = new RegExp(
  [
    String.raw`\b(?:(?:who|she|he|they|I) )?${cannot} (?:leaves? ${home}|(?:go(?:es)?|gets?) (?:out ${home}|out(?:side)?(?! of)))\b`,
    String.raw`\b(?:house|home|bed)[ -]?bound\b`,
    String.raw`\bstuck (?:indoors|at home|in the house)\b`,
    String.raw`\bconfined to (?:the |her |his |their )?(?:house|home|bed)\b`,
    // “Cannot travel to hospital” asks for a lift, so it stays as it is.
    String.raw`\b(?:(?:who|she|he|they|I) )?${cannot} travel(?! (?:to|with|abroad|insurance))\b`,
    String.raw`\btoo (?:frail|ill|unwell|weak|poorly|anxious|scared|disabled) to (?:go out(?:side)?(?! of)|get out(?:side)?(?! of)|leave ${home}|travel(?! (?:to|abroad)))\b`,
    String.raw`\b(?:(?:has|have|with|got) )?no (?:car|transport)\b(?! (?:insurance|tax|parking|seat))`,
  ].join('|'),
  'i',
);

/**
 * A search that says that the person cannot leave the house asks how services meet people, and not for services that have these words. It
 * becomes a search by the other words for services at home, by phone or online. Undefined if the search does not say so.
 */
export function readHousebound(form: FindForm): { said: string; meant: FindForm } | undefined {
  const said = housebound.exec(form.search)?.[0];
  // In quotes, words are looked for as they are.
  if (said === undefined || form.search.includes('"')) return undefined;
  const search = form.search
    .replace(said, ' ')
    .replace(/^[\s,;.–-]+|[\s,;.–-]+$/g, '')
    .replaceAll(/\s+/g, ' ');
  return { said, meant: { ...form, search, ways: form.ways.length > 0 ? form.ways : remoteWays } };
}
