import type { Phone } from '../model/service.ts';
import { isWebAddress, withScheme } from '../model/web-address.ts';

/** A link, if the address leads to a web page: a feed may contain anything, even a script. */
export function webLink(address: string | undefined): { text: string; href: string | undefined } | undefined {
  if (address === undefined || address.trim() === '') return undefined;
  const text = address.trim();
  const whole = withScheme(text);
  return {
    text: text.replace(/^https?:\/\//i, '').replace(/\/$/, ''),
    href: isWebAddress(whole) ? whole : undefined,
  };
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

/** @param person what was searched with, so that nobody types it again */
export function referralFormPath(id: string, person: Readonly<Record<string, string>> = {}): string {
  const filled = Object.entries(person).filter(([, value]) => value !== '');
  return `/referrals/new?${new URLSearchParams([['service', id], ...filled])}`;
}

export function savePath(id: string): string {
  return `/lists/save?service=${encodeURIComponent(id)}`;
}

export type PhoneView = ReturnType<typeof phoneLink> & { note: string };

const phoneKinds: Readonly<Record<string, string>> = {
  text: 'text message',
  textphone: 'textphone',
  fax: 'fax',
};

export function phoneViews(phones: readonly Phone[] | undefined): PhoneView[] {
  return (phones ?? []).map(({ number, extension, type = '', description }) => {
    const notes = [
      extension === undefined ? '' : `extension ${extension}`,
      phoneKinds[type] ?? '',
      description ?? '',
    ];
    return { ...phoneLink(number), note: notes.filter(Boolean).join(', ') };
  });
}
