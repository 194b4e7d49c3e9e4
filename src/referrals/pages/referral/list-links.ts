import type { Caller } from '../../../accounts/index.ts';
import type { Request } from '../../../platform/http/index.ts';
import {
  countWorkRows,
  findNextInWorklist,
  tabNames,
  workCountText,
} from '../../listing/worklist/list-work.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import type { Side } from '../../model/status/state-machine.ts';
import { listPath, readWorklistRequest } from '../lists/list-request.ts';

const maxLength = 300;

/** The list that somebody came from to a referral, with its filters and the row, as `?list=` of the address has it. */
function listIn(request: Pick<Request, 'query'>): string | undefined {
  const { list } = (request.query ?? {}) as { list?: unknown };
  return typeof list === 'string' && list !== '' && list.length <= maxLength ? list : undefined;
}

/** What the addresses of a referral's page and forms end in, so that the list is not forgotten: empty, or `?list=…`. */
export function listSuffix(request: Pick<Request, 'query'>): string {
  const list = listIn(request);
  return list === undefined ? '' : `?list=${encodeURIComponent(list)}`;
}

/**
 * What to do once this referral is dealt with, for its success message: the next one of the list that somebody came from, or else of
 * those that need an answer (for a referrer: action).
 */
export async function workAfter(
  deps: ReferralDeps,
  caller: Caller,
  request: Pick<Request, 'query'>,
  { id, sides }: { id: string; sides: readonly Side[] },
): Promise<{ words: string; listHref: string; nextHref: string | undefined } | undefined> {
  if (sides.length === 0) return undefined;
  const isProvider = sides.includes('provider');
  const waiting = isProvider
    ? { list: 'received', tab: tabNames.unanswered }
    : { list: 'made', tab: tabNames.needsAction };
  const query = new URLSearchParams(waiting);
  const { work } = readWorklistRequest(caller, waiting);
  const [count, first, { nextHref }] = await Promise.all([
    countWorkRows(deps, caller, work),
    findNextInWorklist(deps, caller, work, { id, place: 0 }),
    backAndNextLinks(deps, caller, request, id),
  ]);
  const needs = isProvider ? 'an answer' : 'action';
  const words =
    count === 0
      ? `No other referral needs ${needs}`
      : `${workCountText(count)} more ${count === 1 ? 'needs' : 'need'} ${needs}`;
  return {
    words,
    listHref: `/referrals?${query}`,
    nextHref: nextHref ?? (first && listPath(first.id, query, first.place)),
  };
}

/** The links back to the list, and on to the next referral. */
export async function backAndNextLinks(
  deps: ReferralDeps,
  caller: Caller,
  request: Pick<Request, 'query'>,
  id: string,
): Promise<{ backHref: string; nextHref: string | undefined }> {
  const list = listIn(request);
  if (list === undefined) return { backHref: '/referrals', nextHref: undefined };
  const query = new URLSearchParams(list);
  const place = Math.min(Math.max(Number.parseInt(query.get('at') ?? '', 10) || 0, 0), 2500);
  query.delete('at');
  const { work } = readWorklistRequest(caller, Object.fromEntries(query));
  const next = await findNextInWorklist(deps, caller, work, { id, place });
  return {
    backHref: `/referrals?${query}`,
    nextHref: next && listPath(next.id, query, next.place),
  };
}
