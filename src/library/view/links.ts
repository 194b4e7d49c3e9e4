/** An address to link to, if it leads to a web page: what a feed says may be anything, also a script. */
export function webLink(address: string | undefined): { text: string; href: string | undefined } | undefined {
  if (address === undefined || address.trim() === '') return undefined;
  const text = address.trim();
  const whole = /^www\./i.test(text) ? `https://${text}` : text;
  const isWeb = URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol);
  return { text: text.replace(/^https?:\/\//i, '').replace(/\/$/, ''), href: isWeb ? whole : undefined };
}

export function emailLink(
  address: string | undefined,
): { text: string; href: string | undefined } | undefined {
  if (address === undefined || address.trim() === '') return undefined;
  const text = address.trim();
  return { text, href: /^[^\s@?&<>"]+@[^\s@?&<>"]+$/.test(text) ? `mailto:${text}` : undefined };
}

export function phoneLink(number: string): { text: string; href: string | undefined } {
  const digits = number.replaceAll(/[^\d+]/g, '');
  return { text: number, href: /^\+?\d{3,15}$/.test(digits) ? `tel:${digits}` : undefined };
}

export function servicePath(id: string): string {
  return `/services/${encodeURIComponent(id)}`;
}
