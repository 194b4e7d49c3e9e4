import type { Caller } from '../accounts/index.ts';
import type { NavigationItem } from '../platform/html/index.ts';
import type { CallerIdentity } from '../platform/http/index.ts';
import type { Settings } from '../platform/settings/index.ts';

/** The menu at the top of every page; it depends on who is signed in. */
export function navigation(settings: Settings, viewer?: CallerIdentity): NavigationItem[] {
  const find = { href: '/services', text: 'Find a service' };
  if (!viewer) return settings.libraryPublic ? [find] : [];
  const yourServices = viewer.roles.includes('provider') ? [{ href: '/library', text: 'Your services' }] : [];
  const items = [
    find,
    ...yourServices,
    ...((viewer as Caller).organisation ? [{ href: '/lists', text: 'Saved lists' }] : []),
    { href: '/referrals', text: 'Referrals' },
    { href: '/apikeys', text: 'API keys' },
  ];
  if (settings.mode === 'test') items.push({ href: '/outbox', text: 'Outbox' });
  if (viewer.roles.includes('operator')) items.push({ href: '/operator', text: 'Admin' });
  return items;
}
