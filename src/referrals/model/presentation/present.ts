import { hash } from 'node:crypto';
import type { Caller } from '../../../accounts/index.ts';
import { sensitiveNamesFor } from '../../../library/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import type { ContactElsewhere } from '../access/contact-elsewhere.ts';
import {
  hiddenService,
  mayReadServiceNames,
  notShown,
  somebodyUnnamed,
  staffOfService,
  withoutHiddenContent,
  withoutNames,
} from '../access/hide-sensitive-services.ts';
import { mayResumeOwn, mayUndoDeath, mayUndoDeathAsOperator } from '../access/may-undo-death.ts';
import { forReferrer, hasStaffAddress, replacedWays, type WayToReach } from '../access/referrers-details.ts';
import { sidesOf } from '../access/sides.ts';
import { changesOfMeasures, isWorrying } from '../after-acceptance/measures.ts';
import { type Prompt, presentPrompt, promptsFor } from '../attention/prompts.ts';
import type { ReferralDeps } from '../deps.ts';
import { isOverdue } from '../due/dates.ts';
import { nextDateOf } from '../due/next-date.ts';
import { presentGpActions } from '../gp-actions.ts';
import type { HistoryLine } from '../history-store.ts';
import type { PossibleDuplicate } from '../person/identity/duplicates-store.ts';
import { presentPersonPage } from '../person-page/present-person-page.ts';
import { type Draft, type Referral, withoutInternalFields } from '../referral.ts';
import { findReferralOrDraft } from '../referrals-store.ts';
import type { Side } from '../status/state-machine.ts';
import { isUsable } from '../status/usable.ts';
import { loadDetails, type ReferralDetails, suggestedIn } from './referral-details.ts';
import { unnamedTeller } from './words.ts';

/**
 * The referral as the caller may see it. Somebody on neither side sees nothing personal or clinical, except an operator who
 * has opened the referral. While it is restricted nobody does.
 */
export function presentReferral(
  caller: Caller,
  referral: Referral | Draft,
  details: ReferralDetails & { gaveReason?: boolean },
) {
  const sides = sidesOf(caller, referral);
  const promptsOfSide = promptsFor(caller, sides, details.prompts.get(referral.id) ?? []);
  const fields = presentFieldsFor(caller, referral, details);
  const isHidden = details.hiddenServices.has(referral.id);
  const prompts = (isHidden ? withoutRevealingPrompts(promptsOfSide, caller) : promptsOfSide).map(
    presentPrompt,
  );
  // A later field takes the place of an earlier one, here and below. So what hides comes last; `fieldsOfSide` has nothing to hide.
  const presented = {
    ...fields,
    prompts,
    ...(isHidden && maskedFields({ ...fields, prompts })),
    ...fieldsOfSide(sides, referral, details),
  };
  if (!isUsable(referral) || (sides.length === 0 && !details.gaveReason))
    return { ...presented, status_reason: null, death_reported: null };
  const content = contentFields(
    isHidden ? withoutHiddenContent(referral) : withoutHiddenAddress(referral, details),
    details,
  );
  const unknown = mayReadServiceNames({ caller, referral })
    ? []
    : sensitiveNamesFor(details.sensitiveServices, referral);
  const isSuggestionHidden = unknown.some(({ id }) => id === suggestedIn(referral)?.id);
  return {
    ...presented,
    ...content,
    ...addressNotice(referral, details),
    ...replacedNotice(referral, details),
    ...textsWithoutServiceNames({ ...presented, ...content }, unknown, referral),
    ...(isSuggestionHidden && { suggested_service: null }),
    ...(isHidden && maskedContent(content, caller)),
  };
}

/** What somebody has to know before they correct the address. */
function addressNotice(referral: Referral | Draft, { hiddenAddresses, confidentialPlaces }: ReferralDetails) {
  if (hiddenAddresses.has(referral.id) && hasStaffAddress(referral))
    return { address_notice: 'service-has-its-own' as const };
  return confidentialPlaces.has(referral.id) ? { address_notice: 'confidential-place' as const } : {};
}

/** Which ways to reach the person the reader must no longer use, because the service keeps newer ones to itself. */
function replacedNotice(referral: Referral | Draft, { hiddenServices, hiddenAddresses }: ReferralDetails) {
  const isHidden = hiddenServices.has(referral.id);
  if (!isHidden && !hiddenAddresses.has(referral.id)) return {};
  const ways = shownAsReplaced(referral, isHidden);
  return ways.length > 0 ? { changed_by_service: ways } : {};
}

/** The referrer may know all of the newer ones but the address. */
function shownAsReplaced(referral: Referral | Draft, isServiceHidden: boolean): WayToReach[] {
  return replacedWays(referral).filter((way) => isServiceHidden || way === 'address');
}

/** What was written about the end may name a service that has become sensitive since. */
function textsWithoutServiceNames(
  { status_reason: why, outcome }: Pick<Referral, 'status_reason' | 'outcome'>,
  unknown: readonly { id: string; name: string }[],
  { service_id }: Pick<Referral | Draft, 'service_id'>,
) {
  const names = new Set(unknown.filter(({ id }) => id !== service_id).map(({ name }) => name));
  return {
    status_reason: why && { ...why, text: withoutNames(names, why.text) },
    outcome: outcome && { ...outcome, text: withoutNames(names, outcome.text) },
  };
}

/** The referral without what a confidential service keeps from the reader. */
export function withoutHiddenAddress<T extends Referral | Draft>(
  referral: T,
  { hiddenAddresses }: Pick<ReferralDetails, 'hiddenAddresses'>,
): T {
  if (!hiddenAddresses.has(referral.id)) return referral;
  return forReferrer(referral);
}

type Fields = ReturnType<typeof presentFieldsFor>;

function presentFieldsFor(caller: Caller, referral: Referral | Draft, details: ReferralDetails) {
  const { death_reported: shownDeath, ...fields } = presentFields(referral, details);
  const { death_reported: storedDeath } = referral;
  const may_undo =
    storedDeath !== null &&
    (mayUndoDeathAsOperator(caller) ||
      // A colleague from whom the service is hidden gives a reason first.
      (!details.hiddenServices.has(referral.id) &&
        (mayUndoDeath(caller, referral, storedDeath) ||
          mayResumeOwn(caller, referral, { toldBy: storedDeath.told_by }))));
  return { ...fields, death_reported: shownDeath && { ...shownDeath, may_undo } };
}

/** Leaves out the prompts that would tell which service it is, except those that the reader looks after. */
function withoutRevealingPrompts(prompts: readonly Prompt[], { accountId }: Caller): Prompt[] {
  const revealingKinds = [
    'service-closed',
    'service-stopped',
    'service-moved',
    'service-sensitive',
    'risk-to-act-on',
  ];
  return prompts.filter(
    ({ kind, ownerId }) => !revealingKinds.includes(kind) || ownerId === null || ownerId === accountId,
  );
}

/** Replaces every field that would reveal the hidden service: its name, its staff, how it is reached, and that it has closed. */
function maskedFields({ seen, status_reason: why, death_reported: death, deliveries, prompts }: Fields) {
  return {
    ...hiddenService,
    seen: seen && { ...seen, by: { name: staffOfService } },
    // Staff of the service may have written it, whatever it says: they can cancel as well.
    status_reason: why && { ...why, text: notShown },
    // Staff of the service may have reported the death, and name themselves.
    death_reported: death && { ...death, told_by: somebodyUnnamed, reported_by: null },
    deliveries: deliveries.map((each) => (each.leg === 'service' ? { ...each, channel: null } : each)),
    prompts: prompts.map((prompt) =>
      prompt.side === 'provider' && prompt.owner ? { ...prompt, owner: { name: staffOfService } } : prompt,
    ),
  };
}

function maskedContent(
  { gp_actions, consent, suggested_service, referrer }: ReturnType<typeof contentFields>,
  caller: Caller,
) {
  const ofReferrersSide = [referrer?.name, caller.name];
  return {
    // A suggested service is like the hidden one, so it would tell which that is.
    ...(suggested_service && { suggested_service: null }),
    // Staff of the service may have recorded that the person agrees to something else.
    ...(consent?.recorded_by !== undefined && {
      consent: {
        ...consent,
        ...(!ofReferrersSide.includes(consent.recorded_by) && {
          recorded_by: somebodyUnnamed,
        }),
      },
    }),
    gp_actions:
      gp_actions?.map((action) => ({
        ...action,
        done_by_hand: action.done_by_hand && { ...action.done_by_hand, by: { name: staffOfService } },
      })) ?? null,
  };
}

function contentFields(
  referral: Referral | Draft,
  {
    deliveries,
    closedPractices,
    personPages,
  }: Pick<ReferralDetails, 'deliveries' | 'closedPractices' | 'personPages'>,
) {
  const { outcome, id, gp_practice } = referral;
  const { person_page: _page, measures, ...content } = withoutInternalFields(referral.content);
  const safety_notes_for_practice = content.safety_notes_for_practice ?? false;
  const changes = changesOfMeasures({ outcome, content: referral.content }).map(
    ({ start = null, end = null, change = null, code }) => ({
      code,
      start,
      end,
      change,
    }),
  );
  return {
    ...content,
    ...presentPersonPage(referral, personPages.get(id)),
    ...(measures && {
      measures: measures.map((each) => ({ ...each, alarming: isWorrying(measures, each) })),
    }),
    ...(changes.length > 0 && { measure_changes: changes }),
    safety_notes_for_practice,
    gp_actions: presentGpActions(referral, deliveries.get(id) ?? [], {
      practiceHasClosed: gp_practice !== null && closedPractices.has(gp_practice.ods_code),
    }),
    outcome,
  };
}

/** Staff see possible duplicates, but not the other services. */
function fieldsOfSide(
  sides: readonly Side[],
  { id }: Referral | Draft,
  { alike, contactElsewhere }: ReferralDetails,
) {
  if (sides.length === 0) return {};
  const contact_elsewhere = contactElsewhere.get(id) ?? [];
  if (!sides.includes('provider')) return { contact_elsewhere };
  const { duplicates: possible_duplicates, twins: possible_twins } = alike.get(id) ?? {
    duplicates: [],
    twins: [],
  };
  if (sides.includes('referrer')) return { possible_duplicates, possible_twins, contact_elsewhere };
  return {
    possible_duplicates,
    possible_twins,
    contact_elsewhere,
    reroutes: null,
    rerouted_to: null,
    referred_again: false,
    seen_to: null,
  };
}

/** One referral as the caller may see it, with what is told beside it. */
export async function loadAndPresent(
  trx: Trx,
  deps: Pick<ReferralDeps, 'roomsAbove'>,
  caller: Caller,
  referral: Referral | Draft,
  now: Date,
): Promise<PresentedReferral> {
  return presentReferral(caller, referral, await loadDetails(trx, deps, [{ caller, referral }], now));
}

/** The same, as the referral is stored now: an action has changed it. */
export async function presentStored(
  trx: Trx,
  deps: Pick<ReferralDeps, 'roomsAbove'>,
  caller: Caller,
  id: string,
  now: Date,
): Promise<PresentedReferral> {
  return loadAndPresent(trx, deps, caller, (await findReferralOrDraft(trx, id))!, now);
}

/** The ways to reach the person that the reader of this answer must no longer use. */
export function replacedWaysIn(presented: PresentedReferral): readonly WayToReach[] {
  return 'changed_by_service' in presented ? (presented.changed_by_service ?? []) : [];
}

/** The whole referral, for the person whom it is about. It leaves out whether the practice has closed, so that a copy can be compared with it. */
export function presentWhole(
  referral: Referral | Draft,
  details: Pick<ReferralDetails, 'now' | 'deliveries' | 'personPages'>,
) {
  const closedPractices = new Set<string>();
  return { ...presentFields(referral, details), ...contentFields(referral, { ...details, closedPractices }) };
}

function presentFields(
  referral: Referral | Draft,
  { now, deliveries }: Pick<ReferralDetails, 'now' | 'deliveries'>,
) {
  const {
    content: _content,
    outcome: _outcome,
    remindedAt: _reminded,
    deathReportedAt: _deathReportedAt,
    death_reported: death,
    rejectionAt: _rejection,
    declineFinalAt: _declineFinalAt,
    endCause: _endCause,
    seenAt,
    seenByName,
    restrictedAt,
    legalHoldAt,
    erasedAt,
    versionAt: _versionAt,
    resolvedAt,
    resolvedBy,
    referrerAccountId: _account,
    referrerOrganisationId: _organisation,
    ...state
  } = referral;
  return {
    ...state,
    created_at: state.created_at.toISOString(),
    updated_at: state.updated_at.toISOString(),
    requested_at: state.requested_at?.toISOString() ?? null,
    due_at: state.due_at?.toISOString() ?? null,
    next_date: nextDateOf(referral),
    first_contact_at: state.first_contact_at?.toISOString() ?? null,
    overdue: isOverdue(referral, now),
    seen: seenAt && { at: seenAt.toISOString(), by: { name: seenByName! } },
    seen_to: resolvedAt && { at: resolvedAt.toISOString(), by: { name: resolvedBy! } },
    death_reported: death && {
      at: new Date(death.at).toISOString(),
      told_by: death.told_by ?? unnamedTeller,
      date: death.date,
      reported_by: death.reported_by,
    },
    restricted: restrictedAt !== null,
    held: legalHoldAt !== null,
    erased_at: erasedAt?.toISOString() ?? null,
    possible_duplicates: null as PossibleDuplicate[] | null,
    possible_twins: null as PossibleDuplicate[] | null,
    contact_elsewhere: null as readonly ContactElsewhere[] | null,
    prompts: [] as ReturnType<typeof presentPrompt>[],
    deliveries: (deliveries.get(referral.id) ?? []).map(({ referral_version: _version, ...delivery }) => ({
      ...delivery,
      updated_at: delivery.updated_at.toISOString(),
    })),
  };
}

export type PresentedReferral = ReturnType<typeof presentReferral>;

/**
 * The ETag of a referral as it is shown: its version, which `If-Match` compares, and a hash of all of it. So nobody who has kept what
 * was erased is told that it has not changed.
 */
export function etagOf(shown: Pick<PresentedReferral, 'version'>): string {
  return `"${shown.version}-${hash('sha256', JSON.stringify(shown), 'base64url').slice(0, 22)}"`;
}

export function presentHistoryLine(line: HistoryLine) {
  const { version, at, actorName, actorOrganisation, from, to, reason, details } = line;
  const by = { name: actorName, organisation: actorOrganisation };
  const kind = details?.kind ?? ('status' as const);
  const what = { kind, changes: kind === 'status' ? null : (details?.changes ?? null) };
  return { version, at: at.toISOString(), by, from, to, reason, ...what };
}
