import type { Caller } from '../accounts/index.ts';
import type { NavigationItem } from '../platform/html/index.ts';
import type { CallerIdentity } from '../platform/http/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { sitePages } from './site-pages.ts';

/** The links at the end of every page. */
export const footer: readonly NavigationItem[] = [
  ...sitePages.map(({ name, title }) => ({ href: `/${name}`, text: title })),
  { href: '/rights', text: 'Your record and your rights' },
  { href: '/guide', text: 'Connect your own system' },
  { href: '/api/docs', text: 'API reference' },
];

/**
 * The menu at the top of every page; it depends on who is signed in. `badge` says how many referrals need the viewer, and `hasQueue`
 * whether self-referral is switched on or a self-referral is not settled.
 */
export function navigation(
  settings: Settings,
  viewer?: CallerIdentity,
  { badge, hasQueue = false }: { badge?: string | undefined; hasQueue?: boolean } = {},
): NavigationItem[] {
  const find = { href: '/services', text: 'Find a service' };
  if (!viewer && settings.publicDirectory) return [{ ...find, href: '/find' }];
  if (!viewer) return settings.libraryPublic ? [find] : [];
  const yourServices = viewer.roles.includes('provider') ? [{ href: '/library', text: 'Your services' }] : [];
  const items = [
    find,
    ...yourServices,
    ...((viewer as Caller).organisation && seesReferrals(viewer)
      ? [{ href: '/lists', text: 'Saved lists' }]
      : []),
    ...(seesReferrals(viewer)
      ? [
          {
            href: '/referrals',
            text: 'Referrals',
            ...(badge && { badge: { text: badge, meaning: 'need action' } }),
          },
        ]
      : []),
  ];
  if (hasQueue) items.push({ href: '/self-referrals', text: 'Self-referrals' });
  if (viewer.roles.includes('manager')) items.push({ href: '/operator/reports', text: 'Reports' });
  if (settings.mode === 'test') items.push({ href: '/outbox', text: 'Outbox' });
  if (viewer.roles.includes('operator')) items.push({ href: '/operator', text: 'Admin' });
  return items;
}

/** Somebody who is a manager and nothing else sees figures alone. */
function seesReferrals({ roles }: CallerIdentity): boolean {
  return roles.some((role) => role !== 'manager');
}
