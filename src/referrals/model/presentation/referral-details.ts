import {
  findPractices,
  hasClosed,
  type KnownPractice,
  listSensitiveServiceNames,
  type SensitiveName,
} from '../../../library/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { type ContactElsewhere, loadContactElsewhereForCallers } from '../access/contact-elsewhere.ts';
import { listReferralsWithHiddenService } from '../access/hide-sensitive-services.ts';
import { listAtConfidentialPlaces, listReferralsWithHiddenAddress } from '../access/referrers-details.ts';
import { sidesOf, type View } from '../access/sides.ts';
import type { Prompt } from '../attention/prompts.ts';
import { listPrompts } from '../attention/prompts-store.ts';
import type { DeliverySummary } from '../deliveries.ts';
import type { ReferralDeps } from '../deps.ts';
import { type AlikeReferrals, findAlikeReferrals } from '../person/identity/duplicates-store.ts';
import { loadPersonPages, type PersonPageDetails } from '../person-page/present-person-page.ts';
import type { Draft, Referral } from '../referral.ts';

/**
 * What an answer about referrals says beside the referrals themselves; the maps are by the referral's id. All of it is required, because
 * a forgotten field would show what is hidden.
 */
export type ReferralDetails = {
  readonly now: Date;
  readonly deliveries: ReadonlyMap<string, readonly DeliverySummary[]>;
  readonly alike: ReadonlyMap<string, AlikeReferrals>;
  /** What other referrals of the person say about contacting them, for those who may read both. */
  readonly contactElsewhere: ReadonlyMap<string, readonly ContactElsewhere[]>;
  /** The ids of the referrals whose service the reader may not see. */
  readonly hiddenServices: ReadonlySet<string>;
  /** The sensitive services, where somebody suggested a service or wrote about the end: the reader may not know them. */
  readonly sensitiveServices: readonly SensitiveName[];
  /** The ids of those whose address the reader sees as the referrer’s side entered it. */
  readonly hiddenAddresses: ReadonlySet<string>;
  /** The ids of those to services whose place is confidential, for readers of the referrer’s side who know the service. */
  readonly confidentialPlaces: ReadonlySet<string>;
  readonly prompts: ReadonlyMap<string, readonly Prompt[]>;
  readonly personPages: ReadonlyMap<string, PersonPageDetails>;
  /** The codes of the practices that have closed, of those that were asked to do something. */
  readonly closedPractices: ReadonlySet<string>;
};

/** Loads the details of referrals for those who are going to see them. */
export async function loadDetails(
  trx: Trx,
  { roomsAbove }: Pick<ReferralDeps, 'roomsAbove'>,
  views: readonly View[],
  now: Date,
): Promise<ReferralDetails> {
  const asProvider = views.filter(({ caller, referral }) => sidesOf(caller, referral).includes('provider'));
  const hidden = await loadWhatIsHidden(trx, views);
  const known = views.filter(({ referral }) => !hidden.hiddenServices.has(referral.id));
  return {
    now,
    deliveries: await roomsAbove.loadDeliverySummaries(trx, idsOf(views)),
    ...hidden,
    confidentialPlaces: await listAtConfidentialPlaces(trx, known),
    alike: await findAlikeReferrals(trx, idsOf(asProvider)),
    contactElsewhere: await loadContactElsewhereForCallers(trx, known),
    prompts: await listPrompts(trx, idsOf(views)),
    personPages: await loadPersonPages(
      trx,
      views.map(({ referral }) => referral),
    ),
    closedPractices: await findClosedPractices(trx, views, now),
  };
}

/** Only what hides something from its readers, where an answer says no more than how a referral stands. */
export async function loadOnlyWhatIsHidden(
  trx: Trx,
  views: readonly View[],
  now: Date,
): Promise<ReferralDetails> {
  return {
    now,
    ...(await loadWhatIsHidden(trx, views)),
    confidentialPlaces: new Set(),
    deliveries: new Map(),
    alike: new Map(),
    contactElsewhere: new Map(),
    prompts: new Map(),
    personPages: new Map(),
    closedPractices: new Set(),
  };
}

async function loadWhatIsHidden(trx: Trx, views: readonly View[]) {
  return {
    hiddenServices: await listReferralsWithHiddenService(trx, views),
    sensitiveServices: await listSensitiveServicesIfNamed(trx, views),
    hiddenAddresses: await listReferralsWithHiddenAddress(trx, views),
  };
}

async function listSensitiveServicesIfNamed(
  trx: Trx,
  views: readonly { referral: Referral | Draft }[],
): Promise<SensitiveName[]> {
  const mayBeNamed = views.some(
    ({ referral }) =>
      suggestedIn(referral) !== undefined || referral.status_reason !== null || referral.outcome !== null,
  );
  return mayBeNamed ? listSensitiveServiceNames(trx) : [];
}

export function suggestedIn(referral: Referral | Draft) {
  return referral.content.suggested_service;
}

async function findClosedPractices(
  trx: Trx,
  views: readonly { referral: Referral | Draft }[],
  now: Date,
): Promise<Set<string>> {
  const withActions = views.filter(({ referral }) => referral.content.gp_actions?.length);
  const codes = withActions.flatMap(({ referral }) => referral.gp_practice?.ods_code ?? []);
  const practices =
    codes.length > 0 ? await findPractices(trx, [...new Set(codes)]) : new Map<string, KnownPractice>();
  const closed = [...practices.values()].filter((practice) => hasClosed(practice, now));
  return new Set(closed.map(({ odsCode }) => odsCode));
}

function idsOf(views: readonly { referral: { id: string } }[]): string[] {
  return views.map(({ referral }) => referral.id);
}
