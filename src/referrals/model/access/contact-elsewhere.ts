import { findReferralMarks } from '../../../library/index.ts';
import type { Db, Trx } from '../../../platform/database/index.ts';
import { contactOf, type Settings } from '../../../platform/settings/index.ts';
import { listLaterTexts } from '../person/danger/later-texts-store.ts';
import { mayBeReadByHarmer } from '../person/danger/risk.ts';
import { safeContactInWords, strictnessOf } from '../person/danger/safe-contact.ts';
import { type Draft, openStatuses, type Referral, type SafeContact } from '../referral.ts';
import { findReferrals } from '../referrals-store.ts';
import type { Side } from '../status/state-machine.ts';
import { type ContactInOther, listContactInOthers } from './contact-elsewhere-store.ts';
import { listReferralsWithHiddenService } from './hide-sensitive-services.ts';
import { forColleague } from './referrers-details.ts';
import { sidesOf, type View } from './sides.ts';

// One person may have two open referrals to one organisation, or by one: one says “ring her”, the other that it is not safe. Each is
// read alone, so each says what the other does, and the more careful answer comes first. A service that may not know of the other one is
// only told to ring the referrer, whose organisation made both.

type ContactAnswer = Partial<SafeContact> | undefined;

/** Another open referral of the person, to or by the same organisation, which says something else about contacting them. */
export type ContactElsewhere = {
  /** Null where the record is restricted, so that its reader may not open it, and where they may not know the service. */
  id: string | null;
  reference: string | null;
  contact: Partial<SafeContact> | null;
  /** It asks for more care than the referral itself, so it counts; otherwise the referral’s own answer does. */
  stricter: boolean;
  /** Whom the reader rings before they contact the person, where all else of the other referral is not for them to know. */
  ring_first?: string;
  /** It may be of somebody else, such as a twin: its NHS number or first name is not known well enough. */
  may_be_another?: true;
};

/** Whether `other` asks for care that somebody who read only `own` would not take. */
function isStricter(other: ContactAnswer, own: ContactAnswer): boolean {
  if (!other) return false;
  const { safe = 'not_asked', only_at, voicemail, who_must_not_know: secretFrom } = other;
  const ownSafe = own?.safe ?? 'not_asked';
  if (secretFrom !== undefined && secretFrom !== own?.who_must_not_know) return true;
  if (ownSafe === 'no') return false;
  if (strictnessOf(other) > strictnessOf(own)) return true;
  return (
    (safe === 'only_at' && only_at !== own?.only_at) || (voicemail === false && own?.voicemail !== false)
  );
}

/** Whether `other` allows a contact that `own` does not. One in which nobody asked allows nothing. */
function permitsMore(other: ContactAnswer, own: ContactAnswer): boolean {
  if (other?.safe !== 'yes' && other?.safe !== 'only_at') return false;
  return strictnessOf(own) > strictnessOf(other);
}

function withDifferentAnswer(
  own: ContactAnswer,
  others: readonly ContactInOther[],
): (ContactInOther & { stricter: boolean })[] {
  return others
    .map((other) => ({ ...other, stricter: isStricter(other.contact, own) }))
    .filter(
      ({ stricter, contact, isRestricted, isUncertain }) =>
        stricter || (!isRestricted && !isUncertain && permitsMore(contact, own)),
    )
    .toSorted((a, b) => Number(b.stricter) - Number(a.stricter));
}

/**
 * What other open referrals of the person say of contacting them, for callers who may read both: staff of the organisation that received
 * them, and the referrer’s side of both. Staff of the service who may read one alone are only told to ring its referrer. Of a restricted
 * referral they learn only that a more careful answer exists. Of one to a service that they may not know they learn only whom to ask.
 */
export async function loadContactElsewhereForCallers(
  trx: Trx,
  views: readonly View[],
): Promise<ReadonlyMap<string, ContactElsewhere[]>> {
  const open = views.filter(
    ({ caller, referral }) =>
      openStatuses.some((status) => status === referral.status) && sidesOf(caller, referral).length > 0,
  );
  const others = await listContactInOthers(
    trx,
    open.map(({ referral }) => referral.id),
  );
  const pairs = open.flatMap(({ caller, referral }) =>
    withDifferentAnswer(referral.content.contact, others.get(referral.id) ?? []).map((other) => ({
      caller,
      referral,
      other,
    })),
  );
  if (pairs.length === 0) return new Map();
  const referrals = await findReferrals(
    trx,
    pairs.map(({ other }) => other.id),
  );
  const hidden = await listReferralsWithHiddenService(
    trx,
    pairs.map(({ caller, other }) => ({ caller, referral: referrals.get(other.id)! })),
  );
  const shown = pairs.flatMap(({ caller, referral, other }) => {
    const otherReferral = referrals.get(other.id)!;
    const asStaff = other.sameReceiver && sidesOf(caller, referral).includes('provider');
    if (!asStaff && !sidesOf(caller, otherReferral).includes('referrer'))
      return sidesOf(caller, referral).includes('provider') && mayWarn(other)
        ? { id: referral.id, elsewhere: ringFirst(referral) }
        : [];
    if (asStaff || !hidden.has(other.id)) return { id: referral.id, elsewhere: asReaderSees(other) };
    const unnamed = asColleaguesRead(referral.content.contact, other, otherReferral);
    return unnamed ? { id: referral.id, elsewhere: unnamed } : [];
  });
  return new Map(
    [...Map.groupBy(shown, ({ id }) => id)].map(([id, ofReferral]) => [
      id,
      withoutRepeats(ofReferral.map(({ elsewhere }) => elsewhere)),
    ]),
  );
}

/**
 * A more careful answer in a referral to a service that colleagues of its referrer may not know. They are told whom to ask. The answer
 * itself, such as who must not know, would tell what kind of service it is. What staff of the service wrote is not compared.
 */
function asColleaguesRead(
  own: ContactAnswer,
  other: ContactInOther,
  referral: Referral | Draft,
): ContactElsewhere | undefined {
  const { contact } = forColleague(referral).content;
  if (!isStricter(contact, own)) return undefined;
  if (other.isRestricted) return asReaderSees({ ...other, stricter: true });
  return { ...ringFirst(referral), ...(other.isUncertain && { may_be_another: true as const }) };
}

function asReaderSees({
  id,
  reference,
  contact,
  isRestricted,
  isUncertain,
  stricter,
}: ContactInOther & { stricter: boolean }): ContactElsewhere {
  const whose = { stricter, ...(isUncertain && { may_be_another: true as const }) };
  return isRestricted
    ? { id: null, reference: null, contact: null, ...whose }
    : { id, reference, contact: contact ?? null, ...whose };
}

/** The referrer’s organisation gave both answers, so it can be asked which is right without a word about the other service. */
function mayWarn({ sameReferrer, stricter }: ContactInOther & { stricter: boolean }): boolean {
  return sameReferrer && stricter;
}

function ringFirst({ content }: Pick<Referral | Draft, 'content'>): ContactElsewhere {
  const { name, organisation } = content.referrer;
  const ring_first = [name, organisation].filter(Boolean).join(', ');
  return { id: null, reference: null, contact: null, stricter: true, ring_first };
}

/** Names each person to ring once: how many other referrals there are is not for the reader to know. */
function withoutRepeats(elsewhere: readonly ContactElsewhere[]): ContactElsewhere[] {
  const named = elsewhere.map(({ ring_first }) => ring_first);
  return elsewhere.filter(
    ({ ring_first }, index) => ring_first === undefined || named.indexOf(ring_first) === index,
  );
}

type WhomToAsk = Parameters<typeof contactOf>[0] & { clinicalSafetyContact?: string | undefined };

/** `first` stands before the referral’s own answer, because a more careful answer counts; `last` stands after it. */
export function contactElsewhereInWords(
  elsewhere: readonly ContactElsewhere[],
  settings: WhomToAsk,
): { first?: string; last?: string } {
  const say = (stricter: boolean) =>
    elsewhere
      .filter((each) => each.stricter === stricter)
      .map((each) => elsewhereInWords(each, settings))
      .join(' ');
  const [first, last] = [say(true), say(false)];
  return { ...(first && { first }), ...(last && { last }) };
}

function elsewhereInWords(
  { reference, contact, stricter, ring_first, may_be_another }: ContactElsewhere,
  settings: WhomToAsk,
): string {
  if (ring_first !== undefined)
    return `Another referral by the same organisation asks for more care. Ring ${ring_first}, before you contact the person.`;
  if (contact === null)
    return `Another record of this person, which nobody may open, asks for more care. Ask ${settings.clinicalSafetyContact ?? contactOf(settings)} before you contact them.`;
  const whose = may_be_another ? 'that may be of this person' : 'of this person';
  const which = `Another open referral ${whose}${reference === null ? '' : ` (${reference})`} says:`;
  const words = safeContactInWords(contact);
  return stricter
    ? `${which} ${words} Go by the more careful answer, and check with the referrer first.`
    : `${which} ${words} Do not go by that: check with the referrer first.`;
}

/**
 * What other open referrals of each person say of contacting them, for letters and copies of the organisation that received them, or
 * that made them. These may reach people without an account, so they name no referral to a sensitive service.
 */
export async function loadContactElsewhereForLetters(
  db: Db,
  referrals: readonly (Referral | Draft)[],
  side: Side = 'provider',
): Promise<ReadonlyMap<string, ContactElsewhere[]>> {
  const others = await listContactInOthers(
    db,
    referrals.map(({ id }) => id),
  );
  const isOfSide = (other: ContactInOther) => (side === 'provider' ? other.sameReceiver : other.sameReferrer);
  const comparisons = referrals.map((referral) => {
    const own = referral.content.contact;
    const differ = withDifferentAnswer(own, others.get(referral.id) ?? []);
    const warns = side === 'provider' && differ.some((other) => !isOfSide(other) && mayWarn(other));
    return {
      id: referral.id,
      own,
      others: differ.filter(isOfSide),
      warning: warns ? [ringFirst(referral)] : [],
    };
  });
  const ids = comparisons.flatMap((each) => each.others.map(({ id }) => id));
  if (ids.length === 0) return new Map(comparisons.map(({ id, warning }) => [id, warning]));
  const known = await findReferrals(db, ids);
  const { isSensitive } = await findReferralMarks(db);
  const asLettersSay = (own: ContactAnswer, other: ContactInOther & { stricter: boolean }) => {
    const referral = known.get(other.id)!;
    const shown = asReaderSees(other);
    if (!isSensitive(referral)) return shown;
    if (side === 'referrer') return asColleaguesRead(own, other, referral) ?? [];
    return { ...shown, id: null, reference: null };
  };
  return new Map(
    comparisons.map(({ id, own, others: differ, warning }) => [
      id,
      [...warning, ...differ.flatMap((other) => asLettersSay(own, other))],
    ]),
  );
}

/**
 * Whether another open referral of the person says that the site must send them no messages, or tells of a danger in which somebody else
 * may read them. The referral itself may have ended.
 * `own`: one that the same organisation made, so its staff may know. `other`: they must not learn that it exists.
 */
export async function unsafeElsewhere(
  db: Db,
  { crisisPhrases }: Pick<Settings, 'crisisPhrases'>,
  { id }: Pick<Referral, 'id'>,
): Promise<{ own: boolean; other: boolean }> {
  const others = (await listContactInOthers(db, [id], { wholeSite: true })).get(id) ?? [];
  if (others.length === 0) return { own: false, other: false };
  const ids = others.map((other) => other.id);
  const known = await findReferrals(db, ids);
  const laterTexts = await listLaterTexts(db, ids);
  const unsafe = others.filter((other) => {
    const referral = known.get(other.id);
    return (
      referral !== undefined &&
      mayBeReadByHarmer(referral.content, laterTexts.get(other.id) ?? [], crisisPhrases)
    );
  });
  return {
    own: unsafe.some(({ sameReferrer }) => sameReferrer),
    other: unsafe.some(({ sameReferrer }) => !sameReferrer),
  };
}
