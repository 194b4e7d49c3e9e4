import type { Phone } from '../hsds/service.ts';
import { phoneLink } from './links.ts';

export type PhoneView = ReturnType<typeof phoneLink> & { note: string };

const kinds: Readonly<Record<string, string>> = { text: 'text message', textphone: 'textphone', fax: 'fax' };

export function phoneViews(phones: readonly Phone[] | undefined): PhoneView[] {
  return (phones ?? []).map(({ number, extension, type = '', description }) => {
    const notes = [
      extension === undefined ? '' : `extension ${extension}`,
      kinds[type] ?? '',
      description ?? '',
    ];
    return { ...phoneLink(number), note: notes.filter(Boolean).join(', ') };
  });
}
