const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** A description without its markup: HSDS lets a source write HTML, and a page shows only its words. */
export function plainText(marked: string | undefined): string {
  return (marked ?? '')
    .replaceAll(/<(?:\/p|\/div|\/li|\/h\d|br ?\/?)>/gi, '\n')
    .replaceAll(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replaceAll(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entities[name]!)
    .replaceAll(/&#(\d{2,6});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    .replaceAll(/\n\s*\n\s*/g, '\n\n')
    .trim();
}

const enough = 120;
const most = 260;

/** The first sentence or two: enough to tell services apart in a list. */
export function beginning(text: string): string {
  const whole = text.replaceAll(/\s+/g, ' ');
  let taken = '';
  for (const [sentence] of whole.matchAll(/.+?(?:[.!?](?=\s|$)|$)\s*/g)) {
    if (taken !== '' && (taken.length >= enough || taken.length + sentence.length > most)) break;
    taken += sentence;
  }
  if (taken.length <= most) return taken.trim();
  return `${taken.slice(0, most).replace(/\s+\S*$/, '')}…`;
}
