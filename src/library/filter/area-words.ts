import type { Service } from '../model/service.ts';

/**
 * The postcodes that a service's areas name in words: `ZT1`, `ZT4 1`, or `HR` for every postcode that starts with it.
 * `isWhole` is false if the list may be incomplete: then a postcode elsewhere may be served too.
 */
export type ServedPostcodes = { codes: readonly string[]; isWhole: boolean };

/** A postcode, or only its first half. */
export type PostcodeText = { text: string; district: string };

const codePattern = '[A-Z]{1,2}[0-9][A-Z0-9]?(?: ?[0-9])?';
const listPattern = `${codePattern}(?:(?:,? and |,? or |, ?| ?& ?)${codePattern})*`;
const lettersPattern = '[A-Z]{1,2}(?:(?:,? and |,? or |, ?)[A-Z]{1,2})*';
/** “postcodes starting with ZT1, ZT2 and ZT3”, “the postcode districts HR1 and HR2”, “all HR postcodes”. */
const postcodePattern = new RegExp(
  `\\b[Pp]ostcodes?(?: areas?| districts?| sectors?)?(?: (?:that )?(?:start(?:ing)?|begin(?:ning)?)(?: with)?:?| in|:)? (${listPattern}|${lettersPattern})(?![A-Za-z0-9])|^(?:all )?(${listPattern})(?: postcodes?)?$|\\b[Aa]ll (${lettersPattern}) postcodes\\b`,
  'g',
);
const everywhere = /^(?:the )?(?:whole of the )?(?:uk|united kingdom)(?:[- ]wide)?$|^nationwide$/i;
/** Words that make even the named postcodes uncertain. */
const uncertainWords =
  /\b(?:not|except|excluding|exclude[sd]?|outside|apart from|other than|parts? of|some|most|mostly|mainly|if)\b/i;
/** Words after which the list of postcodes may be incomplete. */
const incompleteWords =
  /\b(?:includ\w+|such as|for example|e\.g|also|as well|usually|plus|nearby|neighbouring|surrounding|around|near|or further|and beyond)\b/i;

/** Reads the areas of a service; undefined if none of them names a postcode for certain. */
export function readServedPostcodes({
  service_areas = [],
}: Pick<Service, 'service_areas'>): ServedPostcodes | undefined {
  const read = service_areas.map(({ name = '', description = '' }) => readArea(name, description));
  const codes = [...new Set(read.flatMap((each) => each?.codes ?? []))];
  if (codes.length === 0) return undefined;
  return { codes, isWhole: read.every((each) => each?.isWhole === true) };
}

function readArea(name: string, description: string): ServedPostcodes | undefined {
  if (everywhere.test(name.trim()) && description.length < maxLength && !uncertainWords.test(description))
    return { codes: [''], isWhole: true };
  const both = [name, description].map((each) => each.trim()).filter((each) => each !== '');
  if (both.some((each) => each.length > maxLength || uncertainWords.test(each))) return undefined;
  const codes = both.flatMap((each) =>
    [...each.matchAll(postcodePattern)].flatMap(([, one, two, three]) =>
      (one ?? two ?? three)!.split(/,? and |,? or |, ?| ?& ?/).map(standardCode),
    ),
  );
  return codes.length === 0
    ? undefined
    : { codes, isWhole: !both.some((each) => incompleteWords.test(each)) };
}

/** Characters of an area that is read. Longer texts describe more than a list of postcodes. */
const maxLength = 1000;

/** `ZT41` could be a district or the sector `ZT4 1`; it is taken as it is written. */
function standardCode(text: string): string {
  return text.trim().toUpperCase();
}

/** Whether a postcode is in areas that are written in words; undefined if that is not certain. */
export function coversPostcode(
  { codes, isWhole }: ServedPostcodes,
  postcode: PostcodeText,
): boolean | undefined {
  if (codes.some((each) => isInCode(postcode, each))) return true;
  // If only the first half was typed, part of that district may be served.
  const isPartly = codes.some((each) => each.startsWith(`${postcode.text} `));
  return isWhole && !isPartly ? false : undefined;
}

function isInCode({ text, district }: PostcodeText, code: string): boolean {
  if (code === '' || code === district) return true;
  if (code.includes(' ')) return text.startsWith(code);
  if (/^[A-Z]+$/.test(code)) return /^[A-Z]+/.exec(district)?.[0] === code;
  // Postcodes that start with EC1 are those of EC1A, EC1M and so on.
  return district.length === code.length + 1 && district.startsWith(code) && /[A-Z]$/.test(district);
}
