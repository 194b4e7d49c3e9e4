import type { Settings } from './read-settings.ts';

/** Whom people ask for help, as words that follow “ask”. */
export function contactOf({
  operatorContact,
  siteName,
}: Pick<Settings, 'operatorContact' | 'siteName'>): string {
  return operatorContact ?? `your contact at ${siteName}`;
}
