import type { Caller } from '../accounts/index.ts';
import { listUndeliveredCauses } from '../delivery/index.ts';
import type { Db } from '../platform/database/index.ts';
import { listRows, type ReferralDeps, readWorklist, tabNames } from '../referrals/index.ts';

/** What waits for an operator: what it is, since when, and one link to deal with it. */
export type OperatorRow = {
  what: string;
  about: string;
  since: Date;
  isPressing: boolean;
  action: string;
  href: string;
};

type OpenItem = { id: string; what: string; opened_at: Date };

/** The operators’ room is on the same floor, so `app.ts` hands its list in. */
export type OperatorLists = {
  listUnmatched: (
    db: Db,
    page: { open: boolean; after: string | undefined; limit: number },
  ) => Promise<OpenItem[]>;
};

/** How many rows the home page lists. */
const maxRows = 8;

/**
 * What an operator deals with first: what is urgent or tells of a danger, then what is open longest. One entry of the audit tells of the whole
 * page: it is opened many times a day.
 */
export async function operatorRows(
  deps: ReferralDeps & OperatorLists,
  caller: Caller,
  ipAddress: string,
): Promise<OperatorRow[]> {
  const rows = [
    ...(await referralsToSee(deps, caller, ipAddress)),
    ...(await listUndelivered(deps)),
    ...(await listUnmatchedItems(deps)),
  ];
  return rows
    .toSorted(
      (one, other) =>
        Number(other.isPressing) - Number(one.isPressing) || one.since.getTime() - other.since.getTime(),
    )
    .slice(0, maxRows);
}

/** One row for each cause. */
async function listUndelivered({ db }: ReferralDeps): Promise<OperatorRow[]> {
  const causes = await listUndeliveredCauses(db, maxRows);
  return causes.map(({ name, isUnanswered, count, ...cause }) => ({
    ...cause,
    what: `${causeTitle(count, isUnanswered)}: ${name}`,
  }));
}

/** What was delivered and not answered is in the list of undelivered messages, too. */
function causeTitle(count: number, isUnanswered: boolean): string {
  if (isUnanswered) return count === 1 ? 'Not answered' : `${count} not answered`;
  return count === 1 ? 'Undelivered message' : `${count} undelivered messages`;
}

/** Referrals with a prompt that the operators look after, such as one that lost its people. */
async function referralsToSee(deps: ReferralDeps, caller: Caller, ipAddress: string): Promise<OperatorRow[]> {
  const { rows } = await readWorklist(
    deps,
    caller,
    { list: 'all', tab: tabNames.needsAction },
    { page: 1, pageLength: maxRows, action: 'home.viewed', ipAddress },
  );
  const listed = await listRows(deps, caller, rows);
  return listed.map(({ reference, turn, href, atRisk, urgent, madeAt }, index) => ({
    what: `Referral ${reference}`,
    about: turn,
    since: new Date(rows[index]!.referral.prompts[0]?.since ?? madeAt),
    isPressing: atRisk || urgent,
    action: 'See what to do',
    href,
  }));
}

async function listUnmatchedItems({
  db,
  listUnmatched,
}: ReferralDeps & OperatorLists): Promise<OperatorRow[]> {
  const items = await listUnmatched(db, { open: true, after: undefined, limit: maxRows });
  // The oldest come first, so the first of those that read the same has waited longest.
  return [...Map.groupBy(items, ({ what }) => what)].map(([what, same]) => ({
    what: same.length === 1 ? 'Unmatched item' : `${same.length} unmatched items`,
    about: what,
    since: same[0]!.opened_at,
    isPressing: false,
    action: 'Find its place',
    href: '/operator/deliveries/unmatched',
  }));
}
