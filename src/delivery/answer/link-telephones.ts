type TextPart = { text: string; href?: string };

/**
 * The text in parts. A telephone number alone is a link, and so is the referrer’s within a sentence. No other number in a sentence is one:
 * it may be that of somebody who must not know of the referral.
 */
export function linkTelephones(text: string, referrersTelephone: string | null): TextPart[] {
  const link = (number: string) => ({ text: number, href: `tel:${number.replaceAll(/\(0\)|[^+\d]/g, '')}` });
  if (/^\+?[\d\s()-]{9,20}$/.test(text) && /^(\+|0)/.test(text)) return [link(text)];
  if (referrersTelephone === null) return [{ text }];
  const same = referrersTelephone
    .replaceAll(/\s+/g, '')
    .split('')
    .map((each) => RegExp.escape(each))
    .join('\\s?');
  return text
    .split(new RegExp(`(${same})`, 'u'))
    .map((part, index) => (index % 2 === 1 ? link(part) : { text: part }));
}
