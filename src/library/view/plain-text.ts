const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** A description without its markup: HSDS allows HTML, and pages show only the text. */
export function plainText(html: string | undefined): string {
  return (html ?? '')
    .replaceAll(/<(?:\/p|\/div|\/li|\/h\d|br ?\/?)>/gi, '\n')
    .replaceAll(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replaceAll(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entities[name]!)
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) => character(Number(code)))
    .replaceAll(/&#x([\da-f]{1,6});/gi, (_, code: string) => character(Number.parseInt(code, 16)))
    .replaceAll(/\n\s*\n\s*/g, '\n\n')
    .trim();
}

/** Control characters, which pages must not contain, become empty; invalid code points the replacement character. */
function character(code: number): string {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  return String.fromCodePoint(code).replace(/[^\P{Cc}\t\n]/u, '');
}

const minLength = 120;
const maxLength = 260;

/** The first sentence or two, of at most `max` characters and an ellipsis: enough to tell services apart in a list. */
export function beginning(text: string, max = maxLength): string {
  const whole = text.replaceAll(/\s+/g, ' ');
  let sentences = '';
  for (const [sentence] of whole.matchAll(/.+?(?:[.!?](?=\s|$)|$)\s*/g)) {
    if (sentences !== '' && (sentences.length >= minLength || sentences.length + sentence.length > max))
      break;
    sentences += sentence;
  }
  if (sentences.length <= max) return sentences.trim();
  return `${sentences.slice(0, max).replace(/\s+\S*$/, '')}…`;
}
