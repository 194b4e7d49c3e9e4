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

const homeVisits = new RegExp(
  [
    String.raw`\b(?:(?:with|by|for|doing|do|does|offers?|needs?) )?home[ -]visit(?:s|ing|ors?)?\b`,
    String.raw`\b(?:some(?:body|one) )?(?:(?:who|that|to) )?(?:can )?visit(?:s|ed|ing|ors?)? (?:(?:people|them|you|me|her|him) )?(?:at|in) (?:(?:their|her|his|my|your) (?:own )?)?home\b`,
    String.raw`\b(?:(?:who|that) )?(?:can )?com(?:es?|ing) to (?:the|their|her|his|my|your) (?:house|home|flat)\b`,
    String.raw`\bin (?:their|her|his|my|your) own home\b`,
  ].join('|'),
  'i',
);

/** What people want at home. After other words “at home” says where something happens, such as violence, falls or damp. */
const wantedAtHome =
  'befriend(?:ing|ers?)|company|companionship|exercises?|physio(?:therapy)?|hairdress(?:ing|ers?)|haircuts?|foot ?care|chiropod(?:y|ists?)|podiatr(?:y|ists?)|nail cutting|help|support|meals?|shopping|cleaning|respite|counselling|therapy|lessons?|activities|advice|classes?|seen';
const atHome = new RegExp(String.raw`(?:^|\b(?:${wantedAtHome}) )at home$`, 'i');

/** Without “at home” these say nothing, so the search keeps it. */
const vague = /^(?:help|support|advice|activities|seen|classes?|lessons?|)$/i;

type Reading = {
  said: string;
  /** What it was read as, in words. */
  as: string;
  meant: FindForm;
};

/**
 * A search that says how the person can be met, and not what services write of themselves: that the person cannot leave the house, or is to
 * be visited there. It becomes a search by the other words with those filters. Undefined if the search does not say so.
 */
export function readHowToMeet(form: FindForm): Reading | undefined {
  // In quotes, words are looked for as they are.
  if (form.search.includes('"')) return undefined;
  const readAs = (
    said: string,
    as: string,
    ways: FindForm['ways'],
    search = removeWords(form.search, said),
  ) => ({
    said,
    as,
    meant: { ...form, search, ways: form.ways.length > 0 ? form.ways : ways },
  });
  const cannotLeave = housebound.exec(form.search)?.[0];
  if (cannotLeave !== undefined) return readAs(cannotLeave, 'at home, by phone or online', remoteWays);
  const visits = homeVisits.exec(form.search)?.[0];
  if (visits !== undefined) return readAs(visits, 'at home', ['home']);
  if (!atHome.test(form.search.trim())) return undefined;
  const rest = removeWords(form.search, form.search.slice(-'at home'.length));
  return readAs('at home', 'at home', ['home'], rest !== '' && vague.test(rest) ? form.search : rest);
}

const removeWords = (search: string, said: string) =>
  search
    .replace(said, ' ')
    .replace(/^[\s,;.–-]+|[\s,;.–-]+$/g, '')
    .replaceAll(/\s+/g, ' ');
