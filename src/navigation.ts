import type { NavigationItem } from './platform/html/index.ts';
import type { Admitted } from './platform/http/index.ts';
import type { Settings } from './platform/settings/index.ts';

/** The menu of every page, by who is looking. */
export function navigation(settings: Settings, viewer?: Admitted): NavigationItem[] {
  const find = { href: '/services', text: 'Find a service' };
  if (!viewer) return settings.libraryPublic ? [find] : [];
  const items = [find, { href: '/referrals', text: 'Referrals' }, { href: '/apikeys', text: 'API keys' }];
  return settings.mode === 'test' ? [...items, { href: '/outbox', text: 'Outbox' }] : items;
}
