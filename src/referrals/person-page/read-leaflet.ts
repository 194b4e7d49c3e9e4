import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import {
  findReferralMarks,
  findServiceDocument,
  type ListedService,
  serviceView,
} from '../../library/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import { type Db, inTransaction } from '../../platform/database/index.ts';
import { forbidden, Problem } from '../../platform/problem/index.ts';
import { authorise } from '../model/access/access.ts';
import { requireKnownService } from '../model/access/hide-sensitive-services.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { findLaterTexts } from '../model/person/danger/later-texts-store.ts';
import { mayBeReadByHarmer } from '../model/person/danger/risk.ts';
import { wrongState } from '../model/problems.ts';
import { isSent, openStatuses, type Referral } from '../model/referral.ts';
import { requireUsable } from '../model/status/usable.ts';
import {
  type DescriptionForPerson,
  describeForPerson,
  hasSensitiveOrganization,
} from './describe-for-person.ts';
import { findUsablePage, linkOf } from './send-link.ts';

/** What a leaflet for the person says. It does not name them: others may find it. */
export type Leaflet = Pick<DescriptionForPerson, 'now' | 'next' | 'appointments' | 'toRing'> & {
  reference: string;
  siteName: string;
  operatorContact: string | undefined;
  simulated: boolean;
  /** In ISO 8601. */
  at: string;
  /** The service and where it is; undefined where no leaflet names it: it is sensitive, or somebody who harms the person may find this. */
  service: { name: string; organisation: string | null; address: string[]; times: string[] } | undefined;
  /** To the person’s own page, while it is open. */
  link: string | undefined;
};

/**
 * What a leaflet for the person says, for somebody of one of the two sides, who hands it to them.
 * @throws Problem `not-found`, `forbidden`, `wrong-state` for a draft, one that was sent by mistake or somebody who is said to have died,
 * `referral-restricted`, `referral-erased`.
 */
export function readLeaflet(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, ipAddress }: { referralId: string; ipAddress: string },
): Promise<Leaflet> {
  return inTransaction(deps.db, async (trx) => {
    const at = deps.clock.now();
    const { referral, sides } = await authorise(trx, caller, referralId, at);
    if (sides.length === 0) throw new Problem(forbidden, 'This is for the two sides of the referral.');
    requireUsable(referral);
    await requireKnownService(trx, { caller, referral });
    if (!isSent(referral) || referral.status === 'entered-in-error')
      throw new Problem(wrongState, 'There is a leaflet only for a referral that was sent.');
    if (referral.deathReportedAt !== null || referral.status_reason?.code === 'died')
      throw new Problem(wrongState, 'The person is said to have died: there is no leaflet for them.');
    const isSensitive = (await findReferralMarks(trx)).isSensitive(referral);
    const laterTexts = await findLaterTexts(trx, referral);
    const mayBeFound = mayBeReadByHarmer(referral.content, laterTexts, deps.settings.crisisPhrases);
    const mayNameService = !isSensitive && !mayBeFound;
    const names = { mayNameService, mayNameReferrer: !mayBeFound };
    const stands = await describeForPerson({ ...deps, db: trx }, referral, names);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.leaflet_made',
      subject: { type: 'referral', id: referral.id },
    });
    const { siteName, operatorContact } = deps.settings;
    return {
      ...stands,
      reference: referral.reference,
      siteName,
      operatorContact,
      simulated: referral.simulated,
      at: at.toISOString(),
      service: mayNameService
        ? await describeService(trx, { ...referral, status: stands.status }, at)
        : undefined,
      link: await findLink(trx, deps, referral),
    };
  });
}

async function describeService(db: Db, referral: Referral, at: Date) {
  const { service, service_id } = referral;
  const document = await findServiceDocument(db, service_id);
  const isSensitiveOrConfidential = (await findReferralMarks(db)).isSensitiveOrConfidential(referral);
  const view =
    document && serviceView(JSON.parse(document) as ListedService, { now: localTime(at), place: undefined });
  const [place] = (!isSensitiveOrConfidential && view && view.places) || [];
  const times = (view && [view.times, place?.times ?? []].find(({ length }) => length > 0)) || [];
  // Once it has ended, nobody should go there.
  const isOpen = openStatuses.includes(referral.status);
  return {
    name: service.name,
    organisation: (await hasSensitiveOrganization(db, referral)) ? null : service.organization_name,
    address: isOpen && place ? [place.name, ...place.lines].filter((each) => each !== undefined) : [],
    times: (isOpen ? times : []).map(({ when, note }) => [when, note].filter(Boolean).join(': ')),
  };
}

async function findLink(db: Db, deps: ReferralDeps, referral: Referral): Promise<string | undefined> {
  const page = await findUsablePage(db, deps, referral);
  return page && linkOf(deps, page.id);
}
