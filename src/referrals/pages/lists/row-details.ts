import type { Caller } from '../../../accounts/index.ts';
import { mentionsCrisis } from '../../../library/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { caseworkTeamOf } from '../../casework/casework.ts';
import { findNamedOwners, listReminded } from '../../casework/casework-store.ts';

import { listWithQuestion } from '../../conversation/questions-store.ts';
import type { ListedReferral } from '../../listing/list-referrals.ts';
import { hasHiddenService, withoutHiddenContent } from '../../model/access/hide-sensitive-services.ts';
import { writingSide } from '../../model/access/sides.ts';
import {
  countUnreadFiles,
  countUnreadMessages,
  listChangedFields,
  listOpenedSinceChange,
} from '../../model/attention/readings-store.ts';
import {
  findUnseen,
  listWithUnseenCorrections,
  listWithUnseenRisk,
} from '../../model/attention/watches-store.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { londonDate } from '../../model/due/dates.ts';
import { listLaterTexts } from '../../model/person/danger/later-texts-store.ts';
import { isRiskToRead } from '../../model/person/danger/risk.ts';
import { findReferrals, listCancelledByReferrer, listEndingsToCheck } from '../../model/referrals-store.ts';
import type { Side } from '../../model/status/state-machine.ts';
import { findMoments, type Moments } from './moments-store.ts';

/** What a list says beside its rows, or lets people do with them. */
export type RowOptions = {
  mayAccept?: boolean | undefined;
  /** Since when each row needs this side. */
  sinceFor?: Side | undefined;
};

/** What is known beside each referral of a list, by its id. */
export type RowDetails = Awaited<ReturnType<typeof loadRowDetails>>;

/** Loads what the rows of a list say beside the referrals themselves, with one query for each kind of fact. */
export async function loadRowDetails(
  { db, clock, settings }: ReferralDeps,
  caller: Caller,
  referrals: readonly ListedReferral[],
  { mayAccept, sinceFor }: RowOptions,
) {
  const ids = idsOf(referrals);
  const ownIds = idsOf(referrals.filter(({ sides }) => sides.length > 0));
  const laterTexts = await listLaterTexts(db, ownIds);
  return {
    unread:
      ownIds.length > 0 ? await countUnreadMessages(db, ownIds, caller.accountId) : new Map<string, number>(),
    newFiles:
      ownIds.length > 0 ? await countUnreadFiles(db, ownIds, caller.accountId) : new Map<string, number>(),
    changed: await listChanged(db, caller, referrals),
    ...(await listOwnersAndReminders({ db, clock }, caller, referrals)),
    /** Those that are watched because nobody of the service has opened them. */
    unopened: await findUnseen(db, ids, clock.now()),
    /** Beside those that say so themselves. */
    atRisk: new Set([
      ...(await listWithUnseenRisk(db, ownIds)),
      ...listWithCrisisSince(settings, referrals, laterTexts),
      ...(await listRestrictedAtRisk({ db, settings }, referrals)),
    ]),
    laterTexts,
    /** Those that this person has opened since they last changed; undefined where they may not accept several at once. */
    openedSinceChange: mayAccept ? await listOpenedSinceChange(db, ownIds, caller.accountId) : undefined,
    endingsToCheck: await listEndingsToCheck(db, ids, clock.now()),
    cancelledByReferrer: await listCancelledByReferrer(db, ids),
    withQuestion: await listWithOpenQuestion(db, referrals),
    moments: sinceFor
      ? await findMoments(db, ids, { side: sinceFor, accountId: caller.accountId })
      : new Map<string, Moments>(),
  };
}

const idsOf = (listed: readonly ListedReferral[]) => listed.map(({ referral }) => referral.id);

/** Who looks after each of them on the reader's side, and which the reader asked to be reminded of by now. */
async function listOwnersAndReminders(
  { db, clock }: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  referrals: readonly ListedReferral[],
): Promise<{ owners: Map<string, { id: string; name: string }>; reminded: ReadonlySet<string> }> {
  const bySide = Map.groupBy(referrals, ({ sides }) => writingSide(sides));
  const owners = new Map<string, { id: string; name: string }>();
  const ownIds: string[] = [];
  for (const [side, listed] of bySide) {
    if (side === undefined) continue;
    const ids = idsOf(listed);
    ownIds.push(...ids);
    for (const [id, owner] of await findNamedOwners(db, ids, side, caseworkTeamOf(caller)))
      owners.set(id, owner);
  }
  const today = londonDate(clock.now());
  return { owners, reminded: await listReminded(db, ownIds, { accountId: caller.accountId, today }) };
}

/** Those that others have changed since this person last looked, or whose correction nobody of the service has seen. */
async function listChanged(
  db: Db,
  caller: Caller,
  referrals: readonly ListedReferral[],
): Promise<ReadonlySet<string>> {
  const own = idsOf(referrals.filter(({ sides }) => sides.length > 0));
  const received = idsOf(referrals.filter(({ sides }) => sides.includes('provider')));
  const changed = own.length > 0 ? await listChangedFields(db, own, caller.accountId) : new Map();
  const unseen = received.length > 0 ? await listWithUnseenCorrections(db, received) : [];
  return new Set([...changed.keys(), ...unseen]);
}

/** Of those that are restricted, the row says no more than that there is a risk: somebody may be waiting in danger. */
async function listRestrictedAtRisk(
  { db, settings }: Pick<ReferralDeps, 'db' | 'settings'>,
  referrals: readonly ListedReferral[],
): Promise<ReadonlySet<string>> {
  const restricted = referrals.filter(({ referral, sides }) => referral.restricted && sides.length > 0);
  if (restricted.length === 0) return new Set();
  const stored = await findReferrals(db, idsOf(restricted));
  const atRisk = restricted.filter(({ referral: { id, service_id, service } }) => {
    const found = stored.get(id);
    if (!found) return false;
    // What a colleague may read tells them of a risk, and no more.
    const readable = hasHiddenService({ service_id, service }) ? withoutHiddenContent(found) : found;
    return isRiskToRead(readable.content, settings.crisisPhrases);
  });
  return new Set(idsOf(atRisk));
}

/** Those with words of a crisis in what was written since, also once somebody has read it. A colleague who may not read it is told nothing. */
function listWithCrisisSince(
  { crisisPhrases }: ReferralDeps['settings'],
  referrals: readonly ListedReferral[],
  laterTexts: Awaited<ReturnType<typeof listLaterTexts>>,
): ReadonlySet<string> {
  const isCrisis = (text: string) => mentionsCrisis(text, crisisPhrases);
  const withCrisis = referrals.filter(
    ({ referral, sides }) =>
      sides.length > 0 &&
      referral.status !== 'draft' &&
      !hasHiddenService(referral) &&
      laterTexts.get(referral.id)?.some(isCrisis),
  );
  return new Set(idsOf(withCrisis));
}

/** Those with a question that waits for the reader's side. */
async function listWithOpenQuestion(
  db: Db,
  referrals: readonly ListedReferral[],
): Promise<ReadonlySet<string>> {
  const bySide = Map.groupBy(referrals, ({ sides }) => writingSide(sides));
  const asked = new Set<string>();
  for (const [side, listed] of bySide) {
    if (side === undefined) continue;
    const ids = idsOf(listed);
    for (const id of await listWithQuestion(db, ids, [side])) asked.add(id);
  }
  return asked;
}
