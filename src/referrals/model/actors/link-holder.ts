import type { Actor } from '../../../audit/index.ts';
import type { Referral } from '../referral.ts';
import type { HistoryActor } from './authors.ts';

/** Who answers by the link in an email, in their own words, and the address that has the link. */
export type LinkHolder = { name: string; role: string; address: string; ipAddress: string };

const nameByLink = ({ name, role }: LinkHolder) => `${name}, ${role}, by link`;

/** For the history: everybody reads it, so it leaves the address out. */
export function historyActorByLink(holder: LinkHolder, { service }: Pick<Referral, 'service'>): HistoryActor {
  return {
    id: null,
    name: nameByLink(holder),
    organisation: service.organization_name,
    organisationId: null,
  };
}

/** For the audit. */
export function actorByLink(holder: LinkHolder): Actor {
  return { name: `${nameByLink(holder)} sent to ${holder.address}`, ipAddress: holder.ipAddress };
}
